"""Makes reference.json, which the tests of girona/random compare with.

    pip install numpy scipy mpmath
    python test/random/reference/make.py
    npx biome format --write test/random/reference

Three kinds of values: elements computed from docs/random.md alone, in Python integers and 60-digit arithmetic (mpmath);
ln, sin and cos at many points (mpmath); quantiles and critical values (scipy).
"""

import json
import struct
from pathlib import Path

import mpmath
import numpy as np
from mpmath import mpf
from scipy import stats

mpmath.mp.dps = 60
WORD = 2**32

# Threefry4x32-20, straight from the paper: tables, a loop, and no unrolling.
ROTATIONS = [(10, 26), (11, 21), (13, 27), (23, 5), (6, 20), (17, 11), (25, 10), (18, 20)]
STREAM, UNIFORM, NORMAL, INTEGERS = range(4)


def threefry(key, counter):
    schedule = [*key, 0x1BD11BDA ^ key[0] ^ key[1] ^ key[2] ^ key[3]]
    x = [(c + k) % WORD for c, k in zip(counter, key)]
    for r in range(20):
        for (i, j), by in zip([(0, 1), (2, 3)] if r % 2 == 0 else [(0, 3), (2, 1)], ROTATIONS[r % 8]):
            x[i] = (x[i] + x[j]) % WORD
            x[j] = ((x[j] << by | x[j] >> (32 - by)) % WORD) ^ x[i]
        if r % 4 == 3:
            s = (r + 1) // 4
            x = [(v + schedule[(s + i) % 5] + (s if i == 3 else 0)) % WORD for i, v in enumerate(x)]
    return x


def block(key, number, purpose, attempt=0):
    return threefry(key, [number % WORD, number // WORD, purpose, attempt])


def key_of(seed, streams):
    key = [seed >> shift & (WORD - 1) for shift in (0, 32, 64, 96)]
    for index in streams:
        key = block(key, index, STREAM)
    return key


def uniform(key, i):
    a, b = block(key, i // 2, UNIFORM)[2 * (i % 2) :][:2]
    return (a >> 5) * 2.0**-27 + (b >> 6) * 2.0**-53


def normal(key, i):
    a, b, c, d = block(key, i // 2, NORMAL)
    u = mpf((a >> 5) * 2**26 + (b >> 6) + 1) / 2**53
    angle = 2 * mpmath.pi * mpf(c * 2**21 + (d >> 11)) / 2**53
    return mpmath.sqrt(-2 * mpmath.log(u)) * (mpmath.sin(angle) if i % 2 else mpmath.cos(angle))


def integer(key, i, low, high):
    count = high - low
    attempt = 0
    while True:
        product = block(key, i // 4, INTEGERS, attempt)[i % 4] * count
        if product % WORD >= WORD % count:
            return low + product // WORD
        attempt += 1


def bits(x):
    """The bits of a double, as 16 hexadecimal digits."""
    return struct.pack(">d", x).hex()


def exact(x):
    """A real number as a double and the rest, so that an error far below 1 ulp can be told: "3fe62e42fefa39ef 2.3e-17"."""
    high = float(x)
    return f"{bits(high)} {float(x - mpf(high)):.6g}"


def elements(seed, streams, start):
    key = key_of(seed, streams)
    positions = range(start, start + 8)
    ranges = [(0, 100), (-(2**31), 2**31), (-5, 2**31 - 3)]
    return {
        "seed": str(seed),
        "streams": streams,
        "start": start,
        "uniform": [bits(uniform(key, i)) for i in positions],
        "normal": [exact(normal(key, i)) for i in positions],
        "integers": [
            {"low": low, "high": high, "values": [integer(key, i, low, high) for i in positions]} for low, high in ranges
        ],
    }


def functions():
    generator = np.random.default_rng(2026)
    # ln: every exponent of a 53-bit fraction, the neighbourhoods of 1 and sqrt(1/2), and both ends.
    x = np.concatenate(
        [
            generator.uniform(0.5, 1, 600),
            generator.uniform(0.5, 1, 400) * 2.0 ** -generator.integers(0, 53, 400),
            1 - 2.0 ** -generator.integers(1, 54, 100) * generator.uniform(0.5, 1, 100),
            np.sqrt(0.5) * (1 + generator.uniform(-1e-8, 1e-8, 100)),
            [1.0, 1 - 2.0**-53, 2.0**-53, 2.0**-52, 2.0**-11, np.nextafter(2.0**-11, 0), 0.5, np.nextafter(0.5, 0)],
        ]
    )
    # sin and cos: [-pi/4, pi/4], and small angles.
    angle = np.concatenate(
        [
            generator.uniform(-1, 1, 800) * np.pi / 4,
            generator.uniform(-1, 1, 200) * 2.0 ** -generator.integers(0, 50, 200) * np.pi / 4,
            [0.0, np.pi / 4, -np.pi / 4, 2.0**-52],
        ]
    )
    return {
        "log": [f"{bits(v)} {exact(mpmath.log(mpf(float(v))))}" for v in x],
        "sin": [f"{bits(v)} {exact(mpmath.sin(mpf(float(v))))}" for v in angle],
        "cos": [f"{bits(v)} {exact(mpmath.cos(mpf(float(v))))}" for v in angle],
    }


# Each test of a statistic fails for one good generator in 10,000; seeds are fixed, so it passes always or never.
ALPHA = 1e-4


def critical():
    tails = {str(z): 2 * stats.norm.sf(z) for z in (2, 3, 4)}
    return {
        "alpha": ALPHA,
        # |z| of a standard normal statistic, two-sided.
        "z": stats.norm.isf(ALPHA / 2),
        # The Kolmogorov-Smirnov distance, by sample size.
        "ks": {str(n): stats.kstwo.isf(ALPHA, n) for n in (10_000, 100_000)},
        # Chi-square by degrees of freedom, two-sided: too even is as suspicious as too uneven.
        "chiSquare": {
            str(df): [stats.chi2.ppf(ALPHA / 2, df), stats.chi2.isf(ALPHA / 2, df)] for df in (2, 6, 99, 255, 999)
        },
        # How many of a million are further than z from 0.
        "beyond": {
            z: [int(stats.binom.ppf(ALPHA / 2, 1_000_000, p)), int(stats.binom.isf(ALPHA / 2, 1_000_000, p))]
            for z, p in tails.items()
        },
    }


reference = {
    "elements": [
        elements(42, [], 0),
        elements(42, [], 1_000_001),
        elements(42, [], 2**33 + 5),
        elements(42, [], 2**53 - 1 - 8),
        elements(0, [], 0),
        elements(2**53 - 1, [], 3),
        elements(2**128 - 1, [], 0),
        elements(42, [0], 0),
        elements(42, [1, 2], 0),
        elements(42, [2**53 - 1, 7, 0], 12),
    ],
    "functions": functions(),
    "critical": critical(),
    # Edges of 1000 equally likely bins of the standard normal distribution.
    "normalEdges": stats.norm.ppf(np.arange(1, 1000) / 1000).tolist(),
    # Its distribution function, from -9 to 9 in steps of 1/64.
    "normalCdf": stats.norm.cdf(np.arange(-9 * 64, 9 * 64 + 1) / 64).tolist(),
}


Path(__file__).with_name("reference.json").write_text(json.dumps(reference, indent=2) + "\n")
