from case import Configuration, World, bucket, fixed, sliding

NAME = "beyond-u64"
PROBES = (
    "Numbers that no unsigned 64-bit integer holds, written as decimal text: negative, fractional, too long. "
    "For languages whose numbers can be so; the others list these cases as left out."
)


def cases():
    why = "A negative number or one of 2^64 is outside every range."
    yield Configuration("limit-minus-1", why, fixed("-1", 1000), "1 limit", fault=[38])
    yield Configuration("limit-2-to-64", why, fixed("18446744073709551616", 1000), "1 limit")
    yield Configuration("window-minus-1", why, fixed(6, "-1"), "1 window_ms", fault=[38])
    yield Configuration("window-2-to-64", why, sliding(6, "18446744073709551616"), "1 window_ms")
    yield Configuration("capacity-minus-1", why, bucket("-1", 1), "1 capacity")
    yield Configuration("refill-minus-1", why, bucket(1, "-1"), "1 refill", fault=[44])
    yield Configuration("refill-period-minus-1", why, bucket(1, 1, "-1"), "1 refill_period_ms")
    yield Configuration("max-identities-minus-1", why, fixed(6, 1000), "1 max_identities", "-1")
    why = "A number with a fraction, and what is no number, is no integer."
    yield Configuration("limit-one-and-a-half", why, fixed("1.5", 1000), "7 limit")
    yield Configuration("limit-nan", why, fixed("NaN", 1000), "7 limit", fault=[38])
    yield Configuration("capacity-nan", why, bucket("NaN", 1), "7 capacity")
    yield Configuration("max-identities-infinity", why, fixed(6, 1000), "7 max_identities", "Infinity")
    why = "A duration with a fraction is not whole milliseconds."
    yield Configuration("window-half", why, fixed(6, "0.5"), "2 window_ms")
    yield Configuration("refill-period-one-and-a-half", why, bucket(6, 1, "1.5"), "2 refill_period_ms")

    why = "No such cost takes or gives anything."
    w = World("costs", why, bucket(5, 1), fault=[31])
    w.check(0, "A 3", cost=2)
    for cost in ("-1", "-4294967295", "18446744073709551616", "0.5", "1.5", "NaN"):
        w.check(0, "E cost", cost=cost)
        w.peek(0, "E cost", cost=cost)
    w.remaining(0, 3)
    yield w

    w = World("times", "No such time is one.", sliding(5, 1000))
    w.check(0, "A 4")
    for now in ("-1", "18446744073709551616", "0.5", "NaN"):
        w.check(now, "E now_ms")
        w.peek(now, "E now_ms", cost=0)
        w.remaining(now, "E now_ms")
        w.refund(0, now, "E now_ms")
        w.sweep(now, "E now_ms")
    w.stats("1 0 0 0")
    yield w
