"""The worlds of the vectors, run step by step from Python."""

import json
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from subject import failure, key, make, number, plain

import ratelimit

VECTORS = Path(__file__).parents[2] / "tests/vectors"
WAYS = ("check", "peek then check", "batch of one", "batch of many", "doubled")


def cases(kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Gives the cases of one kind in all files, each by its name."""
    for listed in json.loads((VECTORS / "index.json").read_text(encoding="utf-8"))["files"]:
        written = json.loads((VECTORS / listed["file"]).read_text(encoding="utf-8"))["cases"]
        assert len(written) == listed["cases"]
        for case in written:
            if case["type"] == kind:
                yield f"{listed['name']}/{case['name']}", case


def fits(way: str, case: dict[str, Any]) -> bool:
    return way != "doubled" or len(case["policies"]) == 1


class World:
    """A limiter under way through the steps of a world, and the decisions that it made."""

    def __init__(self, case: dict[str, Any], way: str) -> None:
        self.way = way
        self.clock = ratelimit.ManualClock()
        policies = case["policies"] * (2 if way == "doubled" else 1)
        self.limiter = make(policies, case.get("max_identities"), self.clock)
        self.steps = case["steps"]
        self.made: list[ratelimit.Decision | None] = []

    def run(self) -> int:
        while len(self.made) < len(self.steps):
            step = self.steps[len(self.made)]
            if step["op"] == "check" and self.way == "batch of many":
                self.batch()
            else:
                decision, got = self.answer(step)
                assert got == step["expect"], f"step {len(self.made)}: {step}"
                self.made.append(decision)
        return len(self.made)

    def answer(self, step: dict[str, Any]) -> tuple[ratelimit.Decision | None, Any]:
        """Does a step; gives its decision, if it makes one, and its answer as the vectors write it."""
        try:
            got = getattr(self, step["op"])(step)
        except (TypeError, ValueError) as raised:
            return None, {"error": failure(raised)}
        return (got, plain(got)) if isinstance(got, ratelimit.Decision) else (None, got)

    def check(self, step: dict[str, Any]) -> ratelimit.Decision:
        asked, now_ms, cost = key(step["key"]), number(step["now_ms"]), number(step["cost"])
        if self.way == "batch of one":
            self.clock.set(now_ms)
            [decision] = self.limiter.check_many([asked], cost)
            return decision
        if self.way == "peek then check":
            before = self.limiter.stats()
            foretold = self.peek(step)
            assert self.limiter.stats() == before
            decision = self.limiter.check_at(asked, now_ms, cost)
            assert decision == foretold
            return decision
        return self.limiter.check_at(asked, now_ms, cost)

    def batch(self) -> None:
        """Checks as many steps as can be one batch, after an empty one that must do nothing."""
        rest = self.steps[len(self.made) :]
        alike = [(step["op"], step.get("cost"), step.get("now_ms")) for step in rest]
        steps = [step for step, _ in takewhile(lambda pair: pair[1] == alike[0], zip(rest, alike, strict=True))]
        try:
            self.clock.set(number(rest[0]["now_ms"]))
            assert self.limiter.check_many([]) == []
            asked = [key(step["key"]) for step in steps]
            decisions = self.limiter.check_many(asked, number(rest[0]["cost"]))
        except (TypeError, ValueError) as raised:
            assert [step["expect"] for step in steps] == [{"error": failure(raised)}] * len(steps)
            self.made += [None] * len(steps)
        else:
            assert list(map(plain, decisions)) == [step["expect"] for step in steps]
            self.made += decisions

    def peek(self, step: dict[str, Any]) -> ratelimit.Decision:
        return self.limiter.peek_at(key(step["key"]), number(step["now_ms"]), number(step["cost"]))

    def remaining(self, step: dict[str, Any]) -> Any:
        return {"remaining": self.limiter.remaining_at(key(step["key"]), number(step["now_ms"]))}

    def refund(self, step: dict[str, Any]) -> Any:
        decision = self.made[step["of"]] if "of" in step else ratelimit.Decision(**step["decision"])
        assert decision is not None
        return {"refunded": self.limiter.refund_at(key(step["key"]), decision, number(step["now_ms"]))}

    def reset(self, step: dict[str, Any]) -> Any:
        return {"had_row": self.limiter.reset(key(step["key"]))}

    def sweep(self, step: dict[str, Any]) -> Any:
        return {"removed": self.limiter.sweep_at(number(step["now_ms"]))}

    def len(self, step: dict[str, Any]) -> Any:
        return {"len": len(self.limiter)}

    def stats(self, step: dict[str, Any]) -> Any:
        return {"stats": self.limiter.stats()._asdict()}

    def clear(self, step: dict[str, Any]) -> Any:
        self.limiter.clear()
        return {}
