"""Reads what girona wrote (programs in write.ts) with h5py; says what differs, and nothing when all is equal."""
import sys

import h5py
import numpy as np

path = sys.argv[1]
problems = []


def same(what, got, wanted):
    if isinstance(wanted, np.ndarray):
        equal = isinstance(got, np.ndarray) and got.dtype == wanted.dtype and got.shape == wanted.shape and np.array_equal(got, wanted)
    else:
        equal = type(got) is type(wanted) and got == wanted
    if not equal:
        problems.append(f"{what}: {got!r} in place of {wanted!r}")


with h5py.File(path) as f:
    for order in "<>":
        for kind in ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"):
            wanted = np.array([[0, 1, 100], [3, 4, 5]], order + kind)
            name = f"numbers/{'big' if order == '>' else 'little'}-{kind}"
            same(name, f[name][...], wanted)
            same(name + "@copy", f[name].attrs["copy"], wanted)
    same("half", f["numbers/half"][...], np.array([0.5, -2], "f2"))
    texts = f["strings/variable"]
    same("variable", texts.asstr()[...].tolist(), ["a", "", "grün", "日本"])
    same("variable's type", tuple(h5py.check_string_dtype(texts.dtype)), ("utf-8", None))
    same("ascii's type", tuple(h5py.check_string_dtype(f["strings/ascii"].dtype)), ("ascii", None))
    same("fixed", f["strings/fixed"][...].tolist(), [b"abc", b"de"])
    same("fixed's type", tuple(h5py.check_string_dtype(f["strings/fixed"].dtype)), ("ascii", 3))
    same("terminated", f["strings/terminated"][...].tolist(), [b"ab"])
    same("spaces", f["strings/spaces"][...].tolist(), [b"ab"])
    same("bool", f["bool"][...], np.array([True, False, True]))
    same("enum", f["enum"][...], np.array([300, 0, 1], "i2"))
    same("enum's names", h5py.check_enum_dtype(f["enum"].dtype), {"SOLID": 0, "LIQUID": 1, "GAS": 300})
    rows = f["compound"][...]
    same("fields", rows.dtype.names, ("mass", "position", "name", "code", "id", "ok", "inner"))
    same("mass", rows["mass"], np.array([1.5, -2]))
    same("position", rows["position"], np.array([[1, 2, 3], [4, 5, 6]], "f4"))
    same("name", [n.decode() for n in rows["name"]], ["é", ""])
    same("code", rows["code"].tolist(), [b"ab", b"abcd"])
    same("id", rows["id"], np.array([2**60, -1]))
    same("ok", rows["ok"], np.array([True, False]))
    same("inner", rows["inner"].tolist(), [(-3, 200), (7, 8)])
    same("array", f["array"][...], np.arange(8.0).reshape(2, 2, 2))
    same("vlen", [list(map(int, v)) for v in f["vlen"][...]], [[1, 2, 3], [], [4]])
    same("opaque", f["opaque"][...], np.array([b"\x01\x02", b"\x03\x00"], "V2"))
    same("reference", f[f["references"][0]].name, "/compound")
    same("no reference", bool(f["references"][1]), False)
    same("scalar", float(f["scalar"][()]), 3.25)
    same("null", isinstance(f["null"][()], h5py.Empty), True)
    same("empty", f["empty"][...], np.zeros((0, 3)))
    big = np.arange(60 * 40, dtype="f8").reshape(60, 40)
    for name, facts in {"chunked": (None, None, False, False), "gzip": ("gzip", 6, False, False),
                        "shuffle": ("gzip", 1, True, False), "fletcher32": (None, None, False, True)}.items():
        d = f[f"storage/{name}"]
        same(name, d[...], big)
        same(name + "'s filters", (d.compression, d.compression_opts, d.shuffle, d.fletcher32), facts)
        same(name + "'s chunks", d.chunks, (7, 11))
    same("growing", (f["storage/growing"].shape, f["storage/growing"].maxshape), ((62, 40), (None, 40)))
    same("grown", float(f["storage/growing"][61, 39]), -1.0)
    same("fill", int(f["storage/fill"].fillvalue), -7)
    same("selected", f["selected"][...], np.array([[0, 1, 0, 1], [0, 0, 0, 0], [0, 1, 0, 1]], "i4"))
    same("soft", f.get("soft", getlink=True).path, "/scalar")
    link = f.get("external", getlink=True)
    same("external", (link.filename, link.path), ("other.h5", "/x"))
    same("hard", f["hard"] == f["scalar"], True)
    same("moved", "old" in f or "new" not in f, False)
    same("copied", f["copy/chunked"][...], big)
    a = f.attrs
    same("text", a["text"], "grün")
    same("float", float(a["float"]), 1.5)
    same("int", a["int"].dtype == np.int64 and int(a["int"]), 5)
    same("flag", bool(a["flag"]), True)
    same("list", a["list"], np.array([1.5, 2.5]))
    same("texts", list(a["texts"]), ["a", "bb"])
    same("none", isinstance(a["none"], h5py.Empty), True)
    same("matrix", a["matrix"], np.arange(6, dtype=">i4").reshape(2, 3))
    same("replaced", float(a["replaced"]), 2.0)
    same("named type", f["type"].dtype.names, ("x", "y"))
    same("virtual", f["virtual"][...], np.array([[1.0, 2, 3], [-1, -1, -1], [3, 1, -1]]))
    same("virtual sources", [(s.file_name, s.dset_name) for s in f["virtual"].virtual_sources()], [("other.h5", "x")] * 2 + [("other.h5", "x")])
with h5py.File(path.replace("girona.h5", "ordered.h5")) as f:
    same("order", list(f), ["zebra", "apple", "mango"])
    same("order of attributes", list(f.attrs), ["zebra", "apple"])
with h5py.File(path.replace("girona.h5", "block.h5")) as f:
    same("user block", f.userblock_size, 512)
print("\n".join(problems))
