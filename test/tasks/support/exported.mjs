export function triple(x) {
  return x * 3;
}

export default function doubled(x) {
  return x * 2;
}

export class Counter {
  #value;
  constructor(start = 0) {
    this.#value = start;
  }
  add(n) {
    this.#value += n;
    return this.#value;
  }
}

export const notAFunction = 42;
