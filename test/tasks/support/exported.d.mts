export function triple(x: number): number;
export default function doubled(x: number): number;
export class Counter {
  constructor(start?: number);
  add(n: number): number;
}
export const notAFunction: number;
