"""Measures the package against its peers, a plain dict and a function that does nothing: by turns, in one process.

A comparison prints `ratio NAME VALUE BOUND ok|short`, the value being the median of the rounds' ratios of ours to
theirs; all of a run goes into `target/ratios-python.json`. Keys are 40 characters and made afresh for each pass, as a
service makes them of its requests, outside what is timed.

    RATELIMIT_BENCH_ROUNDS=9 python check.py
"""

import json
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from random import shuffle
from statistics import median
from typing import Any

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from pyrate_limiter import BucketFactory, Duration, InMemoryBucket, Limiter, Rate, RateItem

import ratelimit
from ratelimit import _ratelimit

MANY = 4_000_000_000
ROUNDS = 9
# Numbers of keys by which bytes a key are measured: each is the same part greater than the one before.
FILLS = [round(500_000 * 4 ** (nth / 8)) for nth in range(1, 9)]


def keys(count: int) -> list[str]:
    """Gives each key once, in an order of chance: in the order in which they first came, a dict's entries lie one after
    the other in memory, and no service's requests come so."""
    order = list(range(count))
    shuffle(order)
    return [f"tenant-7:user:{number:026}" for number in order]


@dataclass
class Ratio:
    """What a comparison came to; `ns` is good only to see where it comes from."""

    name: str
    value: float
    bound: float
    ok: bool
    spread: tuple[float, float]
    rounds: int
    ns: tuple[float, float]

    def report(self) -> None:
        print(f"ratio {self.name} {self.value:.3f} {self.bound} {'ok' if self.ok else 'short'}")
        print(f"  spread {self.spread[0]:.3f} to {self.spread[1]:.3f} over {self.rounds} rounds")
        if self.ns[1] > 0:
            print(f"  about {self.ns[0]:.1f} ns against {self.ns[1]:.1f} ns", flush=True)


@dataclass
class Side:
    """One side of a comparison: what is called with each key, and over how many passes it is timed."""

    call: Callable[[Any], object]
    passes: int = 1
    batch: int = 0

    def time(self, count: int) -> float:
        """Gives the seconds for one key; the keys of each pass are new."""
        spent = 0.0
        for _ in range(self.passes):
            fresh: list[Any] = keys(count)
            if self.batch:
                fresh = [fresh[at : at + self.batch] for at in range(0, count, self.batch)]
            # Of the processor, not of the wall: others use the machine too.
            start = time.thread_time()
            deque(map(self.call, fresh), maxlen=0)
            spent += time.thread_time() - start
        return spent / self.passes / count


def compare(name: str, bound: float, count: int, ours: Side, theirs: Side, rounds: int) -> Ratio:
    """Times both sides by turns, after a round of each that is not counted."""
    ours.time(count)
    theirs.time(count)
    times = []
    for number in range(rounds):
        # Neither is always the one that runs after the other.
        sides = (ours, theirs) if number % 2 == 0 else (theirs, ours)
        seconds = [side.time(count) for side in sides]
        times.append(seconds if number % 2 == 0 else seconds[::-1])
    ratios = sorted(mine / other for mine, other in times)
    mine, other = (median(column) * 1e9 for column in zip(*times, strict=True))
    value = median(ratios)
    return Ratio(name, value, bound, value <= bound, (ratios[0], ratios[-1]), rounds, (mine, other))


