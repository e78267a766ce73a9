"""numpy: `python matmul_peer.py <sizes as JSON>`; `library` as the size prints the OpenBLAS that numpy carries."""

import glob
import json
import os
import sys
import time

import numpy

if sys.argv[1] == "library":
    folder = os.path.join(os.path.dirname(os.path.dirname(numpy.__file__)), "numpy.libs")
    print(json.dumps({"library": glob.glob(os.path.join(folder, "*openblas*"))[0]}))
    sys.exit()

sizes = json.loads(sys.argv[1])
n = sizes["n"]
a = (numpy.arange(n * n) % 7).astype(float).reshape(n, n)
b = (numpy.arange(n * n) % 5).astype(float).reshape(n, n)
out = numpy.empty((n, n))
best = 1e9
for repeat in range(-1, sizes["repeats"]):
    start = time.perf_counter()
    numpy.matmul(a, b, out=out)
    if repeat >= 0:
        best = min(best, time.perf_counter() - start)
assert out[0, 1] == a[0] @ b[:, 1]
print(json.dumps({"matmul": 2 * n**3 / best / 1e9}))
