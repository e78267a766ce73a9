/** Files that are no HDF5, or not all of one: a clear error with HDF5's reason, no crash, and never wrong values. */
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { isHdf5 } from "../../../../src/hdf5/index.ts";
import { table } from "../behaviour.ts";

export const broken = table("broken files", (behaviour) => {
  behaviour("a text file is refused as what it is", ({ path, open, fails, same }) => {
    const at = path("notes.h5");
    writeFileSync(at, "Dear reader,\n".repeat(500));
    const error = fails(() => open(at), "Hdf5", /signature|no HDF5|not an HDF5/i);
    same(error.file, at);
  });
  behaviour("an empty file is refused for reading, and becomes an HDF5 file when opened for writing", (bench) => {
    const at = bench.path();
    writeFileSync(at, "");
    bench.same(isHdf5(at), false);
    bench.fails(() => bench.open(at), "Hdf5", /signature|no HDF5|not an HDF5/i);
    bench.same(bench.open(at, "r+").keys(), []);
  });
  behaviour("a folder is refused", ({ path, open, fails, same }) => {
    const at = path("folder");
    mkdirSync(at);
    fails(() => open(at), "Hdf5", /director|folder/i);
    fails(() => open(at, "w"), "Hdf5", /director|folder/i);
    same(isHdf5(at), false);
  });
  behaviour("a file in a folder that is not there is refused with the reason", ({ path, open, fails }) => {
    fails(() => open(path("none/file.h5"), "w"), "Hdf5", /no such file or directory/i);
    fails(() => open(path("none/file.h5")), "Hdf5", /no such file or directory/i);
  });
  behaviour("a truncated file is refused with the reason", ({ create, open, fails }) => {
    const file = create();
    file.put("x", new Float64Array(1000));
    file.close();
    truncateSync(file.path, 4000);
    fails(() => open(file.path), "Hdf5", /truncated/);
  });
  behaviour(
    "a file cut at any byte is refused or gives an error, and never crashes",
    ({ create, open, path, same }) => {
      const file = create();
      file.put("x", Float64Array.of(1, 2, 3)).attributes.set("a", "text");
      file.createGroup("g/h");
      file.close();
      const bytes = readFileSync(file.path);
      let refused = 0;
      for (let length = 0; length < bytes.length; length += 97) {
        const at = path(`cut-${length}.h5`);
        writeFileSync(at, bytes.subarray(0, length));
        try {
          using cut = open(at);
          cut.visit(() => undefined);
        } catch (error) {
          same((error as { code: string }).code, "Hdf5");
          refused++;
        }
      }
      same(refused, Math.ceil(bytes.length / 97));
    },
  );
  behaviour("a file whose superblock is damaged is refused", ({ create, open, fails }) => {
    const file = create();
    file.put("x", Float64Array.of(1));
    file.close();
    const bytes = readFileSync(file.path);
    bytes[8] = 99;
    writeFileSync(file.path, bytes);
    fails(() => open(file.path), "Hdf5", /superblock/);
  });
  behaviour(
    "compressed data with damage in it is refused, and the rest of the file reads",
    ({ create, open, fails, same }) => {
      const file = create();
      const values = Float64Array.from({ length: 4096 }, (_, i) => Math.sin(i));
      file.put("bad", values, { compression: "gzip", chunks: [4096] });
      file.put("good", Int32Array.of(1, 2));
      file.close();
      const bytes = readFileSync(file.path);
      // Where a zlib stream of level 4 begins; its end has the checksum.
      const at = bytes.findIndex((byte, i) => byte === 0x78 && bytes[i + 1] === 0x5e);
      bytes.fill(0xff, at + 1000, at + 1100);
      writeFileSync(file.path, bytes);
      const again = open(file.path);
      const error = fails(() => again.dataset("bad").read(), "Hdf5", /inflate|filter/);
      same([error.path, again.dataset("good", "i4").read().data], ["/bad", Int32Array.of(1, 2)]);
    },
  );
  behaviour("errors tell file, path and operation", ({ create, fails, same }) => {
    const file = create();
    const error = fails(() => file.group("a/b"), "Hdf5");
    same([error.file, error.path, typeof error.operation, error.name], [file.path, "/a/b", "string", "Hdf5Error"]);
  });
  behaviour("after an error everything goes on as before", ({ create, fails, same }) => {
    const file = create();
    for (let i = 0; i < 50; i++) fails(() => file.get("nowhere"), "Hdf5");
    same(file.put("x", Float64Array.of(1)).read().data, Float64Array.of(1));
  });
  behaviour("HDF5 prints nothing itself", ({ create, fails, same }) => {
    const write = process.stderr.write;
    let printed = "";
    process.stderr.write = ((text: string) => {
      printed += text;
      return true;
    }) as typeof process.stderr.write;
    try {
      fails(() => create().get("nowhere"), "Hdf5");
    } finally {
      process.stderr.write = write;
    }
    same(printed, "");
  });
});
