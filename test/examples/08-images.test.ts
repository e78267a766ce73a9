import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { call } from "../cli/support.ts";
import { tempDir } from "../support/index.ts";

const count = 6;

/** A picture of 1600 × 1200 pixels with something in it. */
function picture(file: string, hue: number): Promise<unknown> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200">
    <rect width="1600" height="1200" fill="hsl(${hue}, 60%, 50%)"/><circle cx="800" cy="600" r="400" fill="white"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg().toFile(file);
}

test("examples/08-images.ts makes a thumbnail of every picture of a folder", async () => {
  const [photos, thumbnails] = [tempDir(), tempDir()];
  const names = Array.from({ length: count }, (_, i) => `picture-${i}.jpg`);
  await Promise.all(names.map((name, i) => picture(join(photos, name), i * 60)));

  const { exitCode, stdout, stderr } = await call(["run", "examples/08-images.ts", photos, thumbnails]);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toBe(`${count} images, widest 1600\n`);
  expect(stderr).toMatch(/^thumbnails █{30} 6\/6 /m);
  expect(readdirSync(thumbnails).sort()).toEqual(names);
  for (const name of names)
    expect(await sharp(join(thumbnails, name)).metadata()).toMatchObject({ width: 800, height: 600, format: "jpeg" });
});
