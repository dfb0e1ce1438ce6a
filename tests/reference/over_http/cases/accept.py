from case import fixed
from over_http.case import answer_case, missing_key_case
from over_http.cases.answers import denied

NAME = "accept"
PROBES = (
    "Whether a refusal is JSON or plain text, by what the client says it accepts; and the refusal of a missing key."
)

JSON, TEXT = "application/problem+json", "text/plain"


def cases():
    limits = [{"policies": [fixed(100, 60_000)], "fields": "off", "decision": denied(30_000)}]
    for index, (lines, says, why) in enumerate(accepted(), 1):
        yield missing_key_case(f"accept-{index}", why, lines, says)
        yield answer_case(f"accept-denied-{index}", why, limits, ["429", "retry-after: 30"], accept=lines)


def accepted():
    why = "Who says nothing takes anything."
    for lines in ([], [""], [" \t "], ["", ","]):
        yield lines, JSON, why
    why = "A range takes JSON if it names it, or covers it."
    for text in ("application/problem+json", "application/json", "application/*", "*/*", "APPLICATION/JSON", " */* "):
        yield [text], JSON, why
    why = "Parameters other than the weight say nothing."
    for text in ("application/json;version=2", 'application/json; a="b,c"', "application/json ; q=0.5;ext", "*/*;Q=1"):
        yield [text], JSON, why
    why = "One range of several is enough, also on another line."
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    for lines in (["text/html, application/json;q=0.001"], [browser], ["text/html", "application/json"]):
        yield lines, JSON, why
    why = "No range takes JSON."
    for text in ("text/plain", "text/*", "text/html,application/xhtml+xml", "image/png", "json", "application/jsonp"):
        yield [text], TEXT, why
    for text in ("application", "application/", "*", "*/json", "application /json", "application/xml+json", "café/*"):
        yield [text], TEXT, why
    why = "A weight of 0 takes it out."
    for text in ("*/*;q=0", "application/*;q=0.0", "application/json;q=0.000", "application/json;q=0.", "*/* ; q = 0"):
        yield [text], TEXT, why
    why = "The most specific range decides."
    specific = "application/json;q=0, application/problem+json;q=0"
    yield [f"*/*, {specific}"], TEXT, why
    yield ["*/*, application/*;q=0"], TEXT, why
    yield ["*/*;q=0, application/*"], JSON, why
    yield ["application/*;q=0, application/json"], JSON, why
    yield ["*/*, application/json;q=0"], JSON, why + " The other of the two is still covered."
    yield ["application/json;q=0, application/json"], JSON, why + " Of two alike, the one that takes it."
    why = "A range whose weight is no weight is left out."
    for weight in ("", "1.1", "2", "-1", "0.0001", "abc", "01", ".5", "1.001", "0,5", "+0"):
        yield [f"application/json;q={weight}"], TEXT, why
    yield ["application/json;q"], TEXT, why
    yield ["application/json;q=2, */*;q=0.1"], JSON, why
    for weight in ("1", "1.", "1.0", "1.000", "0.1", "0.001", "0.999"):
        yield [f"application/json;q={weight}"], JSON, "A weight above 0."
    yield [b"\xff\xfe"], TEXT, "Bytes that are no text name nothing."
    yield ["," * 10_000], JSON, "Nothing, at length."
    yield ["text/html," * 1_000 + "*/*"], JSON, "A long list is read to its end."
