from case import World, bucket, fixed, sliding

NAME = "stacks"
PROBES = "Stacked limits on one identity: all or nothing, and which policy a decision speaks of."


def cases():
    why = (
        "A short limit and a long one: each refuses in its turn, and the one that refused takes nothing from the other."
    )
    w = World("short-and-long", why, [fixed(2, 1000), fixed(5, 60_000)])
    w.checks(0, "A 1 policy 0 reset 1000 limit 2", "A 0 policy 0", "D 1000 policy 0 limit 2")
    w.checks(1000, "A 1 policy 0", "A 0 policy 0", "D 1000 policy 0")
    w.check(2000, "A 0 policy 1 limit 5 reset 58000")
    w.checks(2001, "D 57999 policy 1 limit 5 reset 57999")
    w.check(59_999, "D 1 policy 1")
    w.check(60_000, "A 1 policy 0")
    yield w

    why = "If one policy refuses, none is charged: the wide one still has all but what was allowed."
    w = World("all-or-nothing", why, [fixed(30, 1000), fixed(1, 60_000)])
    w.check(0, "A 0 policy 1 limit 1")
    for time in range(1, 8):
        w.check(time, f"D {60_000 - time} policy 1 limit 1 remaining 0")
    w.clear()
    w.check(0, "A 0 policy 1", key="b")
    yield w

    why = "The wide policy refuses a cost that the narrow one would allow; the narrow one keeps its permits."
    w = World("nothing-taken-from-the-others", why, [sliding(4, 1000), bucket(6, 1)])
    w.check(0, "A 0 policy 0 reset 1000", cost=4)
    w.check(1000, "D 1000 policy 1 remaining 3 reset 1000 limit 6", cost=4)
    w.check(1000, "A 0 policy 1 reset 1000", cost=3)
    w.check(2000, "D 3000 policy 1 remaining 1 reset 1000", cost=4)
    w.check(2000, "A 0 policy 1 reset 1000", cost=1)
    yield w

    why = "Of policies that tie for the smallest remaining, the one with the longest reset speaks, then the first."
    w = World("ties-when-allowed", why, [fixed(5, 1000), sliding(5, 3000), sliding(5, 3000), bucket(5, 1)])
    w.check(100, "A 4 policy 1 reset 3000")
    w.check(100, "A 3 policy 1 reset 3000")
    w.check(1000, "A 2 policy 1 reset 2100")
    w.check(3100, "A 3 policy 1 reset 900")
    yield w

    why = "The smallest remaining goes before the longest reset."
    w = World("scarcest-when-allowed", why, [fixed(9, 60_000), bucket(3, 1), fixed(9, 1000)])
    w.check(0, "A 2 policy 1 limit 3 reset 1000")
    w.check(0, "A 0 policy 1 limit 3 reset 1000", cost=2)
    w.check(3000, "A 2 policy 1", cost=1)
    w.check(6000, "A 2 policy 1", cost=1)
    w.check(9000, "A 1 policy 1 limit 3 reset 1000", cost=2)
    w.check(12_000, "A 0 policy 0 limit 9 reset 48000", cost=2)
    yield w

    why = "Where several refuse, the decision speaks of the longest wait, then of the first."
    w = World("longest-wait-when-denied", why, [fixed(1, 1000), fixed(1, 5000), fixed(1, 5000)])
    w.check(100, "A 0 policy 1 reset 4900")
    w.check(200, "D 4800 policy 1 reset 4800")
    w.check(1000, "D 4000 policy 1 reset 4000")
    w.check(4999, "D 1 policy 1")
    w.check(5000, "A 0 policy 1 reset 5000")
    yield w

    why = "A denied decision speaks of the longest wait while its remaining and reset are those of the scarcest policy."
    w = World("retry-and-reset-of-different-policies", why, [fixed(4, 1000), sliding(10, 5000)])
    w.check(900, "A 0 policy 0", cost=4)
    w.check(1000, "A 1 policy 0", cost=3)
    w.check(1100, "D 4800 policy 1 limit 10 remaining 1 reset 900", cost=4)
    w.check(1100, "D 900 policy 0 limit 4 remaining 1 reset 900", cost=2)
    w.check(2000, "D 3900 policy 1 remaining 3 reset 3900", cost=4)
    yield w

    why = "Policies that tie for the smallest remaining: the reset of a denied decision is the longest of theirs."
    w = World("longest-reset-of-the-scarcest-when-denied", why, [bucket(3, 1), fixed(3, 10_000)])
    w.check(0, "A 1 policy 1 reset 10000", cost=2)
    w.check(0, "D 10000 policy 1 remaining 1 reset 10000", cost=2)
    w.check(500, "D 9500 policy 1 remaining 1 reset 9500", cost=2)
    w.check(1000, "D 9000 policy 1 remaining 1 reset 9000", cost=2)
    w.check(1000, "A 0 policy 1 reset 9000")
    yield w

    why = "A cost above one policy's limit can never pass; the first such policy is named and nothing is taken."
    w = World("first-that-is-exceeded", why, [fixed(9, 1000), bucket(3, 1), fixed(2, 1000)])
    w.check(77, "X 3 policy 1 at 77 remaining 0 reset 0", cost=4)
    w.check(77, "X 2 policy 2", cost=3)
    w.check(77, "X 9 policy 0", cost=10)
    w.len(0)
    w.check(77, "A 0 policy 2", cost=2)
    w.check(77, "X 2 policy 2", cost=3)
    yield w

    w = World(
        "one-limit-of-zero", "One policy of limit 0 in a stack admits nothing.", [fixed(5, 1000), sliding(0, 1000)]
    )
    w.checks(0, "X 0 policy 1", "X 0 policy 1")
    w.check(0, "X 5 policy 0", cost=6)
    w.remaining(0, 0)
    w.len(0)
    w.stats("0 0 0 3")
    yield w

    why = "Four policies, the most there can be, of all three algorithms."
    w = World("four-policies", why, [bucket(4, 2), fixed(6, 2000), sliding(8, 5000), fixed(10, 20_000)])
    w.check(0, "A 2 policy 0 reset 500", cost=2)
    w.check(0, "A 0 policy 0 reset 500", cost=2)
    w.check(0, "D 500 policy 0")
    w.check(1000, "A 0 policy 1 reset 1000", cost=2)
    w.check(1500, "D 500 policy 1 remaining 0 reset 500")
    w.check(2000, "A 0 policy 2 reset 3000 limit 8", cost=2)
    w.check(3000, "D 2000 policy 2 remaining 0 reset 2000")
    w.check(5000, "A 0 policy 3 reset 15000 limit 10", cost=2)
    w.check(10_000, "D 10000 policy 3 remaining 0 reset 10000")
    w.check(20_000, "A 3 policy 0")
    yield w

    why = "All policies of a row share one clock: an older call meets each of them at the row's time."
    w = World("one-clock", why, [bucket(10, 1), fixed(3, 1000), sliding(5, 2000)])
    w.check(1500, "A 2 policy 1 at 1500 reset 500")
    w.check(200, "A 1 policy 1 at 1500 reset 1800")
    w.check(900, "A 0 policy 1 at 1500 reset 1100")
    w.check(900, "D 1100 policy 1 at 1500 reset 1100")
    w.check(900, "D 2600 policy 2 at 1500 reset 1100", cost=3)
    w.check(2000, "A 0 policy 2 reset 1500", cost=2)
    yield w

    why = "The stated wait of a stack is exact, whichever policy refuses."
    w = World("exact-retry", why, [fixed(4, 700), bucket(6, 3, 500), sliding(9, 1900)])
    time = 0
    for cost in (1, 4, 2, 3, 4, 4):
        while w.steps[w.check(time, cost=2)]["expect"]["kind"] == "allowed":
            time += 60
        w.exact_retry(time, cost=4 if cost < 3 else cost)
        time += 400
    yield w

    why = "With a row ahead of the caller the stated wait of a stack is exact as well."
    w = World("exact-retry-of-a-row-ahead", why, [sliding(3, 1000), bucket(3, 1, 400)])
    w.check(10_000, "A 0 policy 0 reset 1000", cost=3)
    w.exact_retry(9_700, cost=1)
    w.exact_retry(10_100, cost=3)
    yield w

    why = "Two equal policies decide as one does, and the first speaks."
    w = World("two-equal-buckets", why, [bucket(2, 1), bucket(2, 1)])
    w.checks(0, "A 1 policy 0", "A 0 policy 0", "D 1000 policy 0")
    w.checks(1000, "A 0 policy 0", "D 1000 policy 0")
    yield w

    why = "The order of policies matters only for which one speaks."
    w = World("order", why, [sliding(5, 3000), fixed(5, 1000)])
    w.check(100, "A 4 policy 0 reset 3000")
    w.check(999, "A 3 policy 0 reset 2101")
    w.check(1000, "A 2 policy 0 reset 2100")
    yield w

    why = "remaining is the largest cost that every policy would allow."
    w = World("remaining-of-a-stack", why, [bucket(10, 1), fixed(7, 10_000)])
    w.remaining(0, 7)
    w.check(0, "A 4 policy 1", cost=3)
    w.remaining(0, 4)
    w.check(0, "D 10000 policy 1 remaining 4", cost=5)
    w.check(0, "A 0 policy 1", cost=4)
    w.remaining(9_999, 0)
    w.check(10_000, "A 0 policy 1", cost=7)
    w.remaining(20_000, 7)
    w.remaining(13_000, 7)
    yield w

    why = "A stack's row is idle only when every policy of it is, and sweeps come as often as the shortest needs."
    w = World("idle-only-when-all-are", why, [fixed(1, 100), fixed(5, 1000)])
    w.check(0, "A 0")
    w.sweep(100, 0)
    w.sweep(999, 0)
    w.sweep(1000, 1)
    w.len(0)
    yield w

    w = World(
        "at-unix-times", "A second and a day at the times of a real clock.", [bucket(5, 5), fixed(1000, 86_400_000)]
    )
    w.check(1_700_000_000_123, "A 0 policy 0 reset 200", cost=5)
    w.check(1_700_000_000_200, "D 123 policy 0 reset 123")
    w.check(1_700_000_000_323, "A 0 policy 0 reset 200")
    w.remaining(1_700_006_400_000, 5)
    yield w
