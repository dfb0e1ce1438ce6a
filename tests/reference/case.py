"""Builds the cases of the vectors: worlds of timed steps, configurations, and policies as text.

The model supplies every expectation. A case written by hand says beside each step what must come
out, in a few words, and the generator stops where the model disagrees; so such a step has been
worked out twice. The words for a decision:

    "A 4"   allowed, 4 remaining            "D 250"  denied, retry after 250 ms
    "S 80"  saturated, retry after 80 ms    "X 3"    exceeds the limit, which is 3
    "E cost"  an argument error about cost

and after them any field by name: "D 250 reset 100 policy 1 remaining 2 limit 5 at 1500".
"""

import policy_text
from model import Limiter
from policy import judge_config
from refusal import Refused


def fixed(limit, window_ms):
    return {"algorithm": "fixed_window", "limit": limit, "window_ms": window_ms}


def bucket(capacity, refill, refill_period_ms=1000):
    return {"algorithm": "token_bucket", "capacity": capacity, "refill": refill, "refill_period_ms": refill_period_ms}


def sliding(limit, window_ms):
    return {"algorithm": "sliding_window", "limit": limit, "window_ms": window_ms}


class Disagreement(Exception):
    """The model and the sentence beside a step say different things."""


KIND_LETTERS = {"A": "allowed", "D": "denied", "S": "saturated", "X": "exceeds_limit"}
MAIN_FIELDS = {"A": "remaining", "D": "retry_after_ms", "S": "retry_after_ms", "X": "limit"}
FIELD_WORDS = {
    "reset": "reset_after_ms",
    "retry": "retry_after_ms",
    "policy": "policy",
    "remaining": "remaining",
    "limit": "limit",
    "at": "at_ms",
}


def matches(expect, says):
    """Tells whether an expectation is what the words beside the step say."""
    letter, main, *rest = says.split()
    if letter == "E":
        return expect.get("error", {}).get("field") == main
    if expect.get("kind") != KIND_LETTERS[letter] or expect[MAIN_FIELDS[letter]] != int(main):
        return False
    return all(expect[FIELD_WORDS[word]] == int(value) for word, value in zip(rest[::2], rest[1::2], strict=True))


def as_key(key):
    """Lets a case write a text key as a plain string."""
    return {"text": key} if isinstance(key, str) else key


