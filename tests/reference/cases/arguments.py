from case import World, bucket, fixed, sliding

NAME = "arguments"
PROBES = "The arguments of a call: their ranges, which is judged first, and that an error touches nothing."

MAX_COST = 2**32 - 1
MAX_NOW = 2**52 - 1
U64 = 2**64 - 1
LARGE = {
    "kind": "allowed",
    "policy": 0,
    "limit": 3,
    "remaining": 2,
    "cost": 1,
    "reset_after_ms": 1000,
    "retry_after_ms": 0,
    "at_ms": 0,
}


def cases():
    w = World("cost-of-zero", "A cost of 0 asks for nothing and is an error.", fixed(3, 1000))
    w.check(0, "E cost", cost=0)
    w.peek(0, "E cost", cost=0)
    w.len(0)
    w.stats("0 0 0 0")
    w.check(0, "A 2")
    yield w

    w = World("largest-cost", "A cost may be 2^32 - 1, and not one more.", fixed(MAX_COST, 1000))
    w.check(0, "A 4294967294")
    w.check(0, "D 1000 remaining 4294967294", cost=MAX_COST)
    w.check(1000, "A 0", cost=MAX_COST)
    for cost in (MAX_COST + 1, 2**53, 2**63, U64):
        w.check(2000, "E cost", cost=cost)
        w.peek(2000, "E cost", cost=cost)
    w.check(2000, "A 0", cost=MAX_COST)
    yield w

    why = "A cost within its range that no policy admits is a decision, not an error."
    w = World("cost-above-the-limit", why, bucket(10, 10))
    w.check(0, "X 10 policy 0 remaining 0 reset 0", cost=11)
    w.check(0, "X 10", cost=MAX_COST)
    w.check(0, "A 0", cost=10)
    w.check(0, "X 10", cost=11)
    w.stats("1 0 0 3")
    yield w

    w = World("last-moment", "now_ms may be 2^52 - 1, and not one more.", sliding(3, 1000))
    w.check(MAX_NOW, "A 2 at 4503599627370495")
    for now in (MAX_NOW + 1, 2**53, 2**63, U64):
        w.check(now, "E now_ms")
        w.peek(now, "E now_ms")
        w.remaining(now, "E now_ms")
        w.sweep(now, "E now_ms")
        w.refund(0, now, "E now_ms")
    w.remaining(MAX_NOW, 2)
    w.refund(0, MAX_NOW, 1)
    w.sweep(MAX_NOW, 1)
    yield w

    w = World("time-is-judged-first", "Of two wrong arguments the time is named.", fixed(3, 1000))
    w.check(MAX_NOW + 1, "E now_ms", cost=0)
    w.peek(U64, "E now_ms", cost=U64)
    w.check(MAX_NOW, "E cost", cost=0)
    w.check(0, "A 2")
    yield w

    why = "An argument error comes before exceeds_limit and before a full table."
    w = World("errors-come-first", why, fixed(3, 1000), 1)
    w.check(0, "A 2")
    w.check(0, "E cost", key="b", cost=0)
    w.check(0, "E cost", key="b", cost=MAX_COST + 1)
    w.check(0, "X 3", key="b", cost=4)
    w.check(0, "S 1000", key="b", cost=3)
    w.check(MAX_NOW + 1, "E now_ms", key="b", cost=4)
    yield w

    why = "An error takes nothing, makes no row, counts nothing and sets no time."
    w = World("errors-touch-nothing", why, bucket(3, 1))
    w.check(MAX_NOW + 1, "E now_ms")
    w.check(70_000, "E cost", cost=0)
    w.remaining(U64, "E now_ms")
    w.sweep(MAX_NOW + 1, "E now_ms")
    w.len(0)
    step = w.check(100, "A 2 at 100")
    w.check(90_000, "E cost", cost=0)
    w.sweep(U64, "E now_ms")
    w.check(100, "A 1 at 100")
    w.refund(step, U64, "E now_ms", key="b")
    w.stats("2 0 0 0")
    yield w

    why = "A refund judges its time even where it would give back nothing."
    w = World("refund-judges-its-time", why, fixed(3, 1000))
    w.refund(LARGE, MAX_NOW + 1, "E now_ms")
    w.refund(dict(LARGE, kind="denied"), MAX_NOW + 1, "E now_ms")
    w.refund(LARGE, MAX_NOW, 0)
    yield w

    w = World("limit-of-zero", "A limit of 0 admits nothing: every cost exceeds it, and no wait helps.", fixed(0, 1000))
    w.checks(0, "X 0 remaining 0 reset 0", "X 0")
    w.peek(0, "X 0")
    w.remaining(0, 0)
    w.check(5000, "X 0 at 5000", cost=MAX_COST)
    w.len(0)
    w.stats("0 0 0 3")
    yield w

    w = World("capacity-of-zero", "So does a bucket's capacity of 0.", bucket(0, 1))
    w.checks(0, "X 0 remaining 0 reset 0", "X 0")
    w.remaining(10_000, 0)
    w.check(20_000, "X 0")
    w.sweep(0, 0)
    w.len(0)
    yield w

    w = World("sliding-limit-of-zero", "So does a sliding window's limit of 0.", sliding(0, 1000))
    w.checks(0, "X 0", "X 0")
    w.remaining(0, 0)
    w.len(0)
    yield w
