from case import bucket, fixed
from over_http.case import answer_case
from over_http.cases.answers import made

NAME = "terms"
PROBES = "Names and other options that are refused when a limiter is attached, and what they fall back to."

ONE = [fixed(100, 60_000)]
TWO = [fixed(100, 60_000), bucket(10, 1)]


def cases():
    def wrong(name, why, field, policies=ONE, **options):
        limits = [{"policies": policies, **options, "decision": made()}]
        return answer_case(name, why, limits, f"E {field}")

    why = "A name is printable ASCII and not empty."
    for index, name in enumerate(["", "é", "a\tb", "a\nb", "\x7f", "\x1f", "\0", "a\u2028", "名"], 1):
        yield wrong(f"name-{index}", why, "names", names=[name])
    yield wrong("second-name", why, "names", TWO, names=["fine", "not\r\nfine"])
    why = "Two policies of one limiter have two names."
    yield wrong("alike", why, "names", TWO, names=["same", "same"])
    why = "There are as many names as policies, or none."
    yield wrong("too-few", why, "names", TWO, names=["one"])
    yield wrong("too-many", why, "names", ONE, names=["one", "two"])
    why = "Names that differ in a letter's case differ."
    limits = [{"policies": TWO, "names": ["a", "A"], "fields": "off", "decision": made()}]
    yield answer_case("case", why, limits, ["pass"])
    limits = [{"policies": TWO, "names": ["default-1", "default-0"], "fields": "off", "decision": made()}]
    yield answer_case("as-if-left-out", "Names that others fall back to may be given.", limits, ["pass"])
    why = "Saturated is answered with 429 or 503."
    for status in (0, 200, 403, 428, 430, 500, 504, 65965):
        yield wrong(f"status-{status}", why, "saturated_status", saturated_status=status)
    why = "Fields are standard, legacy or off."
    for index, word in enumerate(["", "draft", "Standard", "OFF", "none", "legacy "], 1):
        yield wrong(f"fields-{index}", why, "fields", fields=word)
    why = "The names are judged before the status."
    yield wrong("first-names", why, "names", names=[""], saturated_status=1)
