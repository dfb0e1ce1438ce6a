"""Builds the cases of limits over HTTP: each a question with one answer.

The model supplies what is expected; beside each case stands, in a few words, what must come out, and the generator
stops where the two disagree.
"""

from case import Question
from over_http import address, answer, client, terms


def as_bytes(given):
    return given.encode("utf-8") if isinstance(given, str) else given


def as_data(content):
    """Writes bytes as a vector holds them: text where they are printable ASCII, else hex."""
    if content is None:
        return None
    plain = all(32 <= byte < 127 for byte in content)
    return {"text": content.decode("ascii")} if plain else {"hex": content.hex()}


def question(kind, name, why, asked, ask, says, **more):
    """Asks; an error is said by its field."""
    return Question(kind, name, why, asked, ask, lambda refused: f"E {refused.field}", says, **more)


def address_case(name, why, text, says, prefix=64, **more):
    """Says the key that an address is, or None if it is none."""
    text = as_bytes(text)

    def ask():
        found = address.parse(text)
        key = None if found is None else address.key(found, prefix)
        return {"key": key}, key

    return question("address", name, why, {"text": as_data(text), "ipv6_prefix": prefix}, ask, says, **more)


def client_case(name, why, options, peer, lines, says, **more):
    """Says the client's key, with a "!" after it where the field is from a peer that is not trusted."""
    lines = [as_bytes(line) for line in ([lines] if isinstance(lines, (str, bytes)) else lines)]
    peer = None if peer is None else as_bytes(peer)

    def ask():
        key, untrusted = client.client(options, peer, lines)
        return {"key": key, "untrusted_field": untrusted}, key + ("!" if untrusted else "")

    asked = {"options": options, "peer": as_data(peer), "lines": [as_data(line) for line in lines]}
    return question("client", name, why, asked, ask, says, **more)


def header_case(name, why, lines, says, **more):
    lines = [as_bytes(line) for line in lines]

    def ask():
        key = client.header(lines)
        return {"key": as_data(key)}, key

    return question("header", name, why, {"lines": [as_data(line) for line in lines]}, ask, says, **more)


def parts_case(name, why, parts, says, **more):
    parts = [None if part is None else as_bytes(part) for part in parts]

    def ask():
        key = client.joined(parts)
        return {"joined": as_data(key)}, key

    return question("parts", name, why, {"parts": [as_data(part) for part in parts]}, ask, says, **more)


def answer_case(name, why, limits, says, accept=(), **more):
    """Says the status ("pass" if all allowed), then the fields as "name: value", each on its own."""
    accept = [as_bytes(line) for line in accept]

    def ask():
        asked = [answer.Asked(limit) for limit in limits]
        fields = answer.fields(asked)
        refused = answer.refusal(asked, accept)
        status = "pass" if refused is None else str(refused["status"])
        return {"fields": fields, "refusal": refused}, [status, *(f"{field}: {value}" for field, value in fields)]

    asked = {"limits": limits, "accept": [as_data(line) for line in accept]}
    return question("answer", name, why, asked, ask, says, **more)


def missing_key_case(name, why, accept, says, **more):
    accept = [as_bytes(line) for line in accept]

    def ask():
        refused = answer.missing_key(accept)
        return {"refusal": refused}, refused["content_type"].split(";")[0]

    return question("missing_key", name, why, {"accept": [as_data(line) for line in accept]}, ask, says, **more)


def refund_case(name, why, refund_if, outcome, says, **more):
    def ask():
        back = terms.refunds(refund_if, outcome)
        return {"refund": back}, back

    return question("refund", name, why, {"refund_if": refund_if, "outcome": outcome}, ask, says, **more)
