"""Products as numpy has them: `python test/linalg/reference/make.py > test/linalg/reference/reference.json`.

Element i of the first factor is (7 i + 3) mod 31 - 15, of the second (5 i + 1) mod 29 - 14: all sums are exact in f4 too, so that
every right implementation gives the same bits. The product of a large case is told by its sum with weights.
"""
import json
import numpy as np

shapes = [
    (1, 1, 1), (2, 3, 4), (4, 4, 8), (5, 1, 7), (1, 9, 1), (7, 13, 1), (1, 16, 33), (3, 257, 5), (64, 256, 8), (65, 300, 9),
    (130, 513, 70), (66, 4, 515), (9, 700, 1030),
]


def factors(m, k, n, dtype):
    a = ((7 * np.arange(m * k) + 3) % 31 - 15).astype(dtype).reshape(m, k)
    b = ((5 * np.arange(k * n) + 1) % 29 - 14).astype(dtype).reshape(k, n)
    return a, b


def told(c):
    flat = c.astype(np.float64).ravel()
    if flat.size <= 40:
        return {"values": flat.tolist()}
    weights = np.arange(flat.size) % 97 + 1
    return {"sum": float(flat @ weights), "first": flat[0], "last": flat[-1]}


def special(dtype):
    """Not a number, infinities, signed zeros, numbers below the normal ones."""
    tiny = float(np.finfo(dtype).smallest_subnormal)
    a = np.array([[np.nan, 1], [np.inf, 0], [np.inf, -np.inf], [-0.0, -0.0], [tiny, 0]], dtype)
    b = np.array([[1, 2, 0], [1, -1, 0]], dtype)
    with np.errstate(invalid="ignore"):
        c = a @ b
    text = lambda x: [str(float(v)) for v in x.ravel()]
    return {"a": text(a), "b": text(b), "c": text(c)}


print(json.dumps({
    "numpy": np.__version__,
    "products": [
        {"m": m, "k": k, "n": n, "dtype": name, **told(np.matmul(*factors(m, k, n, dtype)))}
        for m, k, n in shapes
        for name, dtype in (("f8", np.float64), ("f4", np.float32))
    ],
    "special": {"f8": special(np.float64), "f4": special(np.float32)},
}, indent=1))
