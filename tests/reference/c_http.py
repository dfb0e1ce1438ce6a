"""Writes the cases of limits over HTTP as C. vectors_http.h says what the words mean."""

from c_include import decision, error, policy, sized, words

HEAD = """/* The vectors of limits over HTTP as plain C data. Written by tests/reference/generate.py; do not edit.
   Include vectors.h and vectors_http.h first: they declare the structures and macros that are used here. */

"""
STYLES = {"standard": 0, "legacy": 1, "off": 2}
OUTCOMES = {"refused_within": "UINT32_MAX", "none": "0u"}
KINDS = ("address", "client", "header", "parts", "answer", "refund")
# A compiler need not take longer literals.
LONGEST = 4000


def content(data):
    return data["text"].encode("ascii") if "text" in data else bytes.fromhex(data["hex"])


def in_c(data):
    """Tells whether C can ask this: a style there is a number, and a key that is joined has all its parts."""
    if data["type"] == "parts":
        return None not in data["parts"]
    return all(limit.get("fields", "off") in STYLES for limit in data.get("limits", ()))


class CaseWriter:
    """Writes one case's arrays under names of its own, and the line that stands for it in the list of its type."""

    def __init__(self, file, number, data):
        self.prefix = f"vector_http_{file.file[5:7]}_{number:03}"
        self.data = data
        self.expect = data["expect"]
        self.out = []
        self.head = ", ".join(words(text) for text in (file.file.removesuffix(".json"), data["name"], data["why"]))

    def array(self, kind, items):
        if not items:
            return "NULL, 0"
        full = f"{self.prefix}_{len(self.out)}"
        self.out.append(f"static const {kind} {full}[] = {{" + ", ".join(items) + "};\n")
        return f"{full}, {len(items)}"

    def bytes(self, data):
        """Writes bytes: as a literal, or the long ones as an array."""
        if data is None:
            return "{NULL, 0}"
        raw = content(data)
        if len(raw) <= LONGEST:
            return sized(raw)
        return f"{{{self.array('char', [str(byte) for byte in raw])}}}"

    def many(self, items):
        return self.array("struct vector_bytes", [self.bytes(item) for item in items])

    def texts(self, items):
        return self.array("struct vector_bytes", [sized(item.encode("utf-8")) for item in items])

    def line(self):
        return f"{{{self.head}, {getattr(self, self.data['type'])()}}}"

    def address(self):
        key = self.expect["key"]
        text = self.bytes(self.data["text"])
        return f"{text}, {self.data['ipv6_prefix']}, {words(key or 'unknown')}, {0 if key is None else 1}"

    def client(self):
        options, peer = self.data["options"], self.data["peer"]
        trusted = options.get("trusted_proxies", 0)
        hops, networks = (trusted, []) if isinstance(trusted, int) else (0, trusted)
        field = options.get("forwarding_field")
        named = "{NULL, 0}" if field is None else sized(field.encode("utf-8"))
        asked = f"UINT64_C({hops}), {self.texts(networks)}, {named}, UINT64_C({options.get('ipv6_prefix', 64)})"
        asked += f", {0 if peer is None else 1}, {self.bytes(peer)}, {self.many(self.data['lines'])}"
        untrusted = int(self.expect.get("untrusted_field", False))
        return f"{asked}, {words(self.expect.get('key', ''))}, {untrusted}, {error(self.expect)}"

    def header(self):
        return f"{self.many(self.data['lines'])}, {self.bytes(self.expect['key'])}"

    def parts(self):
        return f"{self.many(self.data['parts'])}, {self.bytes(self.expect['joined'])}"

    def limit(self, limit):
        policies = self.array("struct vector_policy", [policy(made) for made in limit["policies"]])
        style, status = STYLES[limit.get("fields", "standard")], limit.get("saturated_status", 429)
        made = decision(limit["decision"])
        return f"{{{policies}, {self.texts(limit.get('names', []))}, {style}, {status}u, {{{made}}}}}"

    def answer(self):
        limits = self.array("struct vector_http_limit", [self.limit(limit) for limit in self.data.get("limits", [])])
        fields = "".join(f"{name}: {value}\r\n" for name, value in self.expect.get("fields", []))
        refusal = self.expect.get("refusal") or {"status": 0, "content_type": "", "body": ""}
        said = f"{refusal['status']}u, {words(refusal['content_type'])}, {words(refusal['body'])}"
        return f"{limits}, {self.many(self.data['accept'])}, {words(fields)}, {said}, {error(self.expect)}"

    missing_key = answer

    def refund(self):
        ranges = self.array(
            "struct vector_http_range", [f"{{{low}u, {high}u}}" for low, high in self.data["refund_if"]]
        )
        outcome = self.data["outcome"]
        outcome = OUTCOMES.get(outcome) or f"{outcome}u"
        return f"{ranges}, {outcome}, {int(self.expect.get('refund', False))}, {error(self.expect)}"


def include(files):
    """Returns the whole of vectors_http.inc; cases that C cannot ask are left out and counted."""
    lists = {kind: [] for kind in KINDS}
    arrays, left_out = [], 0
    for file in files:
        for number, case in enumerate(file.cases):
            data = case.as_data()
            if not in_c(data):
                left_out += 1
                continue
            writer = CaseWriter(file, number, data)
            lists["answer" if case.type == "missing_key" else case.type].append(writer.line())
            arrays += writer.out
    out = [HEAD, *arrays]
    for kind, lines in lists.items():
        name = f"VECTOR_HTTP_{kind.upper()}_COUNT"
        out.append(f"#define {name} {len(lines)}\n")
        listed = ",\n  ".join(lines)
        out.append(f"static const struct vector_http_{kind} vector_http_{kind}_cases[{name}] = {{\n  {listed}\n}};\n")
    out.append(f"#define VECTOR_HTTP_LEFT_OUT_COUNT {left_out} /* words and missing parts, which C has not */\n")
    return "".join(out)
