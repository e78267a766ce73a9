"""What mpi4py's operations give, for reductions.json: python reductions.py > reductions.json

For each kind of array: the values of five ranks, and for each operation the reduction of the first 1, 2, ... 5 of them.
Values are such that sums and products are exact, so that the order in which ranks are combined is no matter. They do not
overflow either: MPI leaves open what happens then, and Open MPI saturates 8 and 16 bits or wraps, as the processor can.
Complex numbers and pairs are listed flat; numbers that JSON has not are strings.
"""
import json

import numpy as np
from mpi4py import MPI

kinds = {
    "Float64Array": "f8",
    "Float32Array": "f4",
    "BigInt64Array": "i8",
    "Int32Array": "i4",
    "Int16Array": "i2",
    "Int8Array": "i1",
    "BigUint64Array": "u8",
    "Uint32Array": "u4",
    "Uint16Array": "u2",
    "Uint8Array": "u1",
    "Uint8ClampedArray": "u1",
}
arithmetic = ["SUM", "PROD", "MAX", "MIN"]
logical = ["LAND", "LOR", "LXOR"]
bitwise = ["BAND", "BOR", "BXOR"]
ranks = 5


def small(code):
    """For sums and products."""
    if code[0] == "f":
        return wide(code)
    minus = 1 if code[0] == "u" else -1
    table = [
        [0, 1, 3, 2, 5, 0],
        [0, 2 * minus, 1, 2, 4, 7],
        [0, 1, 2, 2, 3, 0],
        [1, 3 * minus, 4, 2, 1 * minus, 1],
        [0, 2, 2 * minus, 2, 1, 2],
    ]
    return [np.array(row, code) for row in table]


