from case import World, sliding

YEAR = 31_622_400_000

NAME = "sliding-window"
PROBES = "One sliding window: in any span of its length at most the limit passes, and entries leave one by one."


def cases():
    w = World("limit-of-one", "One permit in any ten seconds.", sliding(1, 10_000))
    w.check(0, "A 0 reset 10000")
    w.check(1, "D 9999 reset 9999")
    w.check(9_999, "D 1")
    w.check(10_000, "A 0")
    w.check(10_001, "D 9999")
    yield w

    why = "An entry is out when it is exactly as old as the window, and each leaves at its own time."
    w = World("entries-leave-one-by-one", why, sliding(3, 1000))
    w.check(0, "A 2 reset 1000")
    w.check(100, "A 1 reset 900")
    w.check(250, "A 0 reset 750")
    w.check(999, "D 1 reset 1")
    w.checks(1000, "A 0 reset 100", "D 100")
    w.checks(1100, "A 0 reset 150", "D 150")
    w.checks(1250, "A 0 reset 750", "D 750")
    yield w

    why = "No span of the window's length holds more than the limit, also across what would be a fixed boundary."
    w = World("no-double-burst", why, sliding(5, 60_000))
    w.checks(59_999, "A 4", "A 3", "A 2", "A 1", "A 0")
    w.checks(60_000, *["D 59999"] * 5)
    w.check(119_998, "D 1")
    w.checks(119_999, "A 4", "A 3", "A 2", "A 1", "A 0", "D 60000")
    yield w

    why = "A cost waits until enough of the oldest entries are out, while the reset is the oldest one's."
    w = World("cost-waits-for-enough", why, sliding(6, 1000))
    w.check(0, "A 5", cost=1)
    w.check(100, "A 3", cost=2)
    w.check(200, "A 0 reset 800", cost=3)
    w.check(300, "D 700 reset 700", cost=1)
    w.check(300, "D 800 reset 700", cost=2)
    w.check(300, "D 800 reset 700", cost=3)
    w.check(300, "D 900 reset 700", cost=4)
    w.check(300, "D 900 reset 700", cost=6)
    w.check(1100, "A 0 reset 100", cost=3)
    w.check(1200, "A 2 reset 900", cost=1)
    yield w

    w = World("one-entry-a-millisecond", "What is granted within one millisecond leaves together.", sliding(4, 50))
    w.checks(10, "A 3", "A 2", "A 1")
    w.check(11, "A 0 reset 49")
    w.check(59, "D 1 remaining 0 reset 1", cost=3)
    w.check(59, "D 2 remaining 0 reset 1", cost=4)
    w.check(60, "A 0 reset 1", cost=3)
    w.check(61, "A 0 reset 49")
    yield w

    w = World("window-of-one-millisecond", "The shortest window forgets at every millisecond.", sliding(2, 1))
    for time in range(4):
        w.checks(time, "A 1 reset 1", "A 0", "D 1")
    yield w

    why = "A log grows to the limit, entry by entry, and shrinks again as they leave."
    w = World("many-entries", why, sliding(40, 1000))
    for index in range(40):
        w.check(index * 10, f"A {39 - index} reset {1000 - index * 10}")
    w.check(400, "D 600 reset 600")
    w.check(400, "D 700 reset 600", cost=11)
    w.check(400, "D 990 reset 600", cost=40)
    w.check(1000, "A 0 reset 10")
    w.check(1105, "A 7 reset 5", cost=3)
    w.check(1389, "A 34 reset 1", cost=1)
    yield w

    why = "An older call joins the newest entry of its row, whose time is the one that counts."
    w = World("older-call", why, sliding(3, 1000))
    w.check(500, "A 2 at 500")
    w.check(100, "A 1 at 500 reset 1400")
    w.check(600, "D 900 at 600 remaining 1 reset 900", cost=2)
    w.check(0, "D 1500 at 500", cost=2)
    w.check(1500, "A 0 at 1500 reset 1000", cost=3)
    yield w

    why = "A refused call or a peek at a later time forgets nothing: an older call still meets every entry."
    w = World("refusals-and-peeks-forget-nothing", why, sliding(2, 1000))
    w.check(0, "A 1", key="b")
    w.check(500, "A 1")
    w.check(900, "A 0 reset 600")
    w.remaining(1000, 2, key="b")
    w.check(1600, "D 300 remaining 1 reset 300", cost=2)
    w.check(1100, "D 400 remaining 0 reset 400 at 1100")
    w.peek(1950, "A 0 reset 1000 at 1950", cost=2)
    w.check(1100, "D 400 remaining 0 reset 400 at 1100")
    w.check(1500, "A 0 reset 400")
    yield w

    w = World("refusals-cost-nothing", "Refusals are not entries.", sliding(2, 1000))
    w.checks(0, "A 1", "A 0")
    for time in range(100, 1000, 100):
        w.check(time, f"D {1000 - time}")
    w.checks(1000, "A 1", "A 0")
    yield w

    w = World("exact-retry", "The stated wait is exact to the millisecond, for every cost.", sliding(6, 911))
    start = 0
    for cost in (1, 2, 4, 6):
        for offset, taken in ((0, 1), (10, 2), (30, 3)):
            w.check(start + offset, None, cost=taken)
        w.exact_retry(start + 31, cost=cost)
        start += 5000
    yield w

    why = "After a rest that is longer than the window the whole limit is there."
    w = World("rest", why, sliding(3, 100))
    w.check(0, "A 0", cost=3)
    w.check(1_000_000, "A 0", cost=3)
    w.check(1_000_099, "D 1", cost=3)
    w.remaining(1_000_099, 0)
    w.remaining(1_000_100, 3)
    yield w

    w = World("keys-have-logs-apart", "Each key has a log of its own.", sliding(1, 10_000))
    w.check(0, "A 0")
    w.check(7_000, "A 0", key="b")
    w.check(10_000, "A 0")
    w.check(12_000, "D 5000", key="b")
    w.check(17_000, "A 0", key="b")
    yield w

    w = World("at-unix-times", "Nothing is aligned: the window ends when the entry is that old.", sliding(1, 60_000))
    w.check(1_700_000_000_123, "A 0 reset 60000")
    w.check(1_700_000_040_000, "D 20123")
    w.check(1_700_000_060_123, "A 0")
    yield w

    why = "However long a rest is, and to whichever power of two, no entry of before it is taken for one of now."
    for window in (1000, 100_000, 100_001, YEAR):
        w = World(f"rests-by-powers-of-two-{window}", why, sliding(5, window))
        now = 2**36 - 2
        for power in range(17, 51):
            for offset in range(3):
                w.check(now + offset)
            now += 2**power
            w.check(now, cost=2)
            w.check(now + 2)
            w.refund(len(w.steps) - 1, now + 2, None)
        yield w

    why = "Entries are told apart across any carry of their times, and so are their permits across one of their totals."
    for window, cost in ((100_000, 2**32 - 1), (YEAR, 100_000)):
        w = World(f"carries-{window}", why, sliding(cost, window))
        step = window // 4
        for now in range(2**42 - 40 * step, 2**42 + 40 * step, step):
            w.check(now, cost=cost // 5)
            w.remaining(now, None)
        yield w
