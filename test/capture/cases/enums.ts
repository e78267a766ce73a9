// @ts-nocheck
// biome-ignore-all lint: written as users may write it
export enum Color {
  Red,
  Green = 5,
  Blue,
}