def wide(code):
    """For all others."""
    if code[0] == "f":
        limit = float("inf")
        table = [
            [0.5, -2.0, 3.0, 0.0, limit, -1.5, 1024.0],
            [1.5, 4.0, -3.0, 0.0, 1.0, -1.5, -1024.0],
            [-2.0, 0.5, 1.0, 0.0, 2.0, 2.0, 0.25],
            [2.0, -1.0, 7.0, 0.0, limit, -2.0, 4.0],
            [0.25, 8.0, -1.0, 0.0, 5.0, 1.0, -0.5],
        ]
        return [np.array(row, code) for row in table]
    info = np.iinfo(code)
    bits = info.bits
    table = [
        [0, 1, 3, info.max, info.min, 0b1010, 0, info.max // 3],
        [0, 1, 0, 1, info.min, 0b0110, 5, info.max // 5],
        [0, 0, 5, 2, info.max, 0b1100, 0, info.max // 7],
        [0, 1, 6, info.max, 1, 0b0011, 0, info.min // 3],
        [0, 1, 9, info.max - 1, 0, 1 << (bits - 2), 7, info.max // 11],
    ]
    return [np.array(row, code) for row in table]


def reductions(op, rows):
    """Of the first row, the first two, and so on."""
    code = rows[0].dtype
    # By name of the width: Open MPI 4.1 compares MPI_UNSIGNED_LONG, which mpi4py would take, as if it had a sign.
    width = getattr(MPI, f"{'U' if code.kind == 'u' else ''}INT{8 * code.itemsize}_T") if code.kind in "iu" else None
    out = [rows[0].copy()]
    for row in rows[1:]:
        result = row.copy()
        op.Reduce_local(*([[out[-1], width], [result, width]] if width else [out[-1], result]))
        out.append(result)
    return out


def plain(values):
    if values.dtype.kind == "c":
        values = values.view("f8" if values.dtype.itemsize == 16 else "f4")
    one = lambda x: str(x) if isinstance(x, int) else x if np.isfinite(x) else {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[str(x)]
    return [one(x) for x in values.tolist()]


def main():
    out = {}
    for kind, code in kinds.items():
        names = arithmetic if code[0] == "f" else arithmetic + logical + bitwise
        out[kind] = {
            "small": [plain(row) for row in small(code)],
            "values": [plain(row) for row in wide(code)],
            "results": {
                name: [plain(r) for r in reductions(getattr(MPI, name), (small if name in ("SUM", "PROD") else wide)(code))]
                for name in names
            },
        }
    for kind, code in {"complex Float64Array": "c16", "complex Float32Array": "c8"}.items():
        table = [[1 + 2j, 0.5, -1j], [2 - 1j, 4j, 3 + 0j], [-1 + 1j, 1 + 1j, 2j], [0.5j, -2, 1 - 1j], [3, 1 - 2j, -1]]
        rows = [np.array(row, code) for row in table]
        out[kind] = {
            "values": [plain(row) for row in rows],
            "results": {name: [plain(r) for r in reductions(getattr(MPI, name), rows)] for name in ["SUM", "PROD"]},
        }
    # Pairs of a value and a rank: ties go to the lower one, which is not always that of the lower process.
    table = [
        [(3, 4), (1, 0), (7, 2), (-5, 9)],
        [(3, 1), (2, 1), (7, 3), (-6, 9)],
        [(5, 2), (2, 0), (7, 1), (-4, 9)],
        [(5, 1), (1, 7), (7, 5), (-6, 3)],
        [(4, 0), (0, 0), (7, 0), (-4, 1)],
    ]
    pair = np.dtype([("value", "f8"), ("rank", "i4")], align=True)
    rows = [np.array(row, pair) for row in table]
    flat = lambda row: [float(x) for one in row.tolist() for x in one]
    results = {}
    for name in ["MAXLOC", "MINLOC"]:
        reduced = [rows[0].copy()]
        for row in rows[1:]:
            result = row.copy()
            getattr(MPI, name).Reduce_local([reduced[-1], len(row), MPI.DOUBLE_INT], [result, len(row), MPI.DOUBLE_INT])
            reduced.append(result)
        results[name] = [flat(r) for r in reduced]
    out["pairs"] = {"values": [flat(row) for row in rows], "results": results}
    # The lower-case operations, on Python's own values.
    plain_values = {"SUM": [3, -1, 4, 1, -5], "PROD": [2, -3, 4, 1, 5], "MAX": [3, -1, 4, 1, -5], "MIN": [3, -1, 4, 1, -5],
                    "BAND": [15, 7, 6, 14, 4], "BOR": [1, 2, 4, 8, 1], "BXOR": [1, 3, 5, 7, 9]}
    flags = [True, True, False, True, False]
    def fold(op, values):
        acc = [values[0]]
        for v in values[1:]:
            acc.append(op(acc[-1], v))
        return acc
    lower = {n: {"values": v, "results": fold(getattr(MPI, n), v)} for n, v in plain_values.items()}
    for n in logical:
        lower[n] = {"values": flags, "results": [bool(x) for x in fold(getattr(MPI, n), flags)]}
    pairs = [(3, 4), (5, 1), (5, 0), (-2, 0), (-2, 3)]
    for n in ["MAXLOC", "MINLOC"]:
        lower[n] = {"values": pairs, "results": fold(getattr(MPI, n), pairs)}
    for n in ["REPLACE", "NO_OP"]:
        lower[n] = {"values": [1, 2, 3, 4, 5], "results": fold(getattr(MPI, n), [1, 2, 3, 4, 5])}
    out["values"] = lower
    # Dimensions of grids.
    asks = [(n, d) for n in range(1, 25) for d in range(1, 5)]
    out["dims"] = [{"ranks": n, "dimensions": d, "result": MPI.Compute_dims(n, d)} for n, d in asks]
    given = [(12, [0, 3]), (12, [2, 0, 0]), (6, [6]), (8, [0, 2, 0]), (30, [0, 5, 0]), (1, [0, 0, 1]), (7, [0, 7])]
    out["dimsGiven"] = [{"ranks": n, "dimensions": d, "result": MPI.Compute_dims(n, d)} for n, d in given]
    print(json.dumps(out, indent=None, separators=(",", ":")).replace('},"', '},\n"'))


main()
