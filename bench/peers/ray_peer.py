"""Ray on two CPUs of this machine, no dashboard, logging off: `ray_peer.py <case> <sizes as JSON>`."""

import logging
import os
import tempfile
from contextlib import contextmanager
from time import perf_counter

from peer import (
    Counter,
    array_times,
    calls_per_second,
    ends,
    expect_equal,
    import_cost,
    made,
    main,
    memory_of,
    pid_after_a_while,
    round_trip,
    square,
    squares_per_second,
    timed,
)

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"


def init():
    import ray

    ray.init(
        num_cpus=2,
        include_dashboard=False,
        logging_level=logging.ERROR,
        log_to_driver=False,
        object_store_memory=2_000_000_000,
        _temp_dir=tempfile.gettempdir(),
    )
    return ray


@contextmanager
def session():
    ray = init()
    try:
        remote = ray.remote(square)
        ray.get([remote.remote(i) for i in range(10)])  # both workers are up
        yield ray
    finally:
        ray.shutdown()


def tasks(sizes):
    with session() as ray:
        remote = ray.remote(square)
        return squares_per_second(lambda xs: ray.get([remote.remote(x) for x in xs]), sizes["counts"])


def map_(sizes):
    count = sizes["count"]
    with session():
        from ray.util.multiprocessing import Pool

        with Pool(2) as pool:

            def squares(n):
                expect_equal(pool.map(square, range(n), chunksize=1000)[-1], (n - 1) ** 2)

            squares(count // 10)
            return {"map": count / timed(lambda: squares(count))}


def roundtrip(sizes):
    with session() as ray:
        remote = ray.remote(square)
        return round_trip(lambda x: ray.get(remote.remote(x)), sizes["calls"])


def actors(sizes):
    with session() as ray:
        counter = ray.remote(Counter).remote()
        return calls_per_second(
            lambda count: ray.get([counter.increment.remote() for _ in range(count)]), sizes["counts"]
        )


def arrays(sizes):
    with session() as ray:
        remote_ends, remote_made = ray.remote(ends), ray.remote(made)
        return array_times(
            sizes,
            ray.put,
            lambda stored: ray.get([remote_ends.remote(stored), remote_ends.remote(stored)]),
            lambda length: ray.get(remote_made.remote(length)),
        )


def memory(_):
    with session() as ray:
        remote = ray.remote(pid_after_a_while)
        return memory_of(ray.get([remote.remote(i) for i in range(2)]))


def start(_):
    import ray  # not part of the start, as girona's import is not

    begin = perf_counter()
    init()
    expect_equal(ray.get(ray.remote(square).remote(7)), 49)
    ms = (perf_counter() - begin) * 1e3
    ray.shutdown()
    return {"start": ms}


def version(_):
    import ray

    return {"ray": ray.__version__}


if __name__ == "__main__":
    main(
        {
            "version": version,
            "tasks": tasks,
            "map": map_,
            "roundtrip": roundtrip,
            "actors": actors,
            "arrays": arrays,
            "memory": memory,
            "import": lambda sizes: import_cost("ray", sizes["repeats"]),
            "start": start,
        }
    )
