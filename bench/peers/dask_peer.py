"""Dask distributed with two worker processes of one thread, no dashboard: `dask_peer.py <case> <sizes as JSON>`."""

import logging
import tempfile
import warnings
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


@contextmanager
def session():
    from distributed import Client, LocalCluster

    warnings.filterwarnings("ignore")
    cluster = LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address=None,
        memory_limit=0,
        silence_logs=logging.CRITICAL,
        local_directory=tempfile.gettempdir(),
    )
    with cluster, Client(cluster) as client:
        yield client


def tasks(sizes):
    with session() as client:
        return squares_per_second(lambda xs: client.gather(client.map(square, xs, pure=False)), sizes["counts"])


def squares_of(numbers):
    import numpy

    return numpy.array([square(x) for x in numbers.tolist()])


def map_(sizes):
    """Chunks made by hand (`client.map` makes a task of every item), as arrays (lists travel item by item: 25,000/s)."""
    import numpy

    count, chunk = sizes["count"], 10_000
    with session() as client:

        def squares(numbers):
            chunks = [numbers[i : i + chunk] for i in range(0, len(numbers), chunk)]
            values = numpy.concatenate(client.gather(client.map(squares_of, chunks, pure=False))).tolist()
            expect_equal(len(values), len(numbers))
            expect_equal(values[-1], (len(numbers) - 1) ** 2)

        numbers = numpy.arange(count)
        squares(numbers[: count // 10])
        return {"map": count / timed(lambda: squares(numbers))}


def roundtrip(sizes):
    with session() as client:
        return round_trip(lambda x: client.submit(square, x, pure=False).result(), sizes["calls"])


def actors(sizes):
    with session() as client:
        counter = client.submit(Counter, actor=True).result()
        return calls_per_second(
            lambda count: [future.result() for future in [counter.increment() for _ in range(count)]], sizes["counts"]
        )


def arrays(sizes):
    with session() as client:
        workers = list(client.scheduler_info()["workers"])
        return array_times(
            sizes,
            lambda values: client.scatter(values, broadcast=True, hash=False),
            lambda stored: client.gather(
                [client.submit(ends, stored, pure=False, workers=[worker]) for worker in workers]
            ),
            lambda length: client.submit(made, length, pure=False).result(),
        )


def memory(_):
    with session() as client:
        workers = list(client.scheduler_info()["workers"])
        return memory_of(
            client.gather([client.submit(pid_after_a_while, 0, pure=False, workers=[worker]) for worker in workers])
        )


def start(_):
    import distributed  # noqa: F401  not part of the start, as girona's import is not

    begin = perf_counter()
    with session() as client:
        expect_equal(client.submit(square, 7).result(), 49)
        return {"start": (perf_counter() - begin) * 1e3}


def version(_):
    import distributed

    return {"distributed": distributed.__version__}


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
            "import": lambda sizes: import_cost("distributed", sizes["repeats"]),
            "start": start,
        }
    )
