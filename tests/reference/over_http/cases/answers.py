from case import bucket, fixed, sliding
from model import decision
from over_http.case import answer_case as case

NAME = "answers"
PROBES = "What a response says of each kind of decision: status, fields and body; stacks, nested limits, older fields."

HUNDRED = fixed(100, 60_000)


def made(kind="allowed", policy=0, limit=100, remaining=50, reset=29_001, retry=0, cost=1, at=0):
    return decision(kind, policy, limit, remaining, cost, reset, retry, at)


def denied(retry, **more):
    return made("denied", remaining=0, reset=more.pop("reset", retry), retry=retry, **more)


SATURATED = made("saturated", remaining=0, reset=4_001, retry=4_001)
EXCEEDS = made("exceeds_limit", remaining=0, reset=0, retry=None, cost=101)
POLICY = 'ratelimit-policy: "default";q=100;w=60'


def limit(policies, decision, **options):
    return {"policies": policies if isinstance(policies, list) else [policies], **options, "decision": decision}


def cases():
    yield from kinds()
    yield from seconds()
    yield from longest()
    yield from windows()
    yield from names()
    yield from stacks()
    yield from styles()
    yield from nested()


def kinds():
    item = 'ratelimit: "default";r=50;t=30'
    yield case("allowed", "An allowed request is told what is left.", [limit(HUNDRED, made())], ["pass", POLICY, item])
    why = "A denied one is told how long to wait: t and Retry-After are the same."
    says = ["429", POLICY, 'ratelimit: "default";r=0;t=31', "retry-after: 31"]
    yield case("denied", why, [limit(HUNDRED, denied(30_001, reset=7_000))], says, fault=[98])
    why = "Who asked for more than is left is told what is left, and when there is enough."
    says = ["429", POLICY, 'ratelimit: "default";r=3;t=31', "retry-after: 31"]
    yield case("denied-with-some-left", why, [limit(HUNDRED, {**denied(30_001), "remaining": 3, "cost": 5})], says)
    why = "Saturated says nothing of the key, for nothing is known of it."
    says = ["429", POLICY, "retry-after: 5", "x-ratelimit-saturated: true"]
    yield case("saturated", why, [limit(HUNDRED, SATURATED)], says)
    why = "503 is for those who ask for it."
    says = ["503", POLICY, "retry-after: 5", "x-ratelimit-saturated: true"]
    yield case("saturated-503", why, [limit(HUNDRED, SATURATED, saturated_status=503)], says)
    yield case(
        "denied-503",
        "It is for saturated alone.",
        [limit(HUNDRED, denied(1), saturated_status=503)],
        ["429", POLICY, 'ratelimit: "default";r=0;t=1', "retry-after: 1"],
    )
    why = "Where waiting never helps there is no t and no Retry-After."
    yield case("exceeds-limit", why, [limit(HUNDRED, EXCEEDS)], ["429", POLICY, 'ratelimit: "default";r=0'])
    why = "Whoever takes no JSON gets the same as plain text."
    for name, decision, status in (
        ("denied", denied(1), "429"),
        ("saturated", SATURATED, "503"),
        ("exceeds", EXCEEDS, "429"),
    ):
        limits = [limit(HUNDRED, decision, saturated_status=503, fields="off")]
        says = [status] + {
            "denied": ["retry-after: 1"],
            "saturated": ["retry-after: 5", "x-ratelimit-saturated: true"],
        }.get(name, [])
        yield case(f"text-{name}", why, limits, says, accept=["text/html"])


def seconds():
    why = "Seconds are whole and rounded up, and never 0 for who has to wait."
    for ms, t in (
        (1, 1),
        (999, 1),
        (1_000, 1),
        (1_001, 2),
        (59_999, 60),
        (31_622_400_000, 31_622_400),
        (2**53 - 1, 9_007_199_254_741),
    ):
        says = ["429", POLICY, f'ratelimit: "default";r=0;t={t}', f"retry-after: {t}"]
        yield case(f"denied-{ms}", why, [limit(HUNDRED, denied(ms))], says, fault=[22])
        says = ["pass", POLICY, f'ratelimit: "default";r=50;t={t}']
        yield case(f"allowed-{ms}", why, [limit(HUNDRED, made(reset=ms))], says)
    says = ["429", POLICY, 'ratelimit: "default";r=0;t=1', "retry-after: 1"]
    yield case("denied-0", why, [limit(HUNDRED, denied(0))], says)
    says = ["pass", POLICY, 'ratelimit: "default";r=100;t=0']
    yield case("allowed-full", "Nothing is to come back.", [limit(HUNDRED, made(remaining=100, reset=0))], says)


