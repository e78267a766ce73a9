/** A cold plate with a hot spot and a warm edge, for simulation.ts: `make-data.ts [data.h5] [rows] [columns] [steps]`. */
import { File } from "girona/hdf5";

const [path = "data.h5", rows = "200", columns = "300", steps = "500"] = process.argv.slice(2);
const [m, n] = [Number(rows), Number(columns)];

using file = new File(path, "w");
const temperature = file.createDataset("temperature", { shape: [m, n], dtype: "f8" });
temperature.write(
  Float64Array.from({ length: m * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    const isSpot = Math.hypot(i - m / 2, j - n / 3) < Math.min(m, n) / 8;
    return isSpot ? 100 : j === 0 ? 50 : 0;
  }),
);
temperature.attributes.set("unit", "°C");
file.attributes.set("steps", Number(steps), { dtype: "i4" });
file.attributes.set("every", Math.max(1, Math.floor(Number(steps) / 10)), { dtype: "i4" });
console.log(`${path}: ${m} x ${n}`);
