/**
 * The collective guard: with `GIRONA_MPI_CHECK=1`, ranks compare what they are about to do before each collective call. In
 * place of hanging, or writing what nobody meant, those that are there throw an error that says who does what, and where.
 */
import { Hdf5Error, seconds, UsageError } from "../common/index.js";
import type { RawLibrary } from "./raw.js";

/** How long a rank is waited for, in seconds; 0 without the guard. */
const patience = patienceOf(process.env["GIRONA_MPI_CHECK"]);

function patienceOf(setting: string | undefined): number {
  if (setting === undefined || setting === "" || setting === "0") return 0;
  if (setting === "1") return 10;
  try {
    return seconds(setting as "10s", "GIRONA_MPI_CHECK");
  } catch (cause) {
    throw new UsageError(
      `GIRONA_MPI_CHECK: "${setting}" is set; it takes 1 (ranks are waited for 10 seconds), or how long, such as 60s.`,
      { parameter: "GIRONA_MPI_CHECK", cause },
    );
  }
}

/**
 * Compares this call with those of the other ranks.
 *
 * @throws Hdf5Error on every rank that is there, when one makes another call or does not come in time
 */
export function agree(
  raw: RawLibrary,
  parallel: { readonly comm: number; readonly rank: number; readonly size: number },
  file: string,
  path: string | undefined,
  operation: string,
  args: string,
): void {
  if (patience === 0 || parallel.size === 1) return;
  const call = shorten(`${operation}(${[path, args].filter(Boolean).join(", ")}) on ${file}`);
  const table = raw.guard!(parallel.comm, call, caller(), patience);
  if (table === undefined) return;
  const absent = table.flatMap((one, rank) => (one === null ? [rank] : []));
  const lines = table.map((one, rank) => {
    const [said, place] = one?.split("\n") ?? [];
    return `  rank ${rank}: ${said === undefined ? `not there within ${patience} s` : `${said} at ${place}`}`;
  });
  const what =
    absent.length > 0
      ? `${absent.length === 1 ? `rank ${absent[0]} is` : `ranks ${absent.join(", ")} are`} not there`
      : "the ranks do not make the same call";
  const message = `${operation} of ${path ?? file} takes all ranks, and ${what}:\n${lines.join("\n")}\nEach rank must make the same collective calls in the same order, one without data with an empty selection.`;
  throw new Hdf5Error(message, { file, path, operation });
}

/** Keeps the announcement within its size, and the end, where values differ, in it. */
function shorten(text: string): string {
  if (text.length <= 320) return text;
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return `${text.slice(0, 300)}... #${(hash >>> 0).toString(16)}`;
}

const here = new URL(".", import.meta.url).href;
const own =
  /^(?:new )?_?(?:File|FileState|GroupNode|DatasetNode|AttributeSet|Object)\b|^(?:agree|caller|attempt|openFile)\b/;

/** Where the program makes the call: `file.ts:12`. */
function caller(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const frames = new Error().stack?.split("\n").slice(1) ?? [];
  Error.stackTraceLimit = limit;
  for (const frame of frames) {
    const match = /^\s*at (?:(.*) \()?(.*?):(\d+):\d+\)?$/.exec(frame);
    if (!match) continue;
    const [, name = "", place = "", line] = match;
    // A program bundled with girona has both in one file, where the names of the classes tell.
    if (
      own.test(name.replace(/^async /, "")) ||
      place.startsWith(here) ||
      place.startsWith(here.replace("file://", ""))
    )
      continue;
    return `${place.split("/").slice(-2).join("/")}:${line}`.slice(0, 120);
  }
  return "an unknown place";
}
