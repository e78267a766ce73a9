export const base: number = 100;
let hits = 0;
export function addBase(x: number): number {
  hits++;
  return x + base + priv(x);
}
function priv(x: number): number {
  return x * 0;
}
export const arrowOther = (x: number): number => priv(x) + base;
export default class Def {
  v = 1;
  get(): number {
    return this.v + base;
  }
}
export class Animal {
  name: string;
  constructor(name: string) {
    this.name = name;
  }
  speak(): string {
    return `${this.name}!`;
  }
}
export let counter = 0;
export function count(): number {
  return ++counter;
}
export class Secret {
  #key = 1;
  key(): number {
    return this.#key;
  }
}
export function hitsSoFar(): number {
  return hits;
}
