from case import Configuration, bucket, fixed, sliding

NAME = "configurations"
PROBES = "Which configurations make a limiter: the ends of every range, and what is named of several wrong things."

U32 = 2**32 - 1
U64 = 2**64 - 1
YEAR = 31_622_400_000
GOOD = fixed(1, 1000)


def number(field, why, make, accepted, refused):
    """Builds a case for each value of one number."""
    for value in accepted:
        yield Configuration(f"{field}-{value}".replace("_", "-"), why, make(value), "ok")
    for value in refused:
        yield Configuration(f"{field}-{value}".replace("_", "-"), why, make(value), f"1 {field}")


def cases():
    outside_u32 = [U32 + 1, 2**53, U64]
    outside_year = [0, YEAR + 1, U32 * 1000, 2**53, U64]
    why = "A limit is 0 to 2^32 - 1."
    yield from number("limit", why, lambda n: fixed(n, 1000), [0, 1, U32], outside_u32)
    why = "A window is 1 ms to 366 days."
    yield from number("window_ms", why, lambda n: fixed(1, n), [1, YEAR], outside_year)
    why = "A capacity is 0 to 2^32 - 1."
    yield from number("capacity", why, lambda n: bucket(n, 1, 1), [0, 1, U32], outside_u32)
    why = "A refill is 1 to 2^32 - 1: a bucket that gains nothing is no bucket."
    yield from number("refill", why, lambda n: bucket(1, n), [1, U32], [0, *outside_u32])
    why = "A refill period is 1 ms to 366 days."
    yield from number("refill_period_ms", why, lambda n: bucket(1, 1, n), [1, YEAR], outside_year)

    why = "A sliding window's numbers have the same ranges."
    yield Configuration("sliding-limit-0", why, sliding(0, 1000), "ok")
    yield Configuration("sliding-limit-4294967296", why, sliding(U32 + 1, 1000), "1 limit")
    yield Configuration("sliding-window-0", why, sliding(1, 0), "1 window_ms")
    yield Configuration("sliding-window-366-days", why, sliding(1, YEAR), "ok")
    yield Configuration("sliding-window-366-days-and-1", why, sliding(1, YEAR + 1), "1 window_ms")

    why = "A sliding window's log has at most as many entries as its limit or its milliseconds, and at most 100 000."
    yield Configuration("log-100000-by-limit", why, sliding(100_000, YEAR), "ok")
    yield Configuration("log-100000-by-window", why, sliding(U32, 100_000), "ok")
    yield Configuration("log-100001-by-window", why, sliding(U32, 100_001), "4 limit")
    yield Configuration("log-100001-by-limit", why, sliding(100_001, YEAR), "4 limit")
    yield Configuration("log-100001-by-both", why, sliding(100_001, 100_001), "4 limit")
    yield Configuration("log-100000-by-both", why, sliding(100_000, 100_000), "ok")

    why = "A bucket's capacity * refill_period_ms is at most 2^52."
    yield Configuration("product-2-to-52", why, bucket(2**21, 1, 2**31), "ok")
    yield Configuration("product-2-to-52-by-capacity", why, bucket(2**31, 1, 2**21), "ok")
    yield Configuration("product-2-to-52-and-1", why, bucket(858_001, 1, 5_248_944_497), "3 capacity")
    yield Configuration("product-2-to-52-less-1", why, bucket(1_282_335, 1, 3_512_030_497), "ok")
    yield Configuration("product-just-above", why, bucket(2**21 + 1, 1, 2**31), "3 capacity")
    yield Configuration("product-of-a-year-fits", why, bucket(142_418, 1, YEAR), "ok")
    yield Configuration("product-of-a-year-is-too-large", why, bucket(142_419, 1, YEAR), "3 capacity")
    yield Configuration("product-far-above", why, bucket(U32, U32, YEAR), "3 capacity")
    yield Configuration("product-at-largest-capacity", why, bucket(U32, 1, 2**20), "ok")
    yield Configuration("product-at-largest-capacity-and-more", why, bucket(U32, 1, 2**20 + 1), "3 capacity")

    why = "A cap is 1 to 2^32 - 1."
    for cap in (1, 100_000, U32):
        yield Configuration(f"max-identities-{cap}", why, GOOD, "ok", cap)
    for cap in (0, U32 + 1, 2**53, U64):
        yield Configuration(f"max-identities-{cap}", why, GOOD, "1 max_identities", cap)

    why = "A limiter has 1 to 4 policies."
    for count in range(7):
        says = "ok" if 1 <= count <= 4 else "5 policies"
        yield Configuration(f"policies-{count}", why, [GOOD] * count, says)

    why = "Equal policies, and policies of every algorithm, may be stacked."
    yield Configuration("equal-policies", why, [bucket(5, 1), bucket(5, 1)], "ok")
    yield Configuration("mixed-policies", why, [fixed(0, 1), sliding(1, YEAR), bucket(U32, U32, 1)], "ok")

    yield from orders()


def orders():
    why = "How many policies there are is judged before anything else."
    yield Configuration("count-before-policies", why, [fixed(U64, 0)] * 5, "5 policies")
    yield Configuration("count-before-cap", why, [], "5 policies", 0)
    why = "Policies are judged in order, and the cap after all of them."
    yield Configuration("first-wrong-policy", why, [GOOD, fixed(1, 0), bucket(1, 0)], "1 window_ms")
    yield Configuration("later-policy-before-cap", why, [GOOD, GOOD, GOOD, bucket(1, 0)], "1 refill", 0)
    yield Configuration("rule-of-an-earlier-policy", why, [sliding(100_001, YEAR), fixed(1, 0)], "4 limit")
    why = "Of one policy the first wrong number is named: limit, then window; capacity, refill, then period."
    yield Configuration("limit-before-window", why, fixed(U32 + 1, 0), "1 limit")
    yield Configuration("sliding-limit-before-window", why, sliding(U32 + 1, YEAR + 1), "1 limit")
    yield Configuration("capacity-before-refill", why, bucket(U32 + 1, 0, 0), "1 capacity")
    yield Configuration("refill-before-period", why, bucket(1, 0, 0), "1 refill")
    why = "The rules that tie numbers together are judged after the ranges of all of them."
    yield Configuration("window-before-log", why, sliding(U32, YEAR + 1), "1 window_ms")
    yield Configuration("refill-before-product", why, bucket(U32, 0, YEAR), "1 refill")
    yield Configuration("period-before-product", why, bucket(U32, 1, YEAR + 1), "1 refill_period_ms")
