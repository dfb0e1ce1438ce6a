from case import World, bucket, fixed, sliding

NAME = "refunds"
PROBES = (
    "What a decision gives back: as much as its window, entry or unrefilled level still holds, never above the limit."
)


def given(cost, at_ms, kind="allowed"):
    """A decision of any limiter's, of which a refund reads kind, cost and at_ms."""
    return {
        "kind": kind,
        "policy": 0,
        "limit": 9,
        "remaining": 1,
        "cost": cost,
        "reset_after_ms": 500,
        "retry_after_ms": None if kind == "exceeds_limit" else 0,
        "at_ms": at_ms,
    }


def cases():
    w = World("fixed-window-gives-back", "A refund in the same window gives back what was taken.", fixed(5, 1000))
    step = w.check(100, "A 2", cost=3)
    w.refund(step, 900, 3)
    w.check(900, "A 0", cost=5)
    w.check(950, "D 50")
    yield w

    why = "Refunded twice it gives back only what the window still counts, and never lifts above the limit."
    w = World("fixed-window-twice", why, fixed(5, 1000))
    step = w.check(0, "A 1", cost=4)
    w.check(0, "A 0")
    w.refund(step, 0, 4)
    w.refund(step, 0, 1)
    w.refund(step, 0, 0)
    w.remaining(0, 5)
    w.check(0, "A 0", cost=5)
    yield w

    why = "When the window is over a refund gives back nothing: not into the next window, not at its first moment."
    w = World("fixed-window-over", why, fixed(2, 1000))
    step = w.check(900, "A 1")
    w.refund(step, 1000, 0)
    w.refund(step, 1100, 0)
    w.checks(1100, "A 1", "A 0", "D 900")
    w.refund(step, 1100, 0)
    w.refund(step, 900, 0)
    yield w

    why = (
        "A decision of the window before does not give back from the window after, also when the caller's time is old."
    )
    w = World("fixed-window-of-the-row", why, fixed(4, 1000))
    old = w.check(999, "A 3")
    new = w.check(1000, "A 2", cost=2)
    w.refund(old, 999, 0)
    w.refund(old, 0, 0)
    w.refund(new, 0, 2)
    w.remaining(1000, 4)
    yield w

    why = "now is never before the row's clock: an old caller's time still finds the decision's window."
    w = World("fixed-window-at-an-older-time", why, fixed(4, 1000))
    step = w.check(5_500, "A 1", cost=3)
    w.refund(step, 0, 3)
    w.check(5_500, "A 0", cost=4)
    yield w

    why = "A sweep at a later time ends the window for a refund too, whatever time the caller gives."
    w = World("fixed-window-after-a-sweep", why, fixed(4, 1000))
    step = w.check(500, "A 3")
    w.check(900, "A 3", key="b")
    w.sweep(1_000, 2)
    w.refund(step, 500, 0)
    w.len(0)
    yield w

    why = "The window ended by the time of a sweep, for a row that is not idle in a stack."
    w = World("window-over-at-the-sweep-time", why, [fixed(4, 1000), sliding(6, 10_000)])
    step = w.check(500, "A 1 policy 0", cost=3)
    w.sweep(1_000, 0)
    w.refund(step, 500, 3)
    w.remaining(500, 4)
    w.peek(500, "A 0 policy 0 at 1000", cost=4)
    yield w

    w = World("sliding-window-gives-back", "A refund takes from the entry of the decision's time.", sliding(5, 1000))
    first = w.check(0, "A 3", cost=2)
    second = w.check(400, "A 0", cost=3)
    w.refund(first, 999, 2)
    w.check(999, "D 401 remaining 2 reset 401", cost=3)
    w.refund(second, 999, 3)
    w.remaining(999, 5)
    w.refund(first, 999, 0)
    w.check(999, "A 0 reset 1000", cost=5)
    yield w

    w = World("sliding-window-entry-out", "An entry that is out gives back nothing.", sliding(5, 1000))
    step = w.check(0, "A 3", cost=2)
    w.check(500, "A 2")
    w.refund(step, 1000, 0)
    w.refund(step, 5000, 0)
    w.refund(step, 999, 2)
    w.remaining(999, 4)
    yield w

    why = "Within one millisecond decisions share an entry: each gives back its cost, together no more than the entry."
    w = World("sliding-window-merged-entry", why, sliding(6, 1000))
    one = w.check(10, "A 5")
    two = w.check(10, "A 3", cost=2)
    w.refund(two, 20, 2)
    w.refund(two, 20, 1)
    w.refund(one, 20, 0)
    w.remaining(20, 6)
    yield w

    why = "So do decisions of one millisecond behind others, however many there are."
    w = World("sliding-window-merged-entry-of-many", why, sliding(9, 1000))
    w.checks(0, "A 8")
    w.checks(10, "A 7")
    w.checks(20, "A 6")
    one = w.check(30, "A 5")
    two = w.check(30, "A 3", cost=2)
    w.check(40, "A 2")
    w.refund(two, 50, 2)
    w.refund(two, 50, 1)
    w.refund(one, 50, 0)
    w.remaining(50, 5)
    w.check(1020, "A 7 reset 20")
    yield w

    why = "What was given back to the last permit is gone, and the next grant of that very millisecond counts."
    half = 2**29
    w = World("sliding-window-emptied", why, sliding(2 * half, 1000))
    w.refund(w.check(0, f"A {half}", cost=half), 0, half)
    w.check(0, f"A {2 * half - 5} reset 1000", cost=5)
    w.remaining(999, 2 * half - 5)
    yield w

    why = "The newest of many entries is given back once: what lay behind it then is no entry."
    w = World("sliding-window-newest-of-many", why, sliding(9, 1000))
    w.checks(0, "A 8")
    w.checks(10, "A 7")
    newest = w.check(20, "A 4", cost=3)
    w.refund(newest, 30, 3)
    w.refund(newest, 30, 0)
    w.remaining(30, 7)
    w.check(30, "A 6")
    w.refund(newest, 30, 0)
    w.remaining(1009, 7)
    yield w

    why = "A partly refunded entry leaves at its own time; an emptied one no longer delays anything."
    w = World("sliding-window-what-is-left", why, sliding(4, 1000))
    first = w.check(0, "A 3")
    second = w.check(300, "A 0", cost=3)
    w.refund(given(2, 300), 400, 2)
    w.check(400, "D 900 remaining 2 reset 600", cost=4)
    w.check(400, "D 600 remaining 2 reset 600", cost=3)
    w.refund(first, 400, 1)
    w.check(400, "D 900 remaining 3 reset 900", cost=4)
    w.refund(second, 400, 1)
    w.check(400, "A 0", cost=4)
    yield w

    why = "An entry in the middle of a log that is refunded leaves the others in order."
    w = World("sliding-window-middle-entry", why, sliding(6, 1000))
    w.check(0, "A 5")
    middle = w.check(100, "A 3", cost=2)
    w.check(200, "A 0", cost=3)
    w.refund(middle, 300, 2)
    w.check(300, "D 700 remaining 2 reset 700", cost=3)
    w.check(300, "D 900 remaining 2 reset 700", cost=4)
    w.check(350, "A 0 reset 650", cost=2)
    w.refund(middle, 350, 0)
    yield w

    why = "The newest entry refunded to nothing and a call at the same time: a fresh entry of that time."
    w = World("sliding-window-again-at-the-same-time", why, sliding(3, 1000))
    step = w.check(50, "A 0", cost=3)
    w.refund(step, 50, 3)
    w.check(50, "A 1 reset 1000", cost=2)
    w.refund(step, 60, 2)
    w.check(20, "A 2 at 50 reset 1030", cost=1)
    yield w

    why = "A bucket gives back what has not flowed back by itself since, and says how many whole permits that is."
    w = World("bucket-gives-back", why, bucket(10, 3))
    step = w.check(0, "A 6 reset 334", cost=4)
    w.refund(step, 500, 2)
    w.remaining(500, 10)
    w.refund(step, 500, 0)
    yield w

    why = "A bucket that has other debts takes the whole of what is owed for the decision."
    w = World("bucket-with-other-debts", why, bucket(10, 3))
    first = w.check(0, "A 6", cost=4)
    w.check(100, "A 3", cost=3)
    w.refund(first, 200, 3)
    w.remaining(200, 7)
    w.check(200, "D 334 remaining 7 reset 334", cost=8)
    w.refund(first, 200, 3)
    w.remaining(200, 10)
    yield w

    why = "At once it gives back all of it; a fraction that is given back counts although it is not a whole permit."
    w = World("bucket-fractions", why, bucket(4, 1))
    step = w.check(0, "A 2", cost=2)
    w.refund(step, 0, 2)
    w.check(0, "A 0", cost=4)
    again = w.check(1_000, "A 0")
    w.refund(again, 1_999, 0)
    w.check(2_000, "A 0 reset 999")
    w.check(2_998, "D 1")
    w.check(2_999, "A 0")
    yield w

    why = "After as long as its cost takes to flow back a decision gives back nothing."
    w = World("bucket-flowed-back", why, bucket(10, 3))
    step = w.check(0, "A 6", cost=4)
    w.check(0, "A 0", cost=6)
    w.refund(step, 1_334, 0)
    w.refund(step, 2**52 - 1, 0)
    w.check(1_333, "D 1 remaining 3 reset 1", cost=4)
    w.check(1_334, "A 0", cost=4)
    yield w

    why = "The last unit before that is given back, though it is less than a permit."
    w = World("bucket-last-unit", why, bucket(10, 3))
    step = w.check(0, "A 0", cost=10)
    w.refund(given(4, 0), 1_333, 0)
    w.check(1_333, "A 0", cost=4)
    w.refund(step, 1_333, 6)
    w.check(1_333, "D 1333 remaining 6 reset 333", cost=10)
    yield w

    why = "A refund never lifts a bucket above its capacity, now or at any later time."
    w = World("bucket-never-above-capacity", why, bucket(5, 1))
    step = w.check(0, "A 2", cost=3)
    w.refund(step, 100, 2)
    w.remaining(100, 5)
    w.check(50_000, "A 0", cost=5)
    w.check(50_000, "D 1000")
    w.refund(given(5, 50_000), 50_000, 5)
    w.refund(given(5, 50_000), 50_000, 0)
    w.check(50_000, "A 0", cost=5)
    yield w

    why = "The stored level rises by as much as the level at that time, and the row's clock stays."
    w = World("bucket-stored-level", why, bucket(10, 3))
    step = w.check(0, "A 6", cost=4)
    w.refund(step, 500, 2)
    w.check(0, "D 167 remaining 8 reset 167 at 0", cost=9)
    w.check(0, "A 0 at 0", cost=8)
    yield w

    why = "A time before the decision's, and a decision ahead of the row, owe the whole cost."
    w = World("bucket-before-its-time", why, bucket(10, 1))
    step = w.check(8_000, "A 5", cost=5)
    w.refund(step, 1_000, 5)
    w.check(8_000, "A 0", cost=10)
    w.refund(given(3, 9_000), 8_000, 3)
    w.remaining(8_000, 3)
    yield w

    why = "A decision of another kind gives back nothing, whatever it says it cost."
    w = World("other-kinds", why, sliding(2, 1000), 1)
    w.checks(0, "A 1", "A 0")
    denied = w.check(0, "D 1000")
    saturated = w.check(0, "S 1000", key="b")
    exceeds = w.check(0, "X 2", cost=3)
    for step in (denied, saturated, exceeds):
        w.refund(step, 0, 0)
    for kind in ("denied", "saturated", "exceeds_limit"):
        w.refund(given(1, 0, kind), 0, 0)
    w.remaining(0, 0)
    w.refund(given(1, 0), 0, 1)
    yield w

    why = "A key without a row gets nothing back, and no row."
    w = World("no-row", why, fixed(5, 1000))
    step = w.check(0, "A 4")
    w.refund(step, 0, 0, key="b")
    w.len(1)
    w.reset(True)
    w.refund(step, 0, 0)
    w.len(0)
    yield w

    why = "A cost above the limit of any policy cannot have been taken here."
    w = World("cost-above-a-limit", why, [fixed(6, 1000), bucket(3, 1)])
    w.check(0, "A 0 policy 1", cost=3)
    w.refund(given(4, 0), 0, 0)
    w.refund(given(6, 0), 0, 0)
    w.refund(given(2**32 - 1, 0), 0, 0)
    w.refund(given(3, 0), 0, 3)
    w.remaining(0, 3)
    yield w

    w = World("cost-of-nothing", "A decision that took nothing gives back nothing.", [sliding(6, 1000), fixed(6, 1000)])
    w.check(0, "A 3", cost=3)
    w.refund(given(0, 0), 0, 0)
    w.remaining(0, 3)
    yield w

    why = "A time at which nothing was taken: a window counts by windows, a log finds no entry."
    w = World("times-that-were-never-granted", why, [fixed(6, 1000), sliding(8, 5000)])
    w.check(300, "A 3 policy 0", cost=3)
    w.refund(given(2, 301), 400, 2)
    w.remaining(400, 5)
    w.refund(given(1, 300), 400, 1)
    w.remaining(400, 6)
    w.check(400, "A 0 policy 1 reset 4900", cost=6)
    yield w

    why = "A stack gives back to each policy what that one still holds, and returns the most that one got."
    w = World("stack-gives-back", why, [fixed(4, 1000), sliding(4, 5000), bucket(4, 1)])
    step = w.check(900, "A 1 policy 1", cost=3)
    w.refund(step, 1_000, 3)
    w.remaining(1_000, 4)
    w.refund(step, 1_000, 0)
    w.check(1_000, "A 0 policy 1", cost=4)
    yield w

    why = "Where the first policy's window is over the others still give back."
    w = World("stack-partly-over", why, [fixed(5, 1000), bucket(9, 1)])
    step = w.check(500, "A 0 policy 0", cost=5)
    w.refund(step, 2_000, 3)
    w.check(2_000, "A 0 policy 0 at 2000", cost=5)
    w.refund(step, 2_000, 3)
    w.remaining(2_000, 0)
    w.remaining(3_000, 5)
    yield w

    why = "A refund makes no row idle by itself, and a sweep then takes the row that owes nothing."
    w = World("refund-then-sweep", why, [fixed(2, 1000), sliding(2, 1000), bucket(2, 1)])
    step = w.check(0, "A 1 policy 0")
    w.sweep(0, 0)
    w.refund(step, 0, 1)
    w.len(1)
    w.sweep(0, 1)
    w.refund(step, 0, 0)
    yield w

    why = "After reset the same key's new row gives back to a decision of before only what its own window counts."
    w = World("refund-after-reset", why, fixed(5, 1000))
    old = w.check(0, "A 1", cost=4)
    w.reset(True)
    w.check(10, "A 4")
    w.refund(old, 10, 1)
    w.remaining(10, 5)
    yield w

    why = "Refunds are not calls: they count nothing in stats and start no sweep."
    w = World("refunds-are-not-counted", why, bucket(2, 1), 2)
    step = w.check(0, "A 1")
    w.check(0, "A 1", key="b")
    w.refund(step, 0, 1)
    w.refund(step, 5_000, 0)
    w.len(2)
    w.check(0, "A 0 at 0", cost=2)
    w.stats("3 0 0 0")
    yield w
