"""What the Python peers share: the command line, timing, checks and the memory of a process."""

import json
import os
import re
import statistics
import subprocess
import sys
import time


def main(cases):
    """Runs the case named by the first argument with the sizes in the second; prints its figures as one line of JSON."""
    if len(sys.argv) < 2 or sys.argv[1] not in cases:
        sys.exit(f"give one of: {', '.join(cases)}")
    sizes = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    print(json.dumps(cases[sys.argv[1]](sizes)), flush=True)


def timed(work):
    """Seconds that `work()` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def expect_equal(actual, expected):
    """A wrong result must not make a fast figure."""
    if actual != expected:
        raise AssertionError(f"expected {expected}, got {actual}")


class Counter:
    def __init__(self):
        self.value = 0

    def increment(self):
        self.value += 1
        return self.value


def square(x):
    return x * x


def squares_per_second(squares, counts):
    """`squares(range)` submits one task per number and gives their results."""

    def checked(count):
        expect_equal(squares(range(count))[-1], (count - 1) ** 2)

    checked(1_000)
    return {figure: count / timed(lambda: checked(count)) for figure, count in counts.items()}


def calls_per_second(increments, counts):
    """`increments(count)` calls one counter so often and gives all that it returned."""
    before = 0
    figures = {}
    for figure, count in {"warm-up": 1_000, **counts}.items():
        start = time.perf_counter()
        values = increments(count)
        figures[figure] = count / (time.perf_counter() - start)
        expect_equal((values[0], values[-1]), (before + 1, before + count))
        before += count
    del figures["warm-up"]
    return figures


def round_trip(call, calls):
    """`call(x)` submits one task and waits for its result."""
    for i in range(min(calls, 200)):
        call(i)
    micros = []
    for i in range(calls):
        start = time.perf_counter()
        value = call(i)
        micros.append((time.perf_counter() - start) * 1e6)
        expect_equal(value, i * i)
    percentiles = statistics.quantiles(micros, n=100, method="inclusive")
    return {"roundtrip.p50": percentiles[49], "roundtrip.p99": percentiles[98]}


def made(length):
    """Ones, but the first element is the time in ms that making them took, so that the caller can subtract it."""
    import numpy

    start = time.perf_counter()
    values = numpy.ones(length)
    values[0] = (time.perf_counter() - start) * 1e3
    return values


def ends(values):
    return float(values[0] + values[-1])


def array_times(sizes, put, read_twice, result):
    """Medians of plain copy, `put(values)`, `read_twice(stored)` (both sums of the ends), `result(length)`."""
    import numpy

    values = numpy.random.rand(sizes["doubles"])
    times = {"copy": [], "put": [], "read": [], "result": []}
    for repeat in range(-1, sizes["repeats"]):
        copy = timed(lambda: values.copy())
        start = time.perf_counter()
        stored = put(values)
        put_time = time.perf_counter() - start
        start = time.perf_counter()
        sums = read_twice(stored)
        read = time.perf_counter() - start
        expect_equal(sums, [ends(values)] * 2)
        start = time.perf_counter()
        returned = result(sizes["doubles"])
        result_time = time.perf_counter() - start - returned[0] / 1e3
        expect_equal(float(returned[-1]), 1.0)
        del stored, returned
        if repeat < 0:  # the first round warms up
            continue
        for name, seconds in (("copy", copy), ("put", put_time), ("read", read), ("result", result_time)):
            times[name].append(seconds * 1e3)
    return {f"arrays.{name}": statistics.median(samples) for name, samples in times.items()}


def pid_after_a_while(_):
    """Busy long enough that the next task goes to the other worker."""
    time.sleep(0.3)
    return os.getpid()


def memory_of(pids):
    """Largest resident and proportional memory of these processes, in MB (1e6 bytes), once they are idle."""
    time.sleep(1)
    sizes = []
    for pid in set(pids):
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            rollup = file.read()
        sizes.append([int(re.search(rf"^{name}:\s+(\d+) kB", rollup, re.M)[1]) * 1024 / 1e6 for name in ("Rss", "Pss")])
    return {"memory.rss": max(s[0] for s in sizes), "memory.pss": max(s[1] for s in sizes), "workers": len(sizes)}


def import_cost(module, repeats):
    """Median of `repeats` new processes that import it, less the median of as many that do nothing. In ms."""

    def run(source):
        return timed(lambda: subprocess.run([sys.executable, "-c", source], check=True)) * 1e3

    pairs = [(run(""), run(f"import {module}")) for _ in range(repeats)]
    bare, with_import = zip(*pairs)
    return {"import": statistics.median(with_import) - statistics.median(bare)}
