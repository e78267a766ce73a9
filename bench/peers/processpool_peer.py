"""Python's own concurrent.futures.ProcessPoolExecutor: `processpool_peer.py <case> <sizes as JSON>`."""

import platform
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter

from peer import expect_equal, main, memory_of, pid_after_a_while, round_trip, square, squares_per_second, timed


def tasks(sizes):
    with ProcessPoolExecutor(2) as pool:
        return squares_per_second(
            lambda xs: [future.result() for future in [pool.submit(square, x) for x in xs]], sizes["counts"]
        )


def map_(sizes):
    count = sizes["count"]
    with ProcessPoolExecutor(2) as pool:

        def squares(n):
            expect_equal(list(pool.map(square, range(n), chunksize=1000))[-1], (n - 1) ** 2)

        squares(count // 10)
        return {"map": count / timed(lambda: squares(count))}


def roundtrip(sizes):
    with ProcessPoolExecutor(2) as pool:
        return round_trip(lambda x: pool.submit(square, x).result(), sizes["calls"])


def memory(_):
    with ProcessPoolExecutor(2) as pool:
        return memory_of(pool.map(pid_after_a_while, range(2)))


def start(_):
    begin = perf_counter()
    with ProcessPoolExecutor(2) as pool:
        expect_equal(pool.submit(square, 7).result(), 49)
        return {"start": (perf_counter() - begin) * 1e3}


if __name__ == "__main__":
    main(
        {
            "version": lambda _: {"python": platform.python_version()},
            "tasks": tasks,
            "map": map_,
            "roundtrip": roundtrip,
            "memory": memory,
            "start": start,
        }
    )
