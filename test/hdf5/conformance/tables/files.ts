/** Files: modes, drivers, locking, closing, what a file says of itself. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { isHdf5 } from "../../../../src/hdf5/index.ts";
import { table } from "../behaviour.ts";

export const files = table("files", (behaviour) => {
  behaviour(
    "the mode is r when none is given, so a file that is not there is no new file",
    ({ open, path, fails, ok }) => {
      const at = path();
      fails(() => open(at), "Hdf5");
      ok(!existsSync(at), "a file was made");
    },
  );
  behaviour("r reads and refuses to write", ({ create, reopen, same, fails }) => {
    const file = create();
    file.put("x", Int32Array.of(1, 2));
    const again = reopen(file, "r");
    same(again.dataset("x", "i4").read().data, Int32Array.of(1, 2));
    fails(() => again.createGroup("g"), "Hdf5");
    fails(() => again.dataset("x", "i4").write(Int32Array.of(3, 4)), "Hdf5");
    fails(() => again.attributes.set("a", 1), "Hdf5");
  });
  behaviour("w makes an empty file in place of what was there", ({ create, open, same }) => {
    const file = create();
    file.createGroup("old");
    file.close();
    same(open(file.path, "w").keys(), []);
  });
  for (const mode of ["w-", "x"] as const) {
    behaviour(`${mode} makes a file, and refuses where there is one`, ({ open, path, same, fails }) => {
      const at = path();
      const file = open(at, mode);
      file.createGroup("kept");
      file.close();
      fails(() => open(at, mode), "Hdf5");
      same(open(at, "r").keys(), ["kept"]);
    });
  }
  behaviour("a opens what is there for writing", ({ create, open, same }) => {
    const file = create();
    file.createGroup("first");
    file.close();
    const again = open(file.path, "a");
    again.createGroup("second");
    same(again.keys(), ["first", "second"]);
  });
  behaviour("a makes a file where there is none", ({ open, path, same }) => {
    const file = open(path(), "a");
    file.createGroup("g");
    same(file.keys(), ["g"]);
  });
  behaviour("a refuses a file that is no HDF5 file, and leaves it as it is", ({ open, path, fails, same }) => {
    const at = path("notes.txt");
    writeFileSync(at, "not an HDF5 file");
    fails(() => open(at, "a"), "Hdf5");
    same(readFileSync(at, "utf8"), "not an HDF5 file");
  });
  behaviour("r+ reads and writes what is there", ({ create, open, same }) => {
    const file = create();
    file.put("x", Float64Array.of(1));
    file.close();
    const again = open(file.path, "r+");
    again.dataset("x").write(Float64Array.of(2));
    same(again.dataset("x").read().data, Float64Array.of(2));
  });
  behaviour("r+ refuses a file that is not there, and makes none", ({ open, path, fails, ok }) => {
    const at = path();
    fails(() => open(at, "r+"), "Hdf5");
    ok(!existsSync(at), "a file was made");
  });
  behaviour("a mode that does not exist is refused with those that do", ({ open, path, fails }) => {
    fails(() => open(path(), "mongoose" as never), "Usage", /r\+.*w-/);
  });
  behaviour("the file says whether it can be written", ({ create, reopen, same }) => {
    const file = create();
    same(file.mode, "r+");
    same(file.createGroup("g").file.mode, "r+");
    same(reopen(file).mode, "r");
  });
  behaviour("the file keeps its path as it was given", ({ open, path, same }) => {
    const at = path("a name.h5");
    same(open(at, "w").path, at);
  });
  behaviour("a path may have any letters", ({ open, path, same, ok }) => {
    const at = path("Æsir – 数据 🜁.hdf5");
    const file = open(at, "w");
    file.createGroup("g");
    file.close();
    ok(existsSync(at), "the file has another name");
    same(open(at).keys(), ["g"]);
  });
  behaviour("the root group is called /", ({ create, same }) => {
    same(create().name, "/");
  });
  behaviour("every node knows its file", ({ create, same }) => {
    const file = create();
    const data = file.createGroup("g").put("x", Int8Array.of(1));
    same(data.file.path, file.path);
    same(data.file.isOpen, true);
  });
  behaviour("using closes the file at the end of its block", ({ path, open, same }) => {
    let kept: ReturnType<typeof open>;
    {
      using file = open(path(), "w");
      kept = file;
      same(file.isOpen, true);
    }
    same(kept.isOpen, false);
  });
  behaviour("a second close does nothing", ({ create, same }) => {
    const file = create();
    file.close();
    file.close();
    same(file.isOpen, false);
  });
  behaviour("a closed file refuses all work in words", ({ create, fails }) => {
    const file = create();
    file.close();
    fails(() => file.keys(), "Hdf5", /closed/);
    fails(() => file.createGroup("g"), "Hdf5", /closed/);
    fails(() => file.flush(), "Hdf5", /closed/);
    fails(() => file.attributes.set("a", 1), "Hdf5", /closed/);
  });
  behaviour("close closes the groups and datasets as well", ({ create, fails }) => {
    const file = create();
    const group = file.createGroup("g");
    const data = group.put("x", Float64Array.of(1));
    file.close();
    fails(() => group.keys(), "Hdf5", /closed/);
    fails(() => data.read(), "Hdf5", /closed/);
    fails(() => data.attributes.keys(), "Hdf5", /closed/);
  });
  behaviour("a node of a closed file is dead also when the file is open again", ({ create, reopen, fails, same }) => {
    const file = create();
    const group = file.createGroup("g");
    const again = reopen(file, "r+");
    fails(() => group.keys(), "Hdf5", /closed/);
    same(again.group("g").keys(), []);
  });
  behaviour("two handles on one file see each other's groups, and live on their own", ({ create, open, same }) => {
    const first = create();
    const second = open(first.path, "r+");
    first.createGroup("g");
    same(second.keys(), ["g"]);
    first.close();
    same(second.isOpen, true);
    second.createGroup("h");
    same(second.keys(), ["g", "h"]);
  });
  behaviour("flush hands over all there is", ({ create, same, ok }) => {
    const file = create();
    file.put("x", Float64Array.of(1, 2, 3));
    file.flush();
    ok(isHdf5(file.path), "no HDF5 file after flush");
    same(statSync(file.path).size > 24, true);
  });
  behaviour("isHdf5 tells an HDF5 file from others, and from none", ({ create, path, same }) => {
    const file = create();
    file.close();
    const other = path("other.txt");
    writeFileSync(other, "x".repeat(4000));
    same([isHdf5(file.path), isHdf5(other), isHdf5(path())], [true, false, false]);
  });
  behaviour("the driver sec2 can be asked for", ({ create, same }) => {
    same(create({ driver: "sec2" }).driver, "sec2");
  });
  behaviour("the driver core writes the file when it closes", ({ create, open, same }) => {
    const file = create({ driver: "core" });
    same(file.driver, "core");
    file.createGroup("g");
    file.close();
    same(open(file.path).keys(), ["g"]);
  });
  behaviour("core without a backing store leaves no file", ({ create, ok }) => {
    const file = create({ driver: "core", backingStore: false });
    file.put("x", Float64Array.of(1));
    file.close();
    ok(!existsSync(file.path), "there is a file");
  });
  behaviour(
    "core reads a file from disk, and changes without a backing store stay in memory",
    ({ create, open, same }) => {
      const file = create();
      file.createGroup("stored");
      file.close();
      const memory = open(file.path, "r+", { driver: "core", backingStore: false });
      same(memory.keys(), ["stored"]);
      memory.createGroup("lost");
      same(memory.keys(), ["lost", "stored"]);
      memory.close();
      same(open(file.path).keys(), ["stored"]);
    },
  );
  behaviour("core grows by as much as is said", ({ create, open, same }) => {
    const file = create({ driver: "core", increment: 1 << 20 });
    file.put("x", Float64Array.of(4));
    file.close();
    same(open(file.path).dataset("x").read().data, Float64Array.of(4));
  });
  behaviour("a driver that does not exist is refused with those that do", ({ create, fails }) => {
    fails(() => create({ driver: "core2" } as never), "Usage", /sec2.*core.*mpio/);
  });
  behaviour("a user block is left to others", ({ create, open, same }) => {
    const file = create({ userBlock: 1024 });
    same(file.userBlock, 1024);
    file.createGroup("g");
    file.close();
    const bytes = readFileSync(file.path);
    same(bytes.subarray(1024, 1032).toString("latin1"), "\x89HDF\r\n\x1a\n");
    bytes.write("a note before the data");
    writeFileSync(file.path, bytes);
    const again = open(file.path);
    same([again.userBlock, again.keys()], [1024, ["g"]]);
  });
  behaviour("there is no user block unless asked for", ({ create, same }) => {
    same(create().userBlock, 0);
  });
  behaviour("a user block is a power of two from 512", ({ create, fails }) => {
    for (const userBlock of [128, 513, 1023, -512, 1.5]) fails(() => create({ userBlock }), "Usage", /512/);
  });
  behaviour("a user block is for new files", ({ create, open, fails }) => {
    const file = create();
    file.close();
    fails(() => open(file.path, "r", { userBlock: 512 }), "Usage", /userBlock/);
    fails(() => open(file.path, "r+", { userBlock: 512 }), "Usage", /userBlock/);
  });
  behaviour("format latest writes what a reader of today reads", ({ create, reopen, same }) => {
    const file = create({ format: "latest" });
    file.put("g/x", Int16Array.of(7));
    same(reopen(file).dataset("g/x", "i2").read().data, Int16Array.of(7));
  });
  behaviour("format takes the oldest and the newest", ({ create, reopen, same, fails }) => {
    const file = create({ format: ["v108", "latest"] });
    file.createGroup("g");
    same(reopen(file).keys(), ["g"]);
    fails(() => create({ format: ["latest", "earliest"] }), "Usage", /format/);
    fails(() => create({ format: "v107" as never }), "Usage", /v108/);
  });
  behaviour("alignment puts large data at multiples", ({ create, same, ok }) => {
    const file = create({ alignment: { bytes: 4096, threshold: 1000 } });
    for (const name of ["a", "b", "c"]) file.put(name, new Uint8Array(1500).fill(name.charCodeAt(0)));
    file.close();
    const bytes = readFileSync(file.path);
    for (const name of ["a", "b", "c"]) {
      const at = bytes.indexOf(Buffer.alloc(1500, name));
      ok(at > 0, `${name} is not there`);
      same(at % 4096, 0);
    }
  });
  behaviour("alignment leaves small data alone", ({ create, same }) => {
    const file = create({ alignment: { bytes: 4096, threshold: 2000 } });
    for (const name of ["a", "b"]) file.put(name, new Uint8Array(1500).fill(name.charCodeAt(0)));
    file.close();
    const bytes = readFileSync(file.path);
    same(
      ["a", "b"].every((name) => bytes.indexOf(Buffer.alloc(1500, name)) % 4096 === 0),
      false,
    );
  });
  behaviour("the chunk cache takes bytes and slots, and refuses nonsense", ({ create, same, fails }) => {
    const file = create({ chunkCache: { bytes: 1 << 22, slots: 1009 } });
    file.put("x", new Float64Array(1000).fill(2), { chunks: [10] });
    same(file.dataset("x").read([{ start: 995, end: 1000 }]).data, new Float64Array(5).fill(2));
    fails(() => create({ chunkCache: { bytes: -1 } }), "Usage", /chunkCache/);
  });
  behaviour("an option that does not exist is refused with the nearest that does", ({ create, fails }) => {
    fails(() => create({ trackOrdr: true } as never), "Usage", /trackOrder/);
  });
  behaviour("a file that is being written is not truncated by a second w", ({ create, open, fails, same }) => {
    const file = create();
    file.createGroup("g");
    fails(() => open(file.path, "w"), "Hdf5");
    same(file.keys(), ["g"]);
  });
  behaviour("locking takes true, false and best-effort", ({ create, open, same, fails }) => {
    const file = create({ locking: true });
    file.createGroup("g");
    file.close();
    for (const locking of [true, false, "best-effort"] as const) {
      const again = open(file.path, "r", { locking });
      same(again.keys(), ["g"]);
      again.close();
    }
    fails(() => open(file.path, "r", { locking: "maybe" as never }), "Usage", /best-effort/);
  });
  behaviour("a path that is no text, is empty or has a NUL is refused", ({ open, fails }) => {
    fails(() => open(42 as never, "w"), "Usage", /path/);
    fails(() => open("", "w"), "Usage", /path/);
    fails(() => open("a\0b.h5", "w"), "Usage", /path/);
  });
  behaviour("what the library was is said", ({ create, ok }) => {
    ok(/HDF5 \d+\.\d+\.\d+/.test(create().library), "no version");
  });
  behaviour("a hundred files are open at once", ({ create, same }) => {
    const all = Array.from({ length: 100 }, () => create());
    for (const [i, file] of all.entries()) file.put("x", Int32Array.of(i));
    same(
      all.map((file) => file.dataset("x", "i4").read().data[0]),
      all.map((_, i) => i),
    );
  });
  behaviour("a file made twice in the same way has the same bytes", ({ create, ok }) => {
    const made = () => {
      const file = create();
      file.put("g/x", Float64Array.of(1, 2, 3)).attributes.set("unit", "m");
      file.close();
      return readFileSync(file.path);
    };
    ok(made().equals(made()), "they differ");
  });
});
