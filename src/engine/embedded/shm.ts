/**
 * The few calls to the system that Node does not offer: memory files, mapping, real pipes, dying with the parent.
 *
 * Loaded through koffi, which ships its binary in the package. Without it (an unknown platform) everything still works:
 * arrays go through files that are read, and one task at a time is sent to a worker.
 */
import { createRequire } from "node:module";

export interface Shm {
  /** A file in memory, without a name; `undefined` where the kernel has none. */
  memoryFile(): number | undefined;
  /** Private pages are copied when written; shared ones are the same in every process. */
  map(fd: number, bytes: number, how: "private" | "shared"): ArrayBuffer;
  /** A pipe whose two ends are not inherited by other children. A socket pair would lose the last lines of a killed child. */
  pipe(): { readonly read: number; readonly write: number } | undefined;
  /** This process is killed when its parent ends, however busy it is. */
  dieWithParent(parent: number): void;
}

// Linux's numbers (bits/mman-linux.h, bits/fcntl-linux.h, linux/prctl.h, linux/memfd.h).
const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_PRIVATE = 2;
const O_CLOEXEC = 0o2000000;
const MFD_CLOEXEC = 1;
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;
const MAP_FAILED = 0xffff_ffff_ffff_ffffn;

/** What is unmapped at once, bytes; more is unmapped by another thread. */
const inThread = 1 << 20;

interface Native {
  (...args: unknown[]): unknown;
  /** The same in another thread; the last argument is called with an error or the result. */
  async(...args: unknown[]): void;
}
interface Koffi {
  load(library: string): { func(signature: string): Native };
  view(pointer: unknown, bytes: number): ArrayBuffer;
  address?(pointer: unknown): bigint;
  errno(): number;
}

function open(): Shm | undefined {
  if (process.platform !== "linux" || process.env["GIRONA_NO_NATIVE"]) return undefined;
  let koffi: Koffi;
  let libc: ReturnType<Koffi["load"]>;
  try {
    koffi = createRequire(import.meta.url)("koffi") as Koffi;
    libc = koffi.load("libc.so.6");
  } catch {
    return undefined;
  }
  const mmap = libc.func("void *mmap(void *addr, size_t len, int prot, int flags, int fd, int64_t off)");
  const munmap = libc.func("int munmap(void *addr, size_t len)");
  const prctl = libc.func(
    "int prctl(int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5)",
  );
  const pipe2 = libc.func("int pipe2(_Out_ int *fds, int flags)");
  let memfd: Native | undefined;
  try {
    memfd = libc.func("int memfd_create(str name, unsigned int flags)");
  } catch {
    // glibc before 2.27
  }
  const mapped = new FinalizationRegistry<{ pointer: unknown; bytes: number }>(({ pointer, bytes }) => {
    // Freeing many pages takes a while, and nobody waits for it.
    if (bytes < inThread) munmap(pointer, bytes);
    else munmap.async(pointer, bytes, () => {});
  });
  return {
    memoryFile() {
      const fd = memfd?.("girona", MFD_CLOEXEC) as number | undefined;
      return fd === undefined || fd < 0 ? undefined : fd;
    },
    map(fd, bytes, how) {
      const pointer = mmap(null, bytes, PROT_READ_WRITE, how === "shared" ? MAP_SHARED : MAP_PRIVATE, fd, 0);
      if (pointer === null || BigInt(pointer as bigint) === MAP_FAILED) {
        throw new Error(`mmap of ${bytes} bytes failed with errno ${koffi.errno()}`);
      }
      const buffer = koffi.view(pointer, bytes);
      mapped.register(buffer, { pointer, bytes });
      return buffer;
    },
    pipe() {
      const fds = [0, 0];
      if (pipe2(fds, O_CLOEXEC) !== 0) return undefined;
      return { read: fds[0]!, write: fds[1]! };
    },
    dieWithParent(parent) {
      prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      // The parent may have ended before the call.
      if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
    },
  };
}

let shm: Shm | undefined | null = null;

/** `undefined` where koffi cannot be loaded. */
export function sharedMemory(): Shm | undefined {
  if (shm === null) shm = open();
  return shm;
}
