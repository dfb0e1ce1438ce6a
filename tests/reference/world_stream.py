"""Streams random worlds as JSON lines and counts what happens in them, so that nothing goes untested unseen."""

import collections
import concurrent.futures
import os
import sys

from random_world import random_world
from vector_file import compact

WORLDS_AT_ONCE = 50
LEAST_SHARE = 0.01
WORLDS_THAT_SHOW_IT = 200

KINDS = ("allowed", "denied", "saturated", "exceeds_limit")
ALGORITHMS = ("fixed_window", "token_bucket", "sliding_window", "stack")
OPS = ("check", "peek", "remaining", "refund", "reset", "sweep", "len", "stats", "clear")
MUST_OCCUR = KINDS + ALGORITHMS + OPS + ("error", "old time", "refunded")


def count(world, counts):
    """Adds a world's steps to the counts: an algorithm's steps are those of worlds that it has a part in."""
    steps = len(world.steps)
    counts["steps"] += steps
    for algorithm in {policy["algorithm"] for policy in world.policies}:
        counts[algorithm] += steps
    if len(world.policies) > 1:
        counts["stack"] += steps
    for step in world.steps:
        expect = step["expect"]
        counts[step["op"]] += 1
        counts["error"] += "error" in expect
        counts["refunded"] += expect.get("refunded", 0) > 0
        if "kind" in expect:
            counts[expect["kind"]] += 1
            counts["old time"] += expect["at_ms"] > step["now_ms"]


def lines_and_counts(seed, first, last):
    counts = collections.Counter()
    lines = []
    for index in range(first, last):
        world = random_world(seed, index)
        count(world, counts)
        lines.append(compact(world.as_data()) + "\n")
    return "".join(lines), counts


def summary(seed, worlds, counts):
    return {
        "seed": seed,
        "worlds": worlds,
        "steps": counts["steps"],
        "counts": {name: counts[name] for name in MUST_OCCUR},
    }


def too_rare(counts):
    return [name for name in MUST_OCCUR if counts[name] < LEAST_SHARE * counts["steps"]]


def stream(seed, worlds):
    """Writes the worlds and, as a last line, the summary; the exit status is 1 if something hardly occurs."""
    counts = collections.Counter()
    try:
        write_worlds(seed, worlds, counts)
    except BrokenPipeError:
        # The reader has seen enough. What is left in the buffer must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return judge(seed, worlds, counts)


def write_worlds(seed, worlds, counts):
    """Makes worlds in parallel and writes them in order, so the bytes depend on the seed and the count alone."""
    firsts = range(0, worlds, WORLDS_AT_ONCE)
    lasts = [min(first + WORLDS_AT_ONCE, worlds) for first in firsts]
    with concurrent.futures.ProcessPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
        for lines, some in pool.map(lines_and_counts, [seed] * len(lasts), firsts, lasts):
            sys.stdout.write(lines)
            counts.update(some)
    sys.stdout.write(compact({"summary": summary(seed, worlds, counts)}) + "\n")
    sys.stdout.flush()


def judge(seed, worlds, counts):
    """Prints the counts and returns the exit status."""
    print(f"seed {seed}: {worlds} worlds, {counts['steps']} steps", file=sys.stderr)
    for name in MUST_OCCUR:
        print(f"  {name:<15} {counts[name]:>8}  {100 * counts[name] / counts['steps']:5.1f} %", file=sys.stderr)
    rare = too_rare(counts)
    if rare and worlds >= WORLDS_THAT_SHOW_IT:
        print(f"under 1 % of the steps: {', '.join(rare)}", file=sys.stderr)
        return 1
    return 0
