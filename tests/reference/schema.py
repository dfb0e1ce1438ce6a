"""Describes a vector file as JSON Schema, and holds generated files to it.

The part of JSON Schema that the description uses is judged here, so that nothing has to be
installed; any other validator will do as well.
"""

from policy import FIELDS
from refusal import NAMES

NUMBER = {"$ref": "#/$defs/number"}
COUNT = {"type": "integer", "minimum": 0}


def record(required, optional=None):
    """Describes an object with these members and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def ref(name):
    return {"$ref": f"#/$defs/{name}"}


def policy_schema():
    forms = []
    for algorithm, fields in FIELDS.items():
        forms.append(record({"algorithm": {"const": algorithm}, **{field: NUMBER for field in fields}}))
    return {"oneOf": forms}


def step(op, arguments, expect):
    outcomes = {"oneOf": [expect, record({"error": ref("error")})]}
    return record({"op": {"const": op}, **arguments, "expect": outcomes})


def step_schemas():
    key, now = {"key": ref("key")}, {"now_ms": NUMBER}
    call = {**key, "cost": NUMBER, **now}
    plain = [("reset", key, record({"had_row": {"type": "boolean"}})), ("len", {}, record({"len": COUNT}))]
    plain += [("stats", {}, record({"stats": ref("stats")})), ("clear", {}, record({}))]
    return [
        step("check", call, ref("decision")),
        step("peek", call, ref("decision")),
        step("remaining", {**key, **now}, record({"remaining": COUNT})),
        step("refund", {**key, "of": COUNT, **now}, record({"refunded": COUNT})),
        step("refund", {**key, "decision": ref("decision"), **now}, record({"refunded": COUNT})),
        step("sweep", now, record({"removed": COUNT})),
        *(record({"op": {"const": op}, **arguments, "expect": expect}) for op, arguments, expect in plain),
    ]


NAMED = {"name": {"type": "string"}, "why": {"type": "string"}}
OPTIONAL = {"fault": {"type": "array", "items": COUNT, "minItems": 1}}
LIMITS = {"policies": {"type": "array", "items": ref("policy")}}
CAP = {
    "max_identities": {**NUMBER, "description": "Left out: the default."},
    "beyond_u64": {
        "const": True,
        "description": "Some number of the case is written as text because no u64 holds it. "
        "Leave the case out, by name, where numbers cannot be so.",
    },
}


def cases_schema():
    accepted = record({"accepted": {"const": True}})
    parsed = record({**LIMITS, "canonical": {"type": "string"}})
    refused = record({"error": ref("error")})
    config = record(
        {"type": {"const": "config"}, **NAMED, **LIMITS, "expect": {"oneOf": [accepted, refused]}}, {**OPTIONAL, **CAP}
    )
    text = record(
        {"type": {"const": "text"}, **NAMED, "text": {"type": "string"}, "expect": {"oneOf": [parsed, refused]}},
        OPTIONAL,
    )
    steps = {"type": "array", "items": ref("step"), "minItems": 1}
    world = record({"type": {"const": "world"}, **NAMED, **LIMITS, "steps": steps}, {**OPTIONAL, **CAP})
    return {"oneOf": [world, config, text]}


def schema():
    hex_bytes = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Vectors of rate limiting decisions",
        "description": "A file holds cases of one theme. A world makes a limiter from its policies and max_identities "
        "and runs its steps in order; each expects a whole decision, a number, or an error that touched nothing. "
        "A config is a limiter that is or is not made. A text is a policy text that is or is not read. "
        "`why` is to be printed when a case fails; `fault` lists numbers of the public faults in index.json.",
        **record(
            {"name": {"type": "string"}, "probes": {"type": "string"}, "cases": {"type": "array", "items": ref("case")}}
        ),
        "$defs": {
            "number": {
                "description": "An integer of 0 to 2^64 - 1. Those that take part in a decision are below 2^53 and "
                "safe in a double; larger ones are only ever refused, so a reader that rounds them refuses them too. "
                "A number that no u64 holds is decimal text, and its case says beyond_u64.",
                "oneOf": [{"type": "integer", "minimum": 0, "maximum": 2**64 - 1}, {"type": "string"}],
            },
            "key": {
                "description": "text is its UTF-8; hex is bytes; "
                "parts is a list of byte strings in hex, a key of its own kind.",
                "oneOf": [
                    record({"text": {"type": "string"}}),
                    record({"hex": hex_bytes}),
                    record({"parts": {"type": "array", "items": hex_bytes}}),
                ],
            },
            "policy": policy_schema(),
            "decision": record(
                {
                    "kind": {"enum": ["allowed", "denied", "saturated", "exceeds_limit"]},
                    **{field: COUNT for field in ("policy", "limit", "remaining", "cost", "reset_after_ms")},
                    "retry_after_ms": {"oneOf": [COUNT, {"type": "null"}], "description": "null: waiting never helps."},
                    "at_ms": COUNT,
                }
            ),
            "stats": record({kind: COUNT for kind in ("allowed", "denied", "saturated", "exceeds_limit")}),
            "error": record(
                {"code": {"enum": list(NAMES)}, "name": {"enum": list(NAMES.values())}, "field": {"type": "string"}},
                {"offset": {**COUNT, "description": "Of a policy text: the byte at which it is wrong."}},
            ),
            "step": {
                "description": "`of` is the number, from 0, of the step whose decision is given back; "
                "`decision` is one that is written out.",
                "oneOf": step_schemas(),
            },
            "case": cases_schema(),
        },
    }


TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}


def is_of_type(value, name):
    if name == "integer":
        return type(value) is int
    return isinstance(value, TYPES[name])


def fits(value, form, whole):
    """Tells whether a value is as a form of the schema `whole` describes it."""
    if "$ref" in form:
        form = whole["$defs"][form["$ref"].removeprefix("#/$defs/")]
    if "const" in form and (value != form["const"] or type(value) is not type(form["const"])):
        return False
    if "enum" in form and value not in form["enum"]:
        return False
    if "oneOf" in form and sum(fits(value, other, whole) for other in form["oneOf"]) != 1:
        return False
    if "type" in form and not is_of_type(value, form["type"]):
        return False
    if form.get("type") == "integer":
        return form.get("minimum", value) <= value <= form.get("maximum", value)
    if form.get("type") == "array":
        return len(value) >= form.get("minItems", 0) and all(fits(item, form["items"], whole) for item in value)
    if form.get("type") == "object":
        return members_fit(value, form, whole)
    return "pattern" not in form or (len(value) % 2 == 0 and set(value) <= set("0123456789abcdef"))


def members_fit(value, form, whole):
    members = form["properties"]
    if not set(form["required"]) <= set(value) <= set(members):
        return False
    return all(fits(member, members[name], whole) for name, member in value.items())