def longest():
    why = "A wait that only a decision made by hand has is cut to the most that a field can say."
    for ms in (999_999_999_999_999_000, 999_999_999_999_999_001, 2**64 - 2):
        says = ["429", POLICY, 'ratelimit: "default";r=0;t=999999999999999', "retry-after: 999999999999999"]
        yield case(f"denied-{ms}", why, [limit(HUNDRED, denied(ms))], says)
    says = ["pass", POLICY, 'ratelimit: "default";r=50;t=999999999999999']
    yield case("allowed-longest", why, [limit(HUNDRED, made(reset=2**64 - 1))], says)


def windows():
    why = "w is the window, a bucket's the time from empty to full, in seconds rounded up."
    for index, (policy, q, w) in enumerate(
        [
            (fixed(1, 1), 1, 1),
            (fixed(5, 1_000), 5, 1),
            (fixed(5, 1_001), 5, 2),
            (fixed(2**32 - 1, 31_622_400_000), 2**32 - 1, 31_622_400),
            (sliding(30, 10_000), 30, 10),
            (bucket(10, 1), 10, 10),
            (bucket(10, 3), 10, 4),
            (bucket(1, 1_000), 1, 1),
            (bucket(0, 1), 0, 0),
            (bucket(2**20, 1, 2**32), 2**20, 4_503_599_627_371),
            (bucket(2**32 - 1, 2**32 - 1, 1), 2**32 - 1, 1),
        ],
        1,
    ):
        says = ["pass", f'ratelimit-policy: "default";q={q};w={w}', 'ratelimit: "default";r=50;t=30']
        yield case(f"window-{index}", why, [limit(policy, made(limit=q))], says)


def names():
    why = "A name is quoted as structured fields quote it, and escaped in JSON."
    for index, (name, quoted) in enumerate(
        [
            ("login", "login"),
            ("a b;c=d,e", "a b;c=d,e"),
            ('say "no"', r"say \"no\""),
            ("back\\slash", r"back\\slash"),
            ("~!'()*/<>", "~!'()*/<>"),
            (" ", " "),
            ("n" * 1000, "n" * 1000),
        ],
        1,
    ):
        limits = [limit(HUNDRED, denied(30_000), names=[name])]
        says = ["429", f'ratelimit-policy: "{quoted}";q=100;w=60', f'ratelimit: "{quoted}";r=0;t=30', "retry-after: 30"]
        yield case(f"name-{index}", why, limits, says)
        yield case(f"name-in-text-{index}", why, limits, says, accept=["text/plain"])


def stacks():
    stack = [fixed(5, 1_000), sliding(1_000, 86_400_000)]
    policies = 'ratelimit-policy: "default-0";q=5;w=1, "default-1";q=1000;w=86400'
    why = "Of a stack every policy is listed, and the one that the decision speaks of has the item."
    decision = made(policy=1, limit=1_000, remaining=3, reset=5_000)
    yield case("stack", why, [limit(stack, decision)], ["pass", policies, 'ratelimit: "default-1";r=3;t=5'])
    says = ["429", policies, 'ratelimit: "default-0";r=0;t=1', "retry-after: 1"]
    yield case("stack-denied", why, [limit(stack, denied(700, limit=5))], says)
    says = ["429", policies, 'ratelimit: "default-1";r=0']
    yield case("stack-exceeds", why, [limit(stack, {**EXCEEDS, "policy": 1})], says)
    says = ["429", policies, "retry-after: 5", "x-ratelimit-saturated: true"]
    yield case("stack-saturated", why, [limit(stack, SATURATED)], says)
    named = {"names": ["burst", "daily"]}
    policies = 'ratelimit-policy: "burst";q=5;w=1, "daily";q=1000;w=86400'
    yield case("stack-named", why, [limit(stack, decision, **named)], ["pass", policies, 'ratelimit: "daily";r=3;t=5'])
    four = [fixed(1, 1_000), fixed(2, 2_000), fixed(3, 3_000), bucket(4, 1)]
    policies = "ratelimit-policy: " + ", ".join(f'"default-{at}";q={at + 1};w={at + 1}' for at in range(4))
    yield case(
        "stack-of-four", why, [limit(four, made(policy=3))], ["pass", policies, 'ratelimit: "default-3";r=50;t=30']
    )


