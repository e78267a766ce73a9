/** MPI's own handles, as it gives them to other languages: for other addons of this package on the same library. */
import { addon } from "./addon.js";
import { handleOf } from "./comm.js";
import type { Comm } from "./comm-types.js";
import { Settings } from "./info.js";
import type { InfoLike } from "./types.js";

/** The number that MPI_Comm_f2c takes. */
export function nativeComm(comm: Comm): number {
  return addon.commHandle(handleOf("File", comm));
}

/** The number that MPI_Info_f2c takes. It lives as long as the program. */
export function nativeInfo(info: InfoLike): number {
  const settings = info instanceof Settings ? info : Settings.of(info as Readonly<Record<string, string>>);
  return addon.infoHandle(settings.number);
}
