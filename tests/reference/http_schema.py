"""Describes a vector file of limits over HTTP as JSON Schema."""

from schema import COUNT, record, ref, schema

TEXT = {"type": "string"}
BYTES = ref("bytes")
LINES = {"type": "array", "items": BYTES}
NULL = {"type": "null"}
POLICIES = {"type": "array", "items": ref("policy")}


def or_null(form):
    return {"oneOf": [form, NULL]}


def case(kind, asked, expect):
    error = record({"error": ref("error")})
    head = {"type": {"const": kind}, "name": TEXT, "why": TEXT}
    body = {**asked, "expect": {"oneOf": [expect, error]}}
    return record({**head, **body}, {"fault": {"type": "array", "items": COUNT, "minItems": 1}})


def client_options():
    networks = {"type": "array", "items": TEXT}
    return record({}, {"trusted_proxies": {"oneOf": [COUNT, networks]}, "forwarding_field": TEXT, "ipv6_prefix": COUNT})


def limit():
    options = {"names": {"type": "array", "items": TEXT}, "fields": TEXT, "saturated_status": COUNT}
    return record({"policies": POLICIES, "decision": ref("decision")}, options)


def cases():
    refusal = record({"status": COUNT, "content_type": TEXT, "body": TEXT})
    field = {"type": "array", "items": TEXT, "minItems": 2}
    answer = record({"fields": {"type": "array", "items": field}, "refusal": or_null(refusal)})
    client = record({"key": TEXT, "untrusted_field": {"type": "boolean"}})
    pair = {"type": "array", "items": COUNT, "minItems": 2}
    outcome = {"oneOf": [COUNT, {"enum": ["refused_within", "none"]}]}
    return [
        case("address", {"text": BYTES, "ipv6_prefix": COUNT}, record({"key": or_null(TEXT)})),
        case("client", {"options": client_options(), "peer": or_null(BYTES), "lines": LINES}, client),
        case("header", {"lines": LINES}, record({"key": or_null(BYTES)})),
        case("parts", {"parts": {"type": "array", "items": or_null(BYTES)}}, record({"joined": or_null(BYTES)})),
        case("answer", {"limits": {"type": "array", "items": limit(), "minItems": 1}, "accept": LINES}, answer),
        case("missing_key", {"accept": LINES}, record({"refusal": refusal})),
        case(
            "refund",
            {"refund_if": {"type": "array", "items": pair}, "outcome": outcome},
            record({"refund": {"type": "boolean"}}),
        ),
    ]


def http_schema():
    shared = schema()["$defs"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Vectors of limits over HTTP",
        "description": "A file holds cases of one theme; each is one question with one answer. An address is or is no "
        "key. A client is found from the peer and the lines of the forwarding field (none is left out of `lines`). A "
        "header and parts make a key or none. An answer lists the fields of a response, outermost limit first, and the "
        "refusal if the last limit refused. A missing_key is refused, where that was asked for. A refund tells whether "
        "a permit comes back once the response is known. Options that are left out have their defaults.",
        **record({"name": TEXT, "probes": TEXT, "cases": {"type": "array", "items": {"oneOf": cases()}}}),
        "$defs": {
            "bytes": {
                "description": "text is its ASCII; hex is bytes.",
                "oneOf": [record({"text": TEXT}), record({"hex": {**TEXT, "pattern": "^([0-9a-f]{2})*$"}})],
            },
            **{name: shared[name] for name in ("number", "policy", "decision", "error")},
        },
    }
