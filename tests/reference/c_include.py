"""Writes the cases as C, so that a C runner parses no JSON. vectors.h says what the words mean."""

from identity import identity, joined

ALGORITHMS = {
    "fixed_window": "VECTOR_FIXED_WINDOW",
    "token_bucket": "VECTOR_TOKEN_BUCKET",
    "sliding_window": "VECTOR_SLIDING_WINDOW",
}
KINDS = {
    "allowed": "VECTOR_ALLOWED",
    "denied": "VECTOR_DENIED",
    "saturated": "VECTOR_SATURATED",
    "exceeds_limit": "VECTOR_EXCEEDS_LIMIT",
}
OPS = {
    op: f"VECTOR_OP_{op.upper()}"
    for op in ("check", "peek", "remaining", "refund", "reset", "sweep", "len", "stats", "clear")
}
ANSWERS = ("remaining", "refunded", "had_row", "removed", "len")

HEAD = """/* The vectors as plain C data. Written by tests/reference/generate.py; do not edit.
   Include vectors.h first: it declares the structures and macros that are used here. */

"""


def quoted(content):
    """Writes bytes as a string literal; octal escapes end by themselves, and '?' could begin a trigraph."""
    out = []
    for byte in content:
        character = chr(byte)
        plain = 32 <= byte < 127 and character not in '"\\?'
        out.append(character if plain else f"\\{byte:03o}")
    return '"' + "".join(out) + '"'


def words(text):
    return quoted(text.encode("utf-8"))


def sized(content):
    return f"VECTOR_BYTES({quoted(content)}, {len(content)})"


def error(expect):
    """Writes the error that is expected, or that there is none."""
    if "error" not in expect:
        return "VECTOR_NO_ERROR"
    made = expect["error"]
    return f"VECTOR_ERROR({made['code']}, {words(made['name'])}, {words(made['field'])}, {made.get('offset', 0)})"


def decision(made):
    retry = "VECTOR_NEVER" if made["retry_after_ms"] is None else f"UINT64_C({made['retry_after_ms']})"
    numbers = ", ".join(f"{made[field]}u" for field in ("policy", "limit", "remaining", "cost"))
    return f"{KINDS[made['kind']]}, {numbers}, UINT64_C({made['reset_after_ms']}), {retry}, UINT64_C({made['at_ms']})"


def policy(made):
    numbers = [
        made.get(names[0], made.get(names[1], 0))
        for names in (("limit", "capacity"), ("window_ms", "refill_period_ms"), ("refill", ""))
    ]
    return f"{{{ALGORITHMS[made['algorithm']]}, " + ", ".join(f"UINT64_C({number})" for number in numbers) + "}"


class CaseWriter:
    """Writes one case's arrays under names of its own, and the line that stands for it in the list of its type."""

    def __init__(self, file, number, data):
        self.prefix = f"vector_{file.file[:2]}_{number:03}"
        self.file = file.file.removesuffix(".json")
        self.data = data
        self.out = []

    def array(self, kind, name, items):
        """Declares an array and returns its name; C has no empty arrays, so none is a null pointer."""
        if not items:
            return "NULL"
        full = f"{self.prefix}_{name}"
        self.out.append(f"static const struct {kind} {full}[] = {{\n  " + ",\n  ".join(items) + "\n};\n")
        return full

    def head(self):
        return f"{words(self.file)}, {words(self.data['name'])}, {words(self.data['why'])}"

    def policies(self, policies):
        return f"{self.array('vector_policy', 'policies', [policy(made) for made in policies])}, {len(policies)}"

    def cap(self):
        cap = self.data.get("max_identities")
        return "0, UINT64_C(0)" if cap is None else f"1, UINT64_C({cap})"

    def config(self):
        policies = self.policies(self.data["policies"])
        return f"{{{self.head()}, {policies}, {self.cap()}, {error(self.data['expect'])}}}"

    def text(self):
        expect = self.data["expect"]
        policies = self.policies(expect.get("policies", []))
        text, canonical = sized(self.data["text"].encode("utf-8")), words(expect.get("canonical", ""))
        return f"{{{self.head()}, {text}, {policies}, {canonical}, {error(expect)}}}"

    def world(self):
        policies = self.policies(self.data["policies"])
        used = []
        for step in self.data["steps"]:
            if "key" in step and step["key"] not in used:
                used.append(step["key"])
        keys = self.array("vector_key", "keys", [self.key(index, key) for index, key in enumerate(used)])
        steps = self.array("vector_step", "steps", [self.step(step, used) for step in self.data["steps"]])
        return f"{{{self.head()}, {policies}, {self.cap()}, {keys}, {len(used)}, {steps}, {len(self.data['steps'])}}}"

    def key(self, index, key):
        kind, content = identity(key)
        if kind == "plain":
            return f"VECTOR_PLAIN({quoted(content)}, {len(content)})"
        parts = self.array("vector_bytes", f"parts_{index}", [sized(part) for part in content])
        return f"VECTOR_PARTS({quoted(joined(key))}, {len(joined(key))}, {parts}, {len(content)})"

    def step(self, step, keys):
        op, expect = step["op"], step["expect"]
        key = keys.index(step["key"]) if "key" in step else 0
        call = f"{OPS[op]}, {key}, UINT64_C({step.get('cost', 0)}), UINT64_C({step.get('now_ms', 0)})"
        if op == "refund":
            given = (
                f"{step['of']}, VECTOR_NO_DECISION"
                if "of" in step
                else f"-1, VECTOR_DECISION({decision(step['decision'])})"
            )
            return f"VECTOR_REFUND({call}, {given}, UINT64_C({expect.get('refunded', 0)}), {error(expect)})"
        if "error" in expect:
            return f"VECTOR_FAILS({call}, {error(expect)})"
        if "kind" in expect:
            return f"VECTOR_DECIDES({call}, {decision(expect)})"
        if op == "stats":
            counts = ", ".join(f"UINT64_C({expect['stats'][kind]})" for kind in KINDS)
            return f"VECTOR_COUNTS({call}, {counts})"
        answer = next((int(expect[name]) for name in ANSWERS if name in expect), 0)
        return f"VECTOR_ANSWERS({call}, UINT64_C({answer}))"


def include(files):
    """Returns the whole of vectors.inc; cases whose numbers no u64 holds are left out and counted."""
    lists = {"world": [], "config": [], "text": []}
    arrays, left_out = [], 0
    for file in files:
        for number, case in enumerate(file.cases):
            data = case.as_data()
            if data.get("beyond_u64"):
                left_out += 1
                continue
            writer = CaseWriter(file, number, data)
            lists[case.type].append(getattr(writer, case.type)())
            arrays += writer.out
    out = [HEAD, *arrays]
    for kind, lines in lists.items():
        out.append(f"#define VECTOR_{kind.upper()}_COUNT {len(lines)}\n")
        out.append(
            f"static const struct vector_{kind} vector_{kind}s[VECTOR_{kind.upper()}_COUNT] = {{\n  "
            + ",\n  ".join(lines)
            + "\n};\n"
        )
    out.append(f"#define VECTOR_LEFT_OUT_COUNT {left_out} /* numbers that no uint64_t holds */\n")
    return "".join(out)
