"""Reads and writes policies as text, such as "100/minute; bucket 10 + 1/s".

    text = part *( ";" part )                                 1 to 4 parts, none empty
    part = [ "fixed" | "sliding" ] rate | "bucket" rate | "bucket" number "+" rate
    rate = number ( "/" | "per" ) [ number ] unit             the second number counts units, 1 if left out

A token is a run of ASCII digits, a run of ASCII letters in any case, or one of / + ; with spaces and
tabs wherever they please between tokens. The whole text must follow the grammar before its parts are
counted, and the parts must be countable before any value is judged. Offsets count bytes of UTF-8.
"""

from policy import MAX_POLICIES, judge_policy
from refusal import POLICY_COUNT, POLICY_SYNTAX, Refused

DIGITS = b"0123456789"
LETTERS = b"abcdefghijklmnopqrstuvwxyz"
BLANKS = b" \t"
SIGNS = b"/+;"

UNITS = [
    (("d", "day", "days"), 24 * 60 * 60 * 1000),
    (("h", "hour", "hours"), 60 * 60 * 1000),
    (("m", "min", "minute", "minutes"), 60 * 1000),
    (("s", "second", "seconds"), 1000),
    (("ms", "millisecond", "milliseconds"), 1),
]
UNIT_MS = {word: length for words, length in UNITS for word in words}
ALGORITHM_WORDS = {"fixed": "fixed_window", "sliding": "sliding_window", "bucket": "token_bucket"}
WORDS = {algorithm: word for word, algorithm in ALGORITHM_WORDS.items()}


class Number:
    """A number in the text and the byte at which it begins."""

    def __init__(self, value, offset):
        self.value = value
        self.offset = offset


class Reader:
    """Stands before the next token of a text."""

    def __init__(self, text):
        self.bytes = text.encode("utf-8").lower()
        self.offset = 0
        self._find_token()

    def _find_token(self):
        while self.offset < len(self.bytes) and self.bytes[self.offset] in BLANKS:
            self.offset += 1
        end = self.offset
        self.kind = "end" if end == len(self.bytes) else "junk"
        for kind, alphabet in (("number", DIGITS), ("word", LETTERS)):
            while end < len(self.bytes) and self.bytes[end] in alphabet:
                end += 1
            if end > self.offset:
                self.kind = kind
                break
        if self.kind == "junk" and self.bytes[end] in SIGNS:
            end += 1
            self.kind = "sign"
        self.token = self.bytes[self.offset : end].decode("ascii")

    def refuse(self):
        raise Refused(POLICY_SYNTAX, "policies", self.offset)

    def is_at(self, *tokens):
        return self.kind in ("word", "sign") and self.token in tokens

    def step(self):
        token = self.token
        self.offset += len(token)
        self._find_token()
        return token

    def expect(self, *tokens):
        if not self.is_at(*tokens):
            self.refuse()
        return self.step()

    def number(self):
        if self.kind != "number":
            self.refuse()
        offset = self.offset
        digits = self.step().lstrip("0")
        # Any number of digits may be written, and forty of them are out of every range already.
        return Number(int(digits[:40] or "0"), offset)


class Part:
    """One policy as read, its values not judged yet."""

    def __init__(self, reader):
        self.offset = reader.offset
        word = reader.step() if reader.is_at(*ALGORITHM_WORDS) else "fixed"
        self.algorithm = ALGORITHM_WORDS[word]
        self.first = self.amount = reader.number()
        if word == "bucket" and reader.is_at("+"):
            reader.step()
            self.amount = reader.number()
        reader.expect("/", "per")
        times = reader.number() if reader.kind == "number" else Number(1, reader.offset)
        self.window = Number(times.value * UNIT_MS[reader.expect(*UNIT_MS)], times.offset)

    def policy(self):
        if self.algorithm == "token_bucket":
            return {
                "algorithm": self.algorithm,
                "capacity": self.first.value,
                "refill": self.amount.value,
                "refill_period_ms": self.window.value,
            }
        return {"algorithm": self.algorithm, "limit": self.first.value, "window_ms": self.window.value}

    def judge(self):
        offsets = {
            "limit": self.first.offset,
            "capacity": self.first.offset,
            "refill": self.amount.offset,
            "window_ms": self.window.offset,
            "refill_period_ms": self.window.offset,
        }
        try:
            judge_policy(self.policy())
        except Refused as refused:
            raise Refused(refused.code, refused.field, offsets[refused.field]) from None


def parse(text):
    """Returns the policies that a text names, in order."""
    reader = Reader(text)
    parts = [Part(reader)]
    while reader.is_at(";"):
        reader.step()
        parts.append(Part(reader))
    if reader.kind != "end":
        reader.refuse()
    if len(parts) > MAX_POLICIES:
        raise Refused(POLICY_COUNT, "policies", parts[MAX_POLICIES].offset)
    for part in parts:
        part.judge()
    return [part.policy() for part in parts]


def write(policies):
    """Returns the one text that stands for these policies; it parses back to them."""
    return "; ".join(write_one(policy) for policy in policies)


def write_one(policy):
    word = WORDS[policy["algorithm"]]
    if word == "bucket":
        amount = f"{policy['capacity']} + {policy['refill']}"
        return f"{word} {amount}/{write_length(policy['refill_period_ms'])}"
    return f"{word} {policy['limit']}/{write_length(policy['window_ms'])}"


def write_length(length):
    """Writes milliseconds in the longest unit that divides them: a word for one unit, else as in 30s."""
    for words, unit in UNITS:
        if length % unit == 0:
            times = length // unit
            one = words[-1].removesuffix("s")
            return one if times == 1 else f"{times}{words[0]}"
    raise AssertionError("every whole number of milliseconds is some number of milliseconds")
