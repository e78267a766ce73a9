/** Where an OpenBLAS may be. */
import { existsSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** The system's, as the dynamic linker finds it, with `LD_LIBRARY_PATH`. */
const names = process.platform === "darwin" ? ["libopenblas.dylib"] : ["libopenblas.so.0", "libopenblas.so"];
const file = /^lib(?:scipy_)?openblas.*\.(?:so|dylib)(?:\.0)?$/;

/**
 * Most wanted first: that of a loaded module (EasyBuild's variable), the system's, and those that Python's packages
 * scipy-openblas64, scipy-openblas32 and numpy carry, in the environment that is active.
 */
export function* candidates(env: NodeJS.ProcessEnv = process.env): Generator<string> {
  const module = env["EBROOTOPENBLAS"];
  if (module) yield* librariesIn(join(module, "lib"));
  yield* names;
  for (const prefix of pythonPrefixes(env)) {
    for (const version of entries(join(prefix, "lib")).filter((name) => name.startsWith("python3"))) {
      const packages = join(prefix, "lib", version, "site-packages");
      for (const folder of ["scipy_openblas64/lib", "scipy_openblas32/lib", "numpy.libs"])
        yield* librariesIn(join(packages, folder));
    }
  }
}

function* librariesIn(folder: string): Generator<string> {
  for (const name of entries(folder)) if (file.test(name)) yield join(folder, name);
}

/** Of the active virtual or conda environment, and of the python on the PATH. */
function pythonPrefixes(env: NodeJS.ProcessEnv): Set<string> {
  const onPath = (env["PATH"] ?? "").split(delimiter).find((folder) => folder && existsSync(join(folder, "python3")));
  const all = [env["VIRTUAL_ENV"], env["CONDA_PREFIX"], onPath && dirname(onPath)];
  return new Set(all.filter((prefix): prefix is string => Boolean(prefix)));
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