class World:
    """Runs one limiter through timed steps and keeps what the model answered."""

    type = "world"

    def __init__(self, name, why, policies, max_identities=None, fault=()):
        self.name = name
        self.why = why
        self.policies = policies if isinstance(policies, list) else [policies]
        self.max_identities = max_identities
        self.fault = list(fault)
        self.steps = []
        self.limiter = Limiter(self.policies, max_identities)

    def record(self, op, arguments, answer):
        """Appends a step with the model's answer, or with the error that it raised; returns what is expected."""
        try:
            expect = answer()
        except Refused as refused:
            expect = {"error": refused.as_data()}
        self.steps.append({"op": op, **arguments, "expect": expect})
        return expect

    def _agree(self, agrees, says):
        if not agrees:
            step = self.steps[-1]
            raise Disagreement(f"{self.name}, step {len(self.steps) - 1}: {says!r} is said of {step}")

    def _decide(self, op, now_ms, says, key, cost):
        key = as_key(key)
        method = getattr(self.limiter, op)
        expect = self.record(op, {"key": key, "cost": cost, "now_ms": now_ms}, lambda: method(key, now_ms, cost))
        self._agree(says is None or matches(expect, says), says)
        return len(self.steps) - 1

    def check(self, now_ms, says=None, key="a", cost=1):
        """Returns the step's number, by which a refund can name it."""
        return self._decide("check", now_ms, says, key, cost)

    def checks(self, now_ms, *says, key="a", cost=1):
        """Checks once for each of the words, all at one time; returns the last step's number."""
        return [self.check(now_ms, words, key, cost) for words in says][-1]

    def peek(self, now_ms, says=None, key="a", cost=1):
        return self._decide("peek", now_ms, says, key, cost)

    def exact_retry(self, now_ms, key="a", cost=1):
        """Is denied at now_ms, still denied 1 ms before the stated wait is over, and allowed when it is."""
        wait = self.steps[self.check(now_ms, None, key, cost)]["expect"]["retry_after_ms"]
        self._agree(self.steps[-1]["expect"]["kind"] == "denied" and wait >= 1, "denied")
        if wait > 1:
            self.check(now_ms + wait - 1, "D 1", key, cost)
        self.check(now_ms + wait, None, key, cost)
        self._agree(self.steps[-1]["expect"]["kind"] == "allowed", "allowed after the stated wait")

    def _number(self, op, name, arguments, says, answer):
        expect = self.record(op, arguments, lambda: {name: answer()})
        if isinstance(says, str):
            self._agree(matches(expect, says), says)
        else:
            self._agree(says is None or expect.get(name) == says, says)

    def remaining(self, now_ms, says=None, key="a"):
        key = as_key(key)
        arguments = {"key": key, "now_ms": now_ms}
        self._number("remaining", "remaining", arguments, says, lambda: self.limiter.remaining(key, now_ms))

    def refund(self, given, now_ms, says=None, key="a"):
        """Gives back the decision of an earlier step (by number), or one that is written out."""
        key = as_key(key)
        earlier = isinstance(given, int)
        made = self.steps[given]["expect"] if earlier else given
        self._agree("kind" in made, "a decision that can be given back")
        arguments = {"key": key, ("of" if earlier else "decision"): given, "now_ms": now_ms}
        self._number("refund", "refunded", arguments, says, lambda: self.limiter.refund(key, made, now_ms))

    def reset(self, says=None, key="a"):
        key = as_key(key)
        self._number("reset", "had_row", {"key": key}, says, lambda: self.limiter.reset(key))

    def sweep(self, now_ms, says=None):
        self._number("sweep", "removed", {"now_ms": now_ms}, says, lambda: self.limiter.sweep(now_ms))

    def len(self, says=None):
        self._number("len", "len", {}, says, self.limiter.len)

    def stats(self, says=None):
        """Takes the four counts as "allowed denied saturated exceeds_limit"."""
        expect = self.record("stats", {}, lambda: {"stats": self.limiter.stats()})
        got = " ".join(str(count) for count in expect["stats"].values())
        self._agree(says is None or got == says, says)

    def clear(self):
        self.limiter.clear()
        self.steps.append({"op": "clear", "expect": {}})

    def as_data(self):
        data = {"type": self.type, "name": self.name, "why": self.why}
        if self.fault:
            data["fault"] = self.fault
        data["policies"] = self.policies
        if self.max_identities is not None:
            data["max_identities"] = self.max_identities
        if any(isinstance(step.get(field), str) for step in self.steps for field in ("cost", "now_ms")):
            data["beyond_u64"] = True
        data["steps"] = self.steps
        return data


class Question:
    """A question of one type with the model's answer: `ask` returns it as data and in words, `words` says a refusal."""

    steps = ()

    def __init__(self, kind, name, why, asked, ask, words, says, fault=()):
        self.type = kind
        self.name = name
        self.fault = list(fault)
        self.data = {"type": kind, "name": name, "why": why}
        if fault:
            self.data["fault"] = self.fault
        self.data.update(asked)
        try:
            self.data["expect"], got = ask()
        except Refused as refused:
            self.data["expect"] = {"error": refused.as_data()}
            got = words(refused)
        if got != says:
            raise Disagreement(f"{name}: {says!r} is said where the model says {got!r}")

    def as_data(self):
        return self.data


class Configuration(Question):
    """Says whether a configuration is accepted: "ok", or the error as "code field"."""

    type = "config"

    def __init__(self, name, why, policies, says, max_identities=None, fault=()):
        policies = policies if isinstance(policies, list) else [policies]
        asked = {"policies": policies}
        if max_identities is not None:
            asked["max_identities"] = max_identities
        written = [max_identities] + [value for policy in policies for value in list(policy.values())[1:]]
        if any(isinstance(value, str) for value in written):
            asked["beyond_u64"] = True

        def ask():
            judge_config(policies, 1 if max_identities is None else max_identities)
            return {"accepted": True}, "ok"

        def words(refused):
            return f"{refused.code} {refused.field}"

        super().__init__(self.type, name, why, asked, ask, words, says, fault)


class PolicyText(Question):
    """Says what a text means: its canonical text, or the error as "code field offset"."""

    type = "text"

    def __init__(self, name, why, text, says, fault=()):
        def ask():
            policies = policy_text.parse(text)
            canonical = policy_text.write(policies)
            if policy_text.parse(canonical) != policies:
                raise Disagreement(f"{name}: {canonical!r} does not parse back")
            return {"policies": policies, "canonical": canonical}, canonical

        def words(refused):
            return f"{refused.code} {refused.field} {refused.offset}"

        super().__init__(self.type, name, why, {"text": text}, ask, words, says, fault)
