/** `girona build [mpi|hdf5|all]`: compiles the addons for the MPI and HDF5 of this machine, once. */
import { type AddonKind, buildAddon, cacheFolder, isAbsence, kinds, librariesOf } from "../native/index.js";

export const targets = ["mpi", "hdf5", "all"] as const;
export type Target = (typeof targets)[number];

/** One row, in the form that `--json` prints: every key is always there. */
interface Row {
  readonly kind: AddonKind;
  /** `missing`: the machine has nothing to build it against. */
  readonly state: "built" | "cached" | "missing" | "failed";
  readonly libraries: string | null;
  readonly file: string | null;
  readonly seconds: number | null;
  readonly detail: string | null;
}

/**
 * Builds what the target has. MPI and HDF5 may each come in more than one addon; a target has failed when one of them does not
 * compile, or when the machine has what is needed for none.
 */
export async function build(target: Target, json: boolean): Promise<number> {
  const wanted = (Object.keys(kinds) as AddonKind[]).filter(
    (kind) => target === "all" || kinds[kind].command === target,
  );
  const rows = await Promise.all(wanted.map(row));
  const usable = rows.filter(({ state }) => state === "built" || state === "cached");
  const ok = usable.length > 0 && rows.every(({ state }) => state !== "failed");
  if (json) {
    process.stdout.write(`${JSON.stringify({ ok, cache: cacheFolder(), builds: rows }, undefined, 2)}\n`);
    return ok ? 0 : 1;
  }
  const width = Math.max(...rows.map(({ kind }) => kind.length));
  for (const { kind, state, libraries, file, seconds, detail } of rows) {
    const said = {
      built: `built for ${libraries} in ${seconds?.toFixed(1)} s: ${file}`,
      cached: `there already for ${libraries}: ${file}`,
      missing: `not built: ${detail}`,
      failed: `failed: ${detail}`,
    }[state];
    const isError = state === "failed" || (state === "missing" && usable.length === 0);
    process[isError ? "stderr" : "stdout"].write(`${kind.padEnd(width)}  ${said}\n`);
  }
  return ok ? 0 : 1;
}

async function row(kind: AddonKind): Promise<Row> {
  const nothing = { libraries: null, file: null, seconds: null, detail: null };
  try {
    const built = await buildAddon(kind, {
      onWait: (holder) => process.stderr.write(`girona: ${kind}: ${holder} is building it; waiting for that\n`),
    });
    const { file, seconds, made } = built;
    return { ...nothing, kind, state: made ? "built" : "cached", libraries: librariesOf(built), file, seconds };
  } catch (error) {
    return { ...nothing, kind, state: isAbsence(error) ? "missing" : "failed", detail: (error as Error).message };
  }
}
