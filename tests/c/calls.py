"""Turns the decisions that the command wrote for the sample log into calls that a C program can read."""

import functools
import json
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


@dataclass(frozen=True)
class Try:
    """One run of a program: its arguments, its input, and the SHA-256 of what it prints if that is to be judged."""

    arguments: list
    input: bytes = b""
    digest: str = ""


@functools.cache
def of_the_sample_log(target):
    """Makes a try of each line in sample.digest, to be held to the digest that is committed there."""
    rows = [line.split("\t") for line in (DATA / "sample.digest").read_text().splitlines() if line[0] != "#"]
    return [replayed(pathlib.Path(target), *row) for row in rows]


def replayed(target, digest, limit, key, cost, cap):
    command = [target / "release" / "ratelimit", "replay", "--limit", limit, "--key", key, "--max-identities", cap]
    command += ["--cost", cost] if cost else []
    with tempfile.TemporaryDirectory() as folder:
        lines = pathlib.Path(folder, "decisions.ndjson")
        subprocess.run([*command, "--decisions", lines, DATA / "sample.log"], check=True, stdout=subprocess.DEVNULL)
        calls = [call(json.loads(line)) for line in lines.read_text().splitlines()]
    return Try([limit, cap], "".join(calls).encode(), digest)


def call(line):
    """Writes a call as `COST AT_MS plain HEX` or `COST AT_MS parts COUNT HEX...`, with `-` for no bytes."""
    key = line["key"]
    kind, parts = ("plain", [key]) if isinstance(key, str) else (f"parts {len(key)}", key)
    return " ".join([str(line["cost"]), str(line["at_ms"]), kind, *(part or "-" for part in parts)]) + "\n"