def plain_dict() -> Callable[[str], bool]:
    """A fixed window as one would write it without a library."""
    counts: dict[str, list[int]] = {}

    def check(key: str) -> bool:
        window = int(time.time() // 60)
        entry = counts.get(key)
        if entry is None or entry[0] != window:
            counts[key] = [window, 1]
            return True
        if entry[1] >= MANY:
            return False
        entry[1] += 1
        return True

    return check


def of_limits() -> Callable[[str], bool]:
    limiter, item = FixedWindowRateLimiter(MemoryStorage()), RateLimitItemPerMinute(MANY)
    return lambda key: limiter.hit(item, key)


class BucketForEachKey(BucketFactory):
    """Counts keys apart, as pyrate-limiter's documentation has it."""

    def __init__(self) -> None:
        self.buckets: dict[str, InMemoryBucket] = {}

    def wrap_item(self, name: str, weight: int = 1) -> RateItem:
        return RateItem(name, time.monotonic_ns() // 1_000_000, weight=weight)

    def get(self, item: RateItem) -> InMemoryBucket:
        bucket = self.buckets.get(item.name)
        if bucket is None:
            bucket = self.buckets[item.name] = InMemoryBucket([Rate(MANY, Duration.MINUTE)])
        return bucket


def of_pyrate_limiter() -> Callable[[str], object]:
    limiter = Limiter(BucketForEachKey())
    return lambda key: limiter.try_acquire(key, blocking=False)


def ours(cap: int = 2_000_000) -> ratelimit.Limiter:
    return ratelimit.fixed_window(MANY, per_seconds=60, max_identities=cap)


def speed(rounds: int) -> Iterable[Ratio]:
    """Compares times, most of them of passes so short that both sides of a round see the same machine."""
    few, most = 10_000, 1_000_000
    limiter = ours()
    check, allow = Side(limiter.check, 5), Side(limiter.allow, 5)
    yield compare("python-check-10k-vs-limits", 1 / 30, few, check, Side(of_limits()), rounds)
    yield compare("python-check-10k-vs-pyrate-limiter", 1 / 30, few, check, Side(of_pyrate_limiter()), rounds)
    yield compare("python-check-10k-vs-dict", 1 / 2.5, few, check, Side(plain_dict(), 5), rounds)
    yield compare("python-allow-10k-vs-dict", 1 / 4, few, allow, Side(plain_dict(), 5), rounds)
    yield compare("python-check-10k-vs-empty", 2.5, few, check, Side(_ratelimit._empty, 5), rounds)
    yield compare(
        "python-check-many-100-vs-one-by-one", 0.5, few, Side(limiter.check_many, 5, batch=100), check, rounds
    )
    read = Side(lambda batch: list(limiter.check_many(batch)), 5, batch=100)
    yield compare("python-check-many-100-all-read-vs-one-by-one", 1.0, few, read, check, rounds)
    yield compare("python-check-1m-vs-dict", 1 / 2.5, most, Side(ours().check), Side(plain_dict()), rounds)


def resident() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise OSError("no VmRSS in /proc/self/status")


def grown(who: str) -> list[float]:
    """Gives the bytes for each key that this process has grown by, at each number of keys in turn; the keys are not
    kept but by who checks them."""
    call: Callable[[str], object] = ours().allow if who == "ours" else of_limits()
    before, done, bytes_a_key = resident(), 0, []
    for count in FILLS:
        for number in range(done, count):
            call(f"tenant-7:user:{number:026}")
        done = count
        bytes_a_key.append((resident() - before) / count)
    return bytes_a_key


def memory(rounds: int) -> Ratio:
    """Compares bytes a key, each side in a process of its own. Tables grow in steps, so one number of keys would tell
    where both stand within a step; the ratio is the median over nearly two doublings."""
    command = [sys.executable, __file__, "grown"]
    columns: dict[str, list[float]] = {}
    for who in ("ours", "limits"):
        asked = [subprocess.run([*command, who], capture_output=True, check=True).stdout for _ in range(rounds)]
        columns[who] = [median(column) for column in zip(*map(json.loads, asked), strict=True)]
    for count, mine, other in zip(FILLS, *columns.values(), strict=True):
        print(f"{count} keys: {mine:.1f} bytes a key against {other:.1f}, {mine / other:.3f}")
    ratios = [mine / other for mine, other in zip(*columns.values(), strict=True)]
    value, bound = median(ratios), 0.25
    spread = (min(ratios), max(ratios))
    return Ratio("python-bytes-a-key-vs-limits", value, bound, value <= bound, spread, len(FILLS), (0, 0))


def main() -> None:
    if sys.argv[1:2] == ["grown"]:
        print(json.dumps(grown(sys.argv[2])))
        return
    rounds = int(os.environ.get("RATELIMIT_BENCH_ROUNDS", ROUNDS))
    ratios = []
    for ratio in speed(max(1, rounds)):
        ratio.report()
        ratios.append(ratio)
    ratios.append(memory(min(3, max(1, rounds))))
    ratios[-1].report()
    target = Path(__file__).parents[2] / os.environ.get("CARGO_TARGET_DIR", "target")
    text = json.dumps([asdict(ratio) for ratio in ratios], indent=2)
    (target / "ratios-python.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
