/** Groups: making, finding, listing, visiting, removing, moving, copying. */
import { table } from "../behaviour.ts";

export const groups = table("groups", (behaviour) => {
  behaviour("a group is made under its name", ({ create, same }) => {
    const file = create();
    const group = file.createGroup("foo");
    same([group.kind, group.name, file.has("foo")], ["group", "/foo", true]);
  });
  behaviour("groups on the way are made as well", ({ create, same }) => {
    const file = create();
    same(file.createGroup("foo/bar/baz").name, "/foo/bar/baz");
    same(file.group("foo/bar").keys(), ["baz"]);
  });
  behaviour("a name that is taken is refused", ({ create, fails }) => {
    const file = create();
    file.createGroup("foo");
    const error = fails(() => file.createGroup("foo"), "Hdf5", /foo/);
    fails(() => file.put("foo", Float64Array.of(1)), "Hdf5", /foo/);
    if (error.file !== file.path) throw new Error(`the error names ${error.file}`);
  });
  behaviour("names have any letters", ({ create, reopen, same }) => {
    const file = create();
    const name = "Name Ω 数 🜁 with spaces";
    same(file.createGroup(name).name, `/${name}`);
    same(reopen(file).keys(), [name]);
  });
  behaviour("a name that begins with / counts from the root", ({ create, same }) => {
    const group = create().createGroup("a");
    same(group.createGroup("/b").name, "/b");
    same(group.has("/b"), true);
    same(group.has("b"), false);
  });
  behaviour("odd paths lead where they say", ({ create, same }) => {
    const file = create();
    file.createGroup("x/y/z");
    file.put("data", Int32Array.of(42));
    for (const path of ["/", "//", "///", ".", "./", "././/", ".//x/y/z", "x///", "./x///", "x/./y", "x//y"])
      same([path, file.has(path)], [path, true]);
    same(file.group("x").has("./x/y/z"), false);
    same(file.group("x//y/").name, "/x/y");
  });
  behaviour("has finds groups and datasets at any depth, and nothing else", ({ create, same }) => {
    const file = create();
    file.put("a/b/c", Float64Array.of(1));
    same(
      ["a", "a/b", "a/b/c", "/a/b", "b", "a/c", "a/b/c/d", "mongoose"].map((path) => file.has(path)),
      [true, true, true, true, false, false, false, false],
    );
  });
  behaviour("an empty name is refused wherever a name is needed", ({ create, fails, same }) => {
    const file = create();
    fails(() => file.createGroup(""), "Usage", /path|name/);
    fails(() => file.put("", Float64Array.of(1)), "Usage", /path|name/);
    same(file.keys(), []);
  });
  behaviour("a name with a NUL is refused and not cut", ({ create, fails, same }) => {
    const file = create();
    fails(() => file.createGroup("a\0b"), "Usage", /NUL|zero|\\0/i);
    same(file.keys(), []);
  });
  behaviour("a name that is no text is refused", ({ create, fails }) => {
    const file = create();
    fails(() => file.createGroup(12 as never), "Usage");
    fails(() => file.get(null as never), "Usage");
    fails(() => file.has(undefined as never), "Usage");
  });
  behaviour("requireGroup opens the group that is there", ({ create, same }) => {
    const file = create();
    const made = file.createGroup("foo");
    same(file.requireGroup("foo").equals(made), true);
  });
  behaviour("requireGroup makes it where it is not, with those on the way", ({ create, same }) => {
    const file = create();
    same(file.requireGroup("foo/bar").name, "/foo/bar");
    same(file.keys(), ["foo"]);
  });
  behaviour("requireGroup refuses where a dataset is", ({ create, fails }) => {
    const file = create();
    file.put("foo", Float64Array.of(1));
    fails(() => file.requireGroup("foo"), "Hdf5", /dataset/);
  });
  behaviour("group refuses a dataset, and dataset a group", ({ create, fails }) => {
    const file = create();
    file.put("x", Float64Array.of(1));
    file.createGroup("g");
    fails(() => file.group("x"), "Hdf5", /dataset/);
    fails(() => file.dataset("g"), "Hdf5", /group/);
  });
  behaviour("get gives what is there, of either kind", ({ create, same }) => {
    const file = create();
    file.createGroup("g");
    file.put("x", Float32Array.of(1));
    same([file.get("g").kind, file.get("x").kind, file.get("/").kind], ["group", "dataset", "group"]);
  });
  behaviour("what is not there is refused with its path and file", ({ create, fails, same }) => {
    const file = create();
    const error = fails(() => file.get("Some/Path"), "Hdf5", /Some\/Path/);
    same([error.file, error.path], [file.path, "/Some/Path"]);
  });
  behaviour("a group in a dataset is refused", ({ create, fails }) => {
    const file = create();
    file.put("x", Float64Array.of(1));
    fails(() => file.createGroup("x/y"), "Hdf5");
    fails(() => file.get("x/y"), "Hdf5");
  });
  behaviour("two openings of one group are equal, two groups are not", ({ create, same }) => {
    const file = create();
    const a = file.createGroup("a");
    const b = file.createGroup("b");
    same([file.group("a").equals(a), a.equals(b), file.equals(file.group("/"))], [true, false, true]);
  });
  behaviour("groups of two files are never equal", ({ create, same }) => {
    same(create().createGroup("a").equals(create().createGroup("a")), false);
  });

  behaviour("keys are the names in the group, in order of the alphabet", ({ create, same }) => {
    const file = create();
    for (const name of ["delta", "alpha", "charlie", "bravo"]) file.createGroup(name);
    same(file.keys(), ["alpha", "bravo", "charlie", "delta"]);
  });
  behaviour("an empty group has no keys", ({ create, same }) => {
    same(create().createGroup("empty").keys(), []);
  });
  behaviour("keys keep the order of making where that is tracked", ({ create, reopen, same }) => {
    const file = create({ trackOrder: true });
    const names = ["delta", "alpha", "charlie", "bravo"];
    for (const name of names) file.createGroup(name);
    same(file.keys(), names);
    same(reopen(file).keys(), names);
  });
  behaviour("one group alone may track the order", ({ create, same }) => {
    const file = create();
    const tracked = file.createGroup("t", { trackOrder: true });
    const other = file.createGroup("u");
    for (const name of ["b", "a"]) {
      tracked.createGroup(name);
      other.createGroup(name);
    }
    same(
      [tracked.keys(), other.keys()],
      [
        ["b", "a"],
        ["a", "b"],
      ],
    );
  });
  behaviour("a hundred members in tracked order come back in it", ({ create, same }) => {
    const file = create({ trackOrder: true });
    const names = Array.from({ length: 100 }, (_, i) => String(i));
    for (const name of names) file.createGroup(name);
    same(file.keys(), names);
  });
  behaviour("entries are names with nodes", ({ create, same }) => {
    const file = create();
    file.createGroup("a");
    file.put("b", Int8Array.of(1));
    same(
      file.entries().map(([name, node]) => [name, node.kind, node.name]),
      [
        ["a", "group", "/a"],
        ["b", "dataset", "/b"],
      ],
    );
  });
  behaviour("visit sees all below once, with paths relative to the group", ({ create, same }) => {
    const file = create();
    for (const path of ["grp1", "grp1/sg1", "grp1/sg2", "grp2", "grp2/sg1", "grp2/sg1/ssg1"]) file.createGroup(path);
    file.put("grp2/data", Float64Array.of(1));
    const seen: string[] = [];
    file.visit((path) => void seen.push(path));
    same(seen.sort(), ["grp1", "grp1/sg1", "grp1/sg2", "grp2", "grp2/data", "grp2/sg1", "grp2/sg1/ssg1"]);
    const below: string[] = [];
    file.group("grp2").visit((path, node) => void below.push(`${path} ${node.kind}`));
    same(below.sort(), ["data dataset", "sg1 group", "sg1/ssg1 group"]);
  });
  behaviour("visit comes to a group before what is in it", ({ create, same, ok }) => {
    const file = create();
    file.createGroup("a/b/c");
    const seen: string[] = [];
    file.visit((path) => void seen.push(path));
    same(seen, ["a", "a/b", "a/b/c"]);
    ok(seen.length === 3, "");
  });
  behaviour("visit ends when it is told to", ({ create, same }) => {
    const file = create();
    for (const name of ["a", "b", "c"]) file.createGroup(name);
    const seen: string[] = [];
    file.visit((path) => {
      seen.push(path);
      return true;
    });
    same(seen.length, 1);
  });
  behaviour("visit hands on what its function throws, and the file lives on", ({ create, same }) => {
    const file = create();
    file.createGroup("a");
    let thrown = "";
    try {
      file.visit(() => {
        throw new RangeError("mine");
      });
    } catch (error) {
      thrown = String(error);
    }
    same([thrown, file.keys()], ["RangeError: mine", ["a"]]);
  });
  behaviour("visit sees an object with two names once, also in a circle", ({ create, same }) => {
    const file = create();
    file.createGroup("a/b");
    file.createHardLink("a/b/up", "a");
    file.createHardLink("twin", "a/b");
    const seen: string[] = [];
    file.visit((path) => void seen.push(path));
    same(seen.length, 2);
  });
  behaviour("visit does not follow soft links", ({ create, same }) => {
    const file = create();
    file.createGroup("a");
    file.createSoftLink("s", "/a");
    const seen: string[] = [];
    file.visit((path) => void seen.push(path));
    same(seen, ["a"]);
  });

  behaviour("delete removes the name", ({ create, same }) => {
    const file = create();
    file.createGroup("foo/bar");
    file.delete("foo/bar");
    same([file.has("foo/bar"), file.has("foo")], [false, true]);
  });
  behaviour("delete of what is not there is refused", ({ create, fails }) => {
    const file = create();
    fails(() => file.delete("foo"), "Hdf5", /foo/);
  });
  behaviour("delete is refused in a file for reading", ({ create, reopen, fails, same }) => {
    const file = create();
    file.createGroup("foo");
    const again = reopen(file);
    fails(() => again.delete("foo"), "Hdf5");
    same(again.has("foo"), true);
  });
  behaviour("the root cannot be deleted", ({ create, fails, same }) => {
    const file = create();
    file.createGroup("g");
    fails(() => file.delete("/"), "Hdf5");
    same(file.keys(), ["g"]);
  });
  behaviour("a node opened before its name was deleted still works", ({ create, same }) => {
    const file = create();
    const data = file.put("x", Float64Array.of(1, 2));
    file.delete("x");
    same(data.read().data, Float64Array.of(1, 2));
    same(file.keys(), []);
  });
  behaviour("a deleted name can be taken again", ({ create, same }) => {
    const file = create();
    file.put("x", Float64Array.of(1));
    file.delete("x");
    file.put("x", Int8Array.of(2));
    same(file.get("x").kind === "dataset" && file.dataset("x", "i1").read().data, Int8Array.of(2));
  });

  behaviour("move renames, and makes groups on the way", ({ create, same }) => {
    const file = create();
    const group = file.createGroup("x");
    file.move("x", "y");
    same([file.has("x"), file.group("y").equals(group)], [false, true]);
    file.move("y", "z/nested/path");
    same(file.group("z/nested/path").equals(group), true);
  });
  behaviour("move does not write over what is there", ({ create, fails, same }) => {
    const file = create();
    file.createGroup("x");
    file.createGroup("y");
    fails(() => file.move("x", "y"), "Hdf5", /y/);
    same(file.keys(), ["x", "y"]);
  });
  behaviour("a move to itself changes nothing", ({ create, same }) => {
    const file = create();
    file.createGroup("x");
    file.move("x", "x");
    same(file.keys(), ["x"]);
  });
  behaviour("move moves a soft link, not what it points to", ({ create, same }) => {
    const file = create();
    file.createSoftLink("soft", "relative/path");
    file.move("soft", "new");
    same(file.link("new"), { kind: "soft", target: "relative/path" });
  });

  behaviour("copy copies a group with all in it", ({ create, same }) => {
    const file = create();
    file.put("a/b/x", Int32Array.of(1, 2, 3)).attributes.set("unit", "m");
    file.copy("a", "c");
    const copied = file.dataset("c/b/x", "i4");
    same([copied.read().data, copied.attributes.get("unit")], [Int32Array.of(1, 2, 3), "m"]);
    copied.write(Int32Array.of(4, 5, 6));
    same(file.dataset("a/b/x", "i4").read().data, Int32Array.of(1, 2, 3));
  });
  behaviour("copy copies a dataset, by path or node", ({ create, same }) => {
    const file = create();
    const x = file.put("x", Float64Array.of(1, 2));
    file.copy("x", "by-path");
    file.copy(x, "g/by-node");
    same(file.dataset("by-path").read().data, Float64Array.of(1, 2));
    same(file.dataset("g/by-node").read().data, Float64Array.of(1, 2));
  });
  behaviour("copy copies from another file", ({ create, same }) => {
    const from = create();
    const to = create();
    from.put("g/x", Float64Array.of(1, 2));
    to.copy(from.group("g"), "h");
    same(to.dataset("h/x").read().data, Float64Array.of(1, 2));
  });
  behaviour("copy leaves attributes out when asked", ({ create, same }) => {
    const file = create();
    file.put("x", Int32Array.of(1)).attributes.set("bar", Int32Array.of(4, 5));
    file.copy("x", "y", { withoutAttributes: true });
    same([file.get("y").attributes.keys(), file.get("x").attributes.keys()], [[], ["bar"]]);
  });
  behaviour("a shallow copy has the members, and groups among them empty", ({ create, same }) => {
    const file = create();
    file.put("a/x", Int32Array.of(1));
    file.put("a/b/y", Int32Array.of(2));
    file.copy("a", "c", { shallow: true });
    same([file.group("c").keys(), file.group("c/b").keys()], [["b", "x"], []]);
  });
  behaviour("copy can copy what soft links point to", ({ create, same }) => {
    const file = create();
    file.put("x", Int32Array.of(1, 2));
    file.createSoftLink("g/soft", "/x");
    file.copy("g", "kept");
    file.copy("g", "expanded", { expandSoft: true });
    same([file.link("kept/soft")?.kind, file.link("expanded/soft")?.kind], ["soft", "hard"]);
    file.delete("x");
    same(file.dataset("expanded/soft", "i4").read().data, Int32Array.of(1, 2));
  });
  behaviour("copy can copy what external links point to", ({ create, same }) => {
    const other = create();
    other.put("x", Int32Array.of(7));
    other.close();
    const file = create();
    file.createExternalLink("g/there", other.path, "/x");
    file.copy("g", "h", { expandExternal: true });
    same(file.link("h/there"), { kind: "hard" });
    same(file.dataset("h/there", "i4").read().data, Int32Array.of(7));
  });
  behaviour("copy does not write over what is there", ({ create, fails }) => {
    const file = create();
    file.createGroup("a");
    file.createGroup("b");
    fails(() => file.copy("a", "b"), "Hdf5", /b/);
  });
  behaviour("copy of what is not there is refused", ({ create, fails }) => {
    const file = create();
    fails(() => file.copy("a", "b"), "Hdf5", /a/);
  });
  behaviour("groups nest two hundred deep", ({ create, same }) => {
    const file = create();
    const path = Array.from({ length: 200 }, (_, i) => `level-${i}`).join("/");
    file.createGroup(path).attributes.set("depth", 200);
    same(file.get(path).attributes.get("depth"), 200);
  });
});
