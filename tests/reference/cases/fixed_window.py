from case import World, fixed

NAME = "fixed-window"
PROBES = "One fixed window: what it counts, when its windows begin, and what it says about waiting."


def cases():
    w = World("counts-to-the-limit", "A window admits its limit and not one more.", fixed(3, 1000))
    w.checks(0, "A 2 reset 1000", "A 1", "A 0", "D 1000 reset 1000 remaining 0")
    w.check(1, "D 999")
    w.check(999, "D 1")
    w.check(1000, "A 2 reset 1000 at 1000")
    yield w

    w = World(
        "windows-are-aligned", "Windows begin at multiples of their length, not at the first call.", fixed(2, 1000)
    )
    w.checks(999, "A 1 reset 1", "A 0 reset 1", "D 1")
    w.checks(1000, "A 1 reset 1000", "A 0", "D 1000")
    w.check(1999, "D 1 reset 1")
    w.check(2000, "A 1")
    yield w

    why = "Around a boundary exactly twice the limit passes: no more, no less."
    w = World("twice-the-limit-around-a-boundary", why, fixed(5, 60_000))
    w.checks(59_999, "A 4", "A 3", "A 2", "A 1", "A 0", "D 1")
    w.checks(60_000, "A 4", "A 3", "A 2", "A 1", "A 0", "D 60000", "D 60000")
    yield w

    why = "A cost takes that many permits at once, or none when fewer are left."
    w = World("cost-takes-several", why, fixed(5, 1000))
    w.check(100, "A 2 reset 900", cost=3)
    w.check(200, "D 800 remaining 2 reset 800", cost=3)
    w.check(300, "A 0", cost=2)
    w.check(400, "D 600", cost=1)
    w.check(1000, "A 0", cost=5)
    w.check(1001, "D 999", cost=5)
    yield w

    w = World("window-of-one-millisecond", "The shortest window turns at every millisecond.", fixed(1, 1))
    for time in range(4):
        w.checks(time, "A 0 reset 1", "D 1 reset 1")
    yield w

    w = World("odd-length", "A window's length need not divide anything.", fixed(2, 7))
    w.checks(5, "A 1 reset 2", "A 0", "D 2")
    w.check(6, "D 1")
    w.checks(7, "A 1 reset 7", "A 0", "D 7")
    w.checks(13, "D 1")
    w.checks(21, "A 1", "A 0")
    w.check(27, "D 1")
    yield w

    w = World("windows-left-out", "After any number of windows without a call the next one is empty.", fixed(2, 100))
    w.checks(10, "A 1", "A 0")
    w.checks(110, "A 1", "A 0")
    w.checks(10_050, "A 1", "A 0", "D 50")
    w.checks(987_654_321, "A 1 reset 79")
    yield w

    w = World("minutes-of-unix-time", "At Unix times a minute's window begins with the minute.", fixed(2, 60_000))
    w.checks(1_700_000_000_123, "A 1 reset 39877", "A 0", "D 39877")
    w.check(1_700_000_039_999, "D 1")
    w.check(1_700_000_040_000, "A 1 reset 60000")
    yield w

    w = World("days-of-unix-time", "A day's window begins at midnight UTC.", fixed(1, 86_400_000))
    w.checks(1_699_999_999_999, "A 0 reset 6400001", "D 6400001")
    w.check(1_700_006_399_999, "D 1")
    w.check(1_700_006_400_000, "A 0 reset 86400000")
    yield w

    why = "An older call counts into the window of its row, and its waits begin at its own time."
    w = World("older-call", why, fixed(2, 1000))
    w.check(1500, "A 1 at 1500 reset 500")
    w.check(900, "A 0 at 1500 reset 1100")
    w.check(900, "D 1100 at 1500 reset 1100")
    w.check(0, "D 2000 at 1500")
    w.check(1999, "D 1 at 1999")
    w.check(2000, "A 1 at 2000")
    yield w

    w = World("older-window-is-not-opened-again", "Time that goes back opens no past window again.", fixed(1, 1000))
    w.check(500, "A 0")
    w.check(1500, "A 0")
    w.check(999, "D 1001 at 1500")
    w.check(0, "D 2000 at 1500")
    w.check(2000, "A 0")
    yield w

    why = "A refusal leaves the count and the window's end as they were, however often it is asked."
    w = World("refusals-cost-nothing", why, fixed(4, 1000))
    w.check(0, "A 1", cost=3)
    for time in range(100, 1000, 100):
        w.check(time, f"D {1000 - time} remaining 1", cost=2)
    w.check(999, "A 0", cost=1)
    w.check(1000, "A 2", cost=2)
    yield w

    w = World("exact-retry", "The stated wait is exact to the millisecond, for every cost.", fixed(5, 777))
    for start, cost in ((0, 1), (10_001, 2), (20_002, 5)):
        w.check(start, "A 0", cost=5)
        w.exact_retry(start + 3, cost=cost)
    yield w

    w = World("keys-count-apart", "Each key has a count of its own.", fixed(1, 1000))
    w.checks(0, "A 0", "D 1000")
    w.checks(10, "A 0 reset 990", "D 990", key="b")
    w.check(1000, "A 0", key="b")
    w.check(1000, "A 0")
    yield w

    w = World("window-of-a-leap-year", "The longest window is 366 days.", fixed(2, 31_622_400_000))
    w.checks(0, "A 1 reset 31622400000", "A 0", "D 31622400000")
    w.check(31_622_399_999, "D 1")
    w.check(31_622_400_000, "A 1")
    yield w
