// What piscina's threads run.
const { move } = require("piscina");

module.exports.square = (x) => x * x;
module.exports.ends = (values) => values[0] + values[values.length - 1];

// Ones, but the first element is the time in ms that making them took.
module.exports.make = (length) => {
  const start = performance.now();
  const values = new Float64Array(length).fill(1);
  values[0] = performance.now() - start;
  return move(values);
};
