"""Replays the sample log with the model: the digests beside it are the work of two authors.

The log is read here by other code than the command's, and decided by the model, so an equal digest says that
reading, keys, costs, decisions and the canonical lines (docs/decisions-format.md) all agree.
"""

import calendar
import hashlib
import ipaddress
import json
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

import model
import policy_text

DATA = Path(__file__).resolve().parents[1] / "data"
TIME = r"\[(\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d) \+0000\]"
LINE = re.compile(r"(\S+) - (\S+) " + TIME + r' "\w+ ([^ ?]+)\S* HTTP/1.1" (\d+) (\d+|-) ')


def requests(key_fields, cost_field):
    """Yields the key, time and cost of each line that is limited."""
    for line in (DATA / "sample.log").read_text(encoding="ascii").splitlines():
        address, user, written, path, _, size = LINE.match(line).groups()
        values = {"ip": client(address), "path": path, "user": user}
        now_ms = calendar.timegm(time.strptime(written, "%d/%b/%Y:%H:%M:%S")) * 1000
        cost = {"": 1, "bytes": 0 if size == "-" else int(size)}[cost_field]
        parts = [values[field].encode("ascii").hex() for field in key_fields if values[field] != "-"]
        if cost > 0 and len(parts) == len(key_fields):
            yield parts, now_ms, cost


def client(address):
    """Returns an address as a key: IPv6 is cut to its /64."""
    if ":" in address:
        return str(ipaddress.ip_network(f"{address}/64", strict=False))
    return address


def line_of(parts, now_ms, made):
    """Writes a canonical line: the decision as a call at its own at_ms is answered."""
    ahead_ms = made["at_ms"] - now_ms
    retry_ms = made["retry_after_ms"]
    written = {
        "key": parts[0] if len(parts) == 1 else parts,
        "cost": made["cost"],
        "at_ms": made["at_ms"],
        "kind": made["kind"],
        "limit": made["limit"],
        "remaining": made["remaining"],
        "reset_after_ms": max(0, made["reset_after_ms"] - ahead_ms),
        "retry_after_ms": None if retry_ms is None else max(0, retry_ms - ahead_ms),
        "policy": made["policy"],
    }
    return json.dumps(written, separators=(",", ":")) + "\n"


def replay(limit, key_fields, cost_field, max_identities):
    """Returns the canonical lines of a replay, and the kinds of its decisions."""
    limiter = model.Limiter(policy_text.parse(limit), max_identities)
    lines = []
    for parts, now_ms, cost in requests(key_fields, cost_field):
        key = {"hex": parts[0]} if len(key_fields) == 1 else {"parts": parts}
        lines.append(line_of(parts, now_ms, limiter.check(key, now_ms, cost)))
    return lines, limiter.counts


def replay_again(limit, lines, max_identities):
    """Makes the calls that canonical lines tell of, each at its at_ms, and writes their lines."""
    limiter = model.Limiter(policy_text.parse(limit), max_identities)
    again = []
    for line in map(json.loads, lines):
        parts = line["key"] if isinstance(line["key"], list) else [line["key"]]
        key = {"parts": parts} if isinstance(line["key"], list) else {"hex": line["key"]}
        again.append(line_of(parts, line["at_ms"], limiter.check(key, line["at_ms"], line["cost"])))
    return again


def configurations():
    rows = (DATA / "sample.digest").read_text(encoding="ascii").splitlines()
    for digest, limit, key, cost, max_identities in (row.split("\t") for row in rows if not row.startswith("#")):
        yield digest, limit, key.split(","), cost, int(max_identities)


class SampleLog(unittest.TestCase):
    def test_the_sample_is_what_the_script_writes(self):
        script = [sys.executable, DATA / "generate_log.py", "--lines", "1000", "--seed", "7"]
        written = subprocess.run(script, capture_output=True, check=True).stdout
        self.assertEqual(written, (DATA / "sample.log").read_bytes())

    def test_the_model_comes_to_every_digest(self):
        kinds = dict.fromkeys(model.KINDS, 0)
        for digest, limit, key_fields, cost_field, max_identities in configurations():
            with self.subTest(limit=limit, key=key_fields):
                lines, counts = replay(limit, key_fields, cost_field, max_identities)
                self.assertEqual(hashlib.sha256("".join(lines).encode("ascii")).hexdigest(), digest)
                kinds = {kind: kinds[kind] + counts[kind] for kind in kinds}
        self.assertTrue(all(kinds.values()), f"the digests leave out a kind: {kinds}")

    def test_the_lines_calls_at_their_own_times_give_the_lines_again(self):
        for _, limit, key_fields, cost_field, max_identities in configurations():
            with self.subTest(limit=limit, key=key_fields):
                lines, _ = replay(limit, key_fields, cost_field, max_identities)
                self.assertEqual(replay_again(limit, lines, max_identities), lines)


if __name__ == "__main__":
    unittest.main()
