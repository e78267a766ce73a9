"""Makes a file of every kind of data with h5py, and beside it expected.json with what it holds."""
import json
import sys

import h5py
import numpy as np

path, expected = sys.argv[1], {}


def listed(value):
    value = np.asarray(value)
    if value.dtype.kind in "iu" and value.dtype.itemsize == 8:
        return [f"{v}n" for v in value.ravel().tolist()]
    return value.ravel().tolist()


with h5py.File(path, "w") as f:
    for order in "<>":
        for kind in ("f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"):
            values = np.array([[0, 1, 100], [3, 4, 5]], dtype=order + kind)
            if kind[0] == "i":
                values[0, 0] = np.iinfo(kind).min
                values[1, 2] = np.iinfo(kind).max
            elif kind[0] == "u":
                values[1, 2] = np.iinfo(kind).max
            else:
                values[0, 0] = -1.5
                values[1, 2] = np.inf
            name = f"numbers/{'big' if order == '>' else 'little'}-{kind}"
            f[name] = values
            f[name].attrs["copy"] = values
            expected[name] = {"shape": [2, 3], "data": [v if v != np.inf else "Infinity" for v in listed(values)],
                              # One byte has no order: NumPy makes it little-endian.
                              "storedAs": (order if kind[1] != "1" else "<") + kind}

    def add(name, dataset, data, shape):
        expected[name] = {"shape": list(shape), "data": data}

    f.create_dataset("strings/variable", data=["a", "", "grün", "日本"], dtype=h5py.string_dtype())
    add("strings/variable", None, ["a", "", "grün", "日本"], (4,))
    f.create_dataset("strings/ascii", data=["a", "bc"], dtype=h5py.string_dtype("ascii"))
    add("strings/ascii", None, ["a", "bc"], (2,))
    f.create_dataset("strings/fixed", data=np.array([b"abc", b"de", b""], dtype="S3"))
    add("strings/fixed", None, ["abc", "de", ""], (3,))
    f.create_dataset("strings/utf8", data=np.array(["grün".encode()], dtype=h5py.string_dtype("utf-8", 6)))
    add("strings/utf8", None, ["grün"], (1,))
    f["strings/scalar"] = "one"
    add("strings/scalar", None, ["one"], ())

    f["bool"] = np.array([True, False, True])
    add("bool", None, [True, False, True], (3,))
    phase = h5py.enum_dtype({"SOLID": 0, "LIQUID": 1, "GAS": 300}, basetype="i2")
    f.create_dataset("enum", data=np.array([300, 0, 1], "i2"), dtype=phase)
    add("enum", None, [300, 0, 1], (3,))
    f.create_dataset("enum-big", data=np.array([1, 0], ">i4"), dtype=h5py.enum_dtype({"A": 0, "B": 1}, basetype=">i4"))
    add("enum-big", None, [1, 0], (2,))

    record = np.dtype([("mass", ">f8"), ("position", "f4", (3,)), ("name", h5py.string_dtype()), ("code", "S4"),
                       ("id", "i8"), ("ok", "?"), ("inner", [("a", "i2"), ("b", "u1")])], align=True)
    rows = np.zeros(2, record)
    rows[0] = (1.5, (1, 2, 3), "é", b"ab", 2**60, True, (-3, 200))
    rows[1] = (-2, (4, 5, 6), "", b"abcd", -1, False, (7, 8))
    f.create_dataset("compound", data=rows)
    add("compound", None, [
        {"mass": 1.5, "position": [1, 2, 3], "name": "é", "code": "ab", "id": f"{2**60}n", "ok": True, "inner": {"a": -3, "b": 200}},
        {"mass": -2, "position": [4, 5, 6], "name": "", "code": "abcd", "id": "-1n", "ok": False, "inner": {"a": 7, "b": 8}},
    ], (2,))
    f.create_dataset("array", (2,), np.dtype(("f8", (2, 2))))
    f["array"][...] = np.arange(8.0).reshape(2, 2, 2)
    add("array", None, list(range(8)), (2, 2, 2))
    vlen = f.create_dataset("vlen", (3,), h5py.vlen_dtype("i4"))
    vlen[0], vlen[2] = [1, 2, 3], [4]
    add("vlen", None, [[1, 2, 3], [], [4]], (3,))
    f.create_dataset("opaque", data=np.array([b"\x01\x02", b"\x03\x00"], dtype="V2"))
    add("opaque", None, [[1, 2], [3, 0]], (2,))
    references = f.create_dataset("references", (2,), h5py.ref_dtype)
    references[0] = f["compound"].ref

    f["scalar"] = 3.25
    add("scalar", None, [3.25], ())
    f["null"] = h5py.Empty("f4")
    f["empty"] = np.zeros((0, 3), "f8")
    add("empty", None, [], (0, 3))
    big = np.arange(60 * 40, dtype="f8").reshape(60, 40)
    for name, options in {
        "chunked": {}, "gzip": {"compression": "gzip", "compression_opts": 6}, "shuffle": {"compression": 1, "shuffle": True},
        "fletcher32": {"fletcher32": True}, "growing": {"maxshape": (None, 40)},
    }.items():
        f.create_dataset(f"storage/{name}", data=big, chunks=(7, 11), **options)
        add(f"storage/{name}", None, big.ravel().tolist(), (60, 40))
    f.create_dataset("storage/fill", (3,), "i4", fillvalue=-7, chunks=(2,))
    add("storage/fill", None, [-7, -7, -7], (3,))
    expected["storage/fill"]["fillValue"] = -7

    f["soft"] = h5py.SoftLink("/scalar")
    f["external"] = h5py.ExternalLink("other.h5", "/x")
    f["dangling"] = h5py.SoftLink("/nothing")
    a = f.attrs
    a["text"], a["bytes"], a["int"], a["float"], a["flag"] = "grün", np.bytes_(b"abc"), 5, 1.5, True
    a["list"], a["texts"], a["none"] = [1.5, 2.5], ["a", "bb"], h5py.Empty("i4")
    a["matrix"] = np.arange(6, dtype=">i4").reshape(2, 3)
    a["half"] = np.float16(0.5)
    a["record"] = rows[0:1]
    a["reference"] = f["scalar"].ref
    layout = h5py.VirtualLayout((2, 3), "f8")
    layout[0] = h5py.VirtualSource("other.h5", "x", (3,))
    f.create_virtual_dataset("virtual", layout, fillvalue=-1)
    add("virtual", None, [1, 2, 3, -1, -1, -1], (2, 3))

with h5py.File(path.replace("h5py.h5", "other.h5"), "w") as f:
    f["x"] = np.array([1.0, 2, 3])
with h5py.File(path.replace("h5py.h5", "ordered.h5"), "w", track_order=True) as f:
    for name in "zebra", "apple", "mango":
        f.create_group(name)
        f.attrs[name] = 1
with h5py.File(path.replace("h5py.h5", "latest.h5"), "w", libver="latest") as f:
    g = f.create_group("many")
    for i in range(50):
        g[f"d{i:02}"] = np.arange(i)
        g.attrs[f"a{i:02}"] = "x" * i
with open(path + ".json", "w") as out:
    json.dump(expected, out)
