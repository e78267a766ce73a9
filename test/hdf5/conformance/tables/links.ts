/** Links: hard, soft, external; references and named types, which are reached in other ways. */
import { basename } from "node:path";
import { compoundType, enumType, Reference } from "../../../../src/hdf5/index.ts";
import { table } from "../behaviour.ts";

export const links = table("links and references", (behaviour) => {
  behaviour("a hard link is a second name for the same object", ({ create, same }) => {
    const file = create();
    const data = file.put("x", Float64Array.of(1));
    file.createHardLink("y", data);
    file.createHardLink("g/z", "x");
    same([file.get("y").equals(data), file.get("g/z").equals(data)], [true, true]);
    file.delete("x");
    same(file.dataset("y").read().data, Float64Array.of(1));
  });
  behaviour("a hard link across files is refused", ({ create, fails }) => {
    const data = create().put("x", Float64Array.of(1));
    const file = create();
    fails(() => file.createHardLink("y", data), "Hdf5");
  });
  behaviour("a hard link to nothing is refused", ({ create, fails }) => {
    const file = create();
    fails(() => file.createHardLink("y", "mongoose"), "Hdf5", /mongoose/);
  });
  behaviour("a soft link leads to what its path says at the time", ({ create, same }) => {
    const file = create();
    file.createSoftLink("alias", "/target");
    same(file.has("alias"), false);
    file.put("target", Int8Array.of(1));
    same([file.has("alias"), file.dataset("alias", "i1").read().data], [true, Int8Array.of(1)]);
    file.delete("target");
    file.put("target", Int8Array.of(2));
    same(file.dataset("alias", "i1").read().data, Int8Array.of(2));
  });
  behaviour("a soft link is relative to the group it is in", ({ create, same }) => {
    const file = create();
    file.put("g/x", Int8Array.of(5));
    file.createSoftLink("g/s", "x");
    same(file.dataset("g/s", "i1").read().data, Int8Array.of(5));
  });
  behaviour("a soft link that leads nowhere is refused when it is opened", ({ create, fails }) => {
    const file = create();
    file.createSoftLink("alias", "/new");
    fails(() => file.get("alias"), "Hdf5", /alias/);
  });
  behaviour("a dangling link is among the keys all the same", ({ create, same }) => {
    const file = create();
    file.createSoftLink("alias", "/new");
    same([file.keys(), file.has("alias"), file.link("alias")?.kind], [["alias"], false, "soft"]);
  });
  behaviour("soft links in a circle are refused and do not hang", ({ create, fails }) => {
    const file = create();
    file.createSoftLink("a", "/b");
    file.createSoftLink("b", "/a");
    fails(() => file.get("a"), "Hdf5");
  });
  behaviour("link says what a name stands for", ({ create, same }) => {
    const file = create();
    file.createGroup("hard");
    file.createSoftLink("soft", "/mongoose");
    file.createExternalLink("external", "somewhere.h5", "mongoose");
    same(
      ["hard", "soft", "external", "none"].map((name) => file.link(name)),
      [
        { kind: "hard" },
        { kind: "soft", target: "/mongoose" },
        { kind: "external", file: "somewhere.h5", target: "mongoose" },
        undefined,
      ],
    );
  });
  behaviour("delete removes the link and leaves the target", ({ create, same }) => {
    const file = create();
    file.createGroup("g");
    file.createSoftLink("s", "/g");
    file.delete("s");
    same(file.keys(), ["g"]);
  });
  behaviour("an external link leads into another file", ({ create, same }) => {
    const other = create();
    other.put("external/x", Int32Array.of(3));
    other.close();
    const file = create();
    file.createExternalLink("ext", other.path, "/external");
    same([file.get("ext").kind, file.has("ext/x")], ["group", true]);
    same(file.dataset("ext/x", "i4").read().data, Int32Array.of(3));
  });
  behaviour("a relative external link is looked for beside the file", ({ create, same }) => {
    const other = create();
    other.put("x", Int32Array.of(4));
    other.close();
    const file = create();
    file.createExternalLink("ext", basename(other.path), "x");
    same(file.dataset("ext", "i4").read().data, Int32Array.of(4));
  });
  behaviour("an external link with other letters in its names works", ({ open, path, create, same }) => {
    const other = open(path("αβγ.h5"), "w");
    other.put("δ/ε", Int32Array.of(9));
    other.close();
    const file = create();
    file.createExternalLink("ext", "αβγ.h5", "/δ/ε");
    same(file.link("ext"), { kind: "external", file: "αβγ.h5", target: "/δ/ε" });
    same(file.dataset("ext", "i4").read().data, Int32Array.of(9));
  });
  behaviour("an external link to a file that is not there is refused when it is opened", ({ create, fails, same }) => {
    const file = create();
    file.createExternalLink("ext", "mongoose.h5", "/foo");
    fails(() => file.get("ext"), "Hdf5", /mongoose\.h5|ext/);
    same(file.has("ext"), false);
  });
  behaviour("an external link to a path that is not there is refused when it is opened", ({ create, fails }) => {
    const other = create();
    other.close();
    const file = create();
    file.createExternalLink("ext", other.path, "/missing");
    fails(() => file.get("ext"), "Hdf5");
  });
  behaviour("the other file of an external link is closed with this one", ({ create, open, same }) => {
    const other = create();
    other.put("x", Int32Array.of(3));
    other.close();
    const file = create();
    file.createExternalLink("ext", other.path, "/x");
    file.dataset("ext", "i4").read();
    file.close();
    const again = open(other.path, "w");
    same(again.keys(), []);
  });
  behaviour("a link over a name that is taken is refused", ({ create, fails }) => {
    const file = create();
    file.createGroup("g");
    fails(() => file.createSoftLink("g", "/x"), "Hdf5", /g/);
    fails(() => file.createHardLink("g", "/"), "Hdf5", /g/);
    fails(() => file.createExternalLink("g", "f.h5", "/x"), "Hdf5", /g/);
  });

  behaviour("a reference leads to its group or dataset", ({ create, same }) => {
    const file = create();
    const group = file.createGroup("foo");
    const data = file.put("bar/x", Float64Array.of(1));
    same([file.get(group.ref).equals(group), file.get(data.ref).equals(data)], [true, true]);
    same([file.get(group.ref).name, file.get(data.ref).name], ["/foo", "/bar/x"]);
  });
  behaviour("a reference to the root leads to it", ({ create, same }) => {
    const file = create();
    same(file.get(file.ref).name, "/");
  });
  behaviour("references to one object are equal", ({ create, same }) => {
    const file = create();
    const x = file.put("x", Float64Array.of(1));
    const y = file.put("y", Float64Array.of(1));
    same([x.ref.equals(file.get("x").ref), x.ref.equals(y.ref)], [true, false]);
  });
  behaviour("a reference follows a move", ({ create, same }) => {
    const file = create();
    const { ref } = file.createGroup("a");
    file.move("a", "b");
    same(file.get(ref).name, "/b");
  });
  behaviour("references are stored in datasets and read back", ({ create, reopen, same }) => {
    const file = create();
    const a = file.createGroup("a");
    const b = file.put("b", Int8Array.of(1));
    file.createDataset("refs", { shape: [3], dtype: "ref" }).write([a.ref, b.ref, null]);
    const again = reopen(file);
    const { data, shape } = again.dataset("refs", "ref").read();
    same(shape, [3]);
    same([again.get(data[0]!).name, again.get(data[1]!).name, data[2]], ["/a", "/b", null]);
  });
  behaviour("references that were never written are null", ({ create, same }) => {
    same(
      create()
        .createDataset("refs", { shape: [2], dtype: "ref" })
        .read().data,
      [null, null],
    );
  });
  behaviour("references are stored in attributes", ({ create, reopen, same }) => {
    const file = create();
    const group = file.createGroup("g");
    file.attributes.set("one", group.ref);
    file.attributes.set("two", [group.ref, file.ref], { dtype: "ref" });
    const again = reopen(file);
    const one = again.attributes.get("one", "ref");
    const two = again.attributes.get("two", "ref") as (Reference | null)[];
    same(again.get(one as Reference).name, "/g");
    same(
      two.map((ref) => again.get(ref!).name),
      ["/g", "/"],
    );
  });
  behaviour("a reference to nothing is refused", ({ create, fails }) => {
    const file = create();
    fails(() => file.get(new Reference(0n)), "Hdf5");
    fails(() => file.get(new Reference(123_456_789n)), "Hdf5");
  });
  behaviour("a reference to what has been deleted is refused", ({ create, fails }) => {
    const file = create();
    const { ref } = file.createGroup("g");
    file.delete("g");
    fails(() => file.get(ref), "Hdf5");
  });

  behaviour("a type is stored under a name and read back", ({ create, reopen, same }) => {
    const file = create();
    file.createType("types/number", "i2");
    file.createType("types/pair", compoundType({ a: "f8", b: "i4" }));
    const again = reopen(file);
    same(again.type("types/number"), "i2");
    same(again.type("types/pair"), { kind: "compound", fields: { a: "f8", b: "i4" } });
    same(again.group("types").keys(), ["number", "pair"]);
  });
  behaviour("a named enumeration keeps its names", ({ create, same }) => {
    const file = create();
    file.createType("phase", enumType({ solid: 0, liquid: 1 }, "u1"));
    same(file.type("phase"), { kind: "enum", base: "u1", members: { solid: 0, liquid: 1 } });
  });
  behaviour("visit passes over named types", ({ create, same }) => {
    const file = create();
    file.createType("t", "f8");
    file.createGroup("g");
    const seen: string[] = [];
    file.visit((path) => void seen.push(path));
    same(seen, ["g"]);
  });
});
