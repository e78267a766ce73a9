import { expect, test } from "vitest";
import { rng } from "../../src/random/index.ts";
import { sequences } from "./sequences.ts";
import { bitsOf } from "./support.ts";

// Results that people have published depend on these: a change here is a change of every program with a seed. Uniform
// numbers and integers are also computed independently (reference/make.py); the last bit of normal ones is girona's own.

test("rng(42).uniform", () => {
  expect(Array.from(rng(42).uniform(8), bitsOf)).toEqual([
    "3fe1192291d56ba0",
    "3fee6c9e3306a2bc",
    "3fe7759f272b10d7",
    "3fb56a6f3b33ce48",
    "3fe2789dc288ccb5",
    "3fe68bde795788c4",
    "3fda2a2f218c9414",
    "3fb09a989431d230",
  ]);
});

test("rng(42).normal", () => {
  expect(Array.from(rng(42).normal(8), bitsOf)).toEqual([
    "bfbe8d1c0a5f72d1",
    "3fef1ee779caa633",
    "bffd78ce366a2924",
    "3fd82c6d1d1b3132",
    "3fe0b6a61c074946",
    "bfa13724cc213f41",
    "4004320e16b9bf70",
    "bfe0deea271b9387",
  ]);
});

test("rng(42).integers", () => {
  expect([...rng(42).integers(8, { high: 100 })]).toEqual([41, 87, 61, 77, 5, 59, 97, 34]);
});

test("rng(42).stream(7)", () => {
  expect(Array.from(rng(42).stream(7).normal(4), bitsOf)).toEqual([
    "bfd6a4a1a4a47b8b",
    "3fe1ab9ddf9ad53b",
    "bfe61bad99cc05d4",
    "bfda0cae7d6b12b2",
  ]);
});

test("100,000 elements of each", () => {
  expect(sequences()).toEqual([
    { name: "normal", hash: "4eb00609af080dd2fc12d93ef9d234dd49ff4d0f27a18b90630b70c4b71bfc87" },
    {
      name: "normal, mean 1/3, deviation 2/3",
      hash: "7e51be4555d44abe09682ed68cf4cf0475f33544517184cebf403d48cec9b3ef",
    },
    { name: "uniform", hash: "b43bb9fbcd694de00c0727f5104c4de9ce1ef79cc4f5163c20daec12d328afde" },
    { name: "uniform from -1/3 to 5", hash: "5175cb3c40992a6405a50bd18af0b84db13b09e133f32350a5e17393d33738c5" },
    { name: "integers to 100", hash: "e4a0e51b70b6ec8e1019b61ec7cfde4c6f06a8282fdecdb75ae0d3e66ab5cd0e" },
    { name: "integers from -2**30 to 2**31", hash: "8406fe3d5a4a6b8aa73df10246a94618936a21e3afe391199b1f0f31f1625ed8" },
    {
      name: "stream 3, stream 2**40, normal",
      hash: "9d6ca040e9ae465301d1f1421eed9dd6d5322d3ec750c35adb89b0b185742cd1",
    },
  ]);
});