def styles():
    why = "The older fields are added, in seconds from now."
    legacy = {"fields": "legacy"}
    item = 'ratelimit: "default";r=50;t=30'
    old = ["x-ratelimit-limit: 100", "x-ratelimit-remaining: 50", "x-ratelimit-reset: 30"]
    yield case("legacy", why, [limit(HUNDRED, made(), **legacy)], ["pass", POLICY, item, *old])
    old = ["x-ratelimit-limit: 100", "x-ratelimit-remaining: 0", "x-ratelimit-reset: 31"]
    says = ["429", POLICY, 'ratelimit: "default";r=0;t=31', *old, "retry-after: 31"]
    yield case("legacy-denied", why, [limit(HUNDRED, denied(30_001), **legacy)], says)
    says = ["429", POLICY, 'ratelimit: "default";r=0', "x-ratelimit-limit: 100", "x-ratelimit-remaining: 0"]
    yield case("legacy-exceeds", "Without t there is no reset.", [limit(HUNDRED, EXCEEDS, **legacy)], says)
    says = ["429", POLICY, "retry-after: 5", "x-ratelimit-saturated: true"]
    yield case("legacy-saturated", "Saturated has none of the three.", [limit(HUNDRED, SATURATED, **legacy)], says)
    why = "Switched off there are none, but a refusal still says how long to wait."
    off = {"fields": "off"}
    yield case("off", why, [limit(HUNDRED, made(), **off)], ["pass"])
    yield case("off-denied", why, [limit(HUNDRED, denied(30_001), **off)], ["429", "retry-after: 31"])
    yield case("off-exceeds", why, [limit(HUNDRED, EXCEEDS, **off)], ["429"])
    says = ["429", "retry-after: 5", "x-ratelimit-saturated: true"]
    yield case("off-saturated", why, [limit(HUNDRED, SATURATED, **off)], says)


def nested():
    outer = fixed(1_000, 3_600_000)
    site = limit(outer, made(limit=1_000, remaining=900, reset=60_000), names=["site"])
    policies = 'ratelimit-policy: "site";q=1000;w=3600, "login";q=100;w=60'
    why = "Nested limits append their items, outermost first."
    inner = limit(HUNDRED, made(), names=["login"])
    item = 'ratelimit: "site";r=900;t=60, "login";r=50;t=30'
    yield case("nested", why, [site, inner], ["pass", policies, item])
    third = limit(sliding(3, 1_000), made(limit=3, remaining=2, reset=1_000), names=["third"])
    says = ["pass", policies + ', "third";q=3;w=1', item + ', "third";r=2;t=1']
    yield case("nested-thrice", why, [site, inner, third], says)
    why = "The innermost that was asked refuses; the fields show what the outer ones decided."
    refused = limit(HUNDRED, denied(30_000), names=["login"])
    item = 'ratelimit: "site";r=900;t=60, "login";r=0;t=30'
    yield case("nested-denied", why, [site, refused], ["429", policies, item, "retry-after: 30"])
    full = limit(HUNDRED, SATURATED, names=["login"], saturated_status=503)
    says = ["503", policies, 'ratelimit: "site";r=900;t=60', "retry-after: 5", "x-ratelimit-saturated: true"]
    yield case("nested-saturated", why, [site, full], says)
    why = "One limiter attached twice is listed twice, for it charged twice."
    says = ["pass", f'{POLICY}, "default";q=100;w=60', 'ratelimit: "default";r=50;t=30, "default";r=49;t=30']
    yield case("nested-same", why, [limit(HUNDRED, made()), limit(HUNDRED, made(remaining=49))], says)

    why = "The older fields are those of the innermost limit that sends them."
    legacy = {"fields": "legacy"}
    old = ["x-ratelimit-limit: 100", "x-ratelimit-remaining: 50", "x-ratelimit-reset: 30"]
    item = 'ratelimit: "site";r=900;t=60, "login";r=50;t=30'
    yield case("nested-legacy", why, [{**site, **legacy}, {**inner, **legacy}], ["pass", policies, item, *old])
    old = ["x-ratelimit-limit: 1000", "x-ratelimit-remaining: 900", "x-ratelimit-reset: 60"]
    yield case("nested-legacy-outer", why, [{**site, **legacy}, inner], ["pass", policies, item, *old])
    says = ["503", policies, 'ratelimit: "site";r=900;t=60', "retry-after: 5", "x-ratelimit-saturated: true"]
    yield case("nested-legacy-saturated", why, [{**site, **legacy}, {**full, **legacy}], says)
    why = "A limit whose fields are off is not shown."
    off = {"fields": "off"}
    says = ["pass", 'ratelimit-policy: "login";q=100;w=60', 'ratelimit: "login";r=50;t=30']
    yield case("nested-outer-off", why, [{**site, **off}, inner], says)
    says = ["429", 'ratelimit-policy: "site";q=1000;w=3600', 'ratelimit: "site";r=900;t=60', "retry-after: 30"]
    yield case("nested-inner-off", why, [site, {**refused, **off}], says)
