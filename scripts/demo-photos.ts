/** The second part of `make demo`: the photographs that the Python package scikit-image ships, as thumbnails. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { execute, root } from "./common.ts";

const example = "examples/08-images.ts";
const photos = ".cache/photos";
const thumbnails = ".cache/thumbnails";
const wheels = ".cache/wheels";

const missing = await download();
if (missing) {
  console.log(`SKIPPED: the photographs: ${missing}`);
} else {
  mkdirSync(join(root, thumbnails), { recursive: true });
  const { exitCode } = await execute(["node", "dist/cli/main.js", "run", example, photos, thumbnails], { show: true });
  if (exitCode === 0) console.log(`Each was resized and blurred in a worker; the results are in ${thumbnails}.`);
  process.exitCode = exitCode;
}

/** Gets the photographs, if they are not there yet; says why it could not. */
async function download(): Promise<string | undefined> {
  if (existsSync(join(root, photos)) && readdirSync(join(root, photos)).length > 0) return undefined;
  console.log("Downloading photographs (the Python package scikit-image, 14 MB) ...");
  const pip = "python3 -m pip download --quiet --no-deps --only-binary :all: --disable-pip-version-check -d".split(" ");
  const downloaded = await execute([...pip, wheels, "scikit-image"], { timeoutMs: 120_000 });
  if (downloaded.exitCode !== 0)
    return `pip could not download scikit-image: ${lastLine(downloaded.output) || "no reason given"}`;
  // Copied out of the wheel, not installed. Very small ones are patterns, not photographs.
  const copy = `
import glob, os, sys, zipfile
os.makedirs(sys.argv[2], exist_ok=True)
with zipfile.ZipFile(sorted(glob.glob(sys.argv[1] + "/scikit_image-*.whl"))[-1]) as wheel:
    for entry in wheel.infolist():
        if entry.filename.startswith("skimage/data/") and entry.filename.endswith((".png", ".jpg")) and entry.file_size > 50_000:
            with open(os.path.join(sys.argv[2], os.path.basename(entry.filename)), "wb") as photo:
                photo.write(wheel.read(entry))
`;
  const copied = await execute(["python3", "-c", copy, wheels, photos]);
  return copied.exitCode === 0 ? undefined : `the wheel could not be read: ${lastLine(copied.output)}`;
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
