from case import World, bucket, fixed, sliding

NAME = "housekeeping"
PROBES = "peek, remaining, reset, len, stats and clear: what they tell and what they leave alone."


def cases():
    why = "A peek is the decision that a check would give; it takes nothing and makes no row."
    w = World("peek-takes-nothing", why, fixed(2, 1000))
    w.peek(0, "A 1 reset 1000")
    w.peek(0, "A 1 reset 1000")
    w.peek(0, "A 0", cost=2)
    w.peek(0, "X 2", cost=3)
    w.len(0)
    w.checks(0, "A 1", "A 0")
    w.peek(0, "D 1000 remaining 0")
    w.peek(999, "D 1")
    w.peek(1000, "A 1")
    w.stats("2 0 0 0")
    yield w

    w = World("peek-of-a-bucket", "A peek leaves the level and the clock of a bucket alone.", bucket(3, 1, 60_000))
    w.check(0, "A 1", cost=2)
    w.peek(30_000, "A 0 reset 30000 at 30000")
    w.peek(10_000, "A 0 reset 50000 at 10000")
    w.check(5_000, "A 0 reset 55000 at 5000")
    w.peek(5_000, "D 55000")
    yield w

    w = World("remaining-is-the-largest-cost", "remaining says what the largest cost would be.", sliding(7, 1000))
    w.remaining(0, 7)
    w.check(0, "A 4", cost=3)
    w.remaining(1, 4)
    w.check(1, "D 999 remaining 4", cost=5)
    w.check(1, "A 0", cost=4)
    w.remaining(1, 0)
    w.remaining(999, 0)
    w.remaining(1000, 3)
    w.remaining(1001, 7)
    w.len(1)
    yield w

    w = World("remaining-of-a-bucket", "Of a bucket it is the whole permits that the level holds.", bucket(5, 3))
    w.check(0, "A 0", cost=5)
    for time, left in ((333, 0), (334, 1), (666, 1), (667, 2), (1000, 3), (1333, 3), (1334, 4), (1666, 4)):
        w.remaining(time, left)
    w.remaining(1667, 5)
    w.remaining(99_999, 5)
    yield w

    w = World(
        "remaining-counts-nothing", "remaining counts nothing in stats, takes nothing and makes no row.", fixed(3, 1000)
    )
    for _ in range(3):
        w.remaining(0, 3)
    w.len(0)
    w.stats("0 0 0 0")
    yield w

    why = "reset forgets a key wholly: its count, and its clock too."
    w = World("reset-forgets", why, fixed(2, 1000))
    w.checks(5_500, "A 1", "A 0", "D 500")
    w.reset(True)
    w.reset(False)
    w.len(0)
    w.check(100, "A 1 at 100 reset 900")
    yield w

    w = World("reset-of-one-key", "reset forgets that key and no other.", bucket(1, 1))
    for key in "abc":
        w.check(0, "A 0", key=key)
    w.reset(True, key="b")
    w.check(0, "D 1000")
    w.check(0, "A 0", key="b")
    w.check(0, "D 1000", key="c")
    w.reset(False, key="d")
    yield w

    why = "reset does not forget the time of a sweep."
    w = World("reset-keeps-the-sweep-time", why, sliding(1, 1000))
    w.check(0, "A 0")
    w.sweep(700, 0)
    w.reset(True)
    w.check(0, "A 0 at 700 reset 1700")
    yield w

    w = World("reset-tells-of-an-idle-row", "A row that no sweep has met is a row, idle or not.", fixed(1, 1000))
    w.check(900, "A 0")
    w.check(1_100, "A 0", key="b")
    w.reset(True)
    yield w

    w = World(
        "len-counts-rows", "len counts rows: one for each key that was allowed and is not forgotten.", fixed(1, 1000)
    )
    w.len(0)
    for count, key in enumerate("abcd", 1):
        w.checks(0, "A 0", "D 1000", key=key)
        w.len(count)
    w.check(0, "X 1", key="e", cost=2)
    w.peek(0, "A 0", key="e")
    w.len(4)
    w.reset(True, key="a")
    w.len(3)
    w.check(1_000, "A 0", key="b")
    w.len(1)
    yield w

    why = "len tells what a sweep that fell due has left, whole."
    w = World("len-after-a-due-sweep", why, sliding(1, 50), 8)
    for index, key in enumerate("abcdefgh"):
        w.check(index * 5, "A 0", key=key)
    w.len(8)
    w.check(57, "D 13", key="e")
    w.len(6)
    w.check(99, "A 0", key="e")
    w.len(6)
    w.check(100, "A 0", key="f")
    w.len(2)
    yield w

    why = "stats counts every final decision of a check by its kind; errors, peeks, refunds and the rest count nothing."
    w = World("stats-count-by-kind", why, bucket(2, 1), 1)
    w.stats("0 0 0 0")
    step = w.checks(0, "A 1", "A 0")
    w.stats("2 0 0 0")
    w.checks(0, "D 1000", "D 1000", "D 1000")
    w.check(0, "S 2000", key="b")
    w.check(0, "X 2", cost=3)
    w.check(0, "X 2", cost=3, key="b")
    w.stats("2 3 1 2")
    w.peek(0, "D 1000")
    w.peek(0, "S 2000", key="b")
    w.peek(0, "X 2", cost=3)
    w.remaining(0, 0)
    w.check(0, "E cost", cost=0)
    w.refund(step, 0, 1)
    w.reset(True)
    w.sweep(0, 0)
    w.stats("2 3 1 2")
    yield w

    w = World("clear-keeps-stats", "clear forgets rows, not stats.", fixed(1, 1000))
    w.checks(0, "A 0", "D 1000")
    w.clear()
    w.len(0)
    w.stats("1 1 0 0")
    w.checks(0, "A 0", "D 1000")
    w.stats("2 2 0 0")
    yield w

    w = World("clear-of-an-empty-limiter", "clear is harmless on a limiter that was never asked.", sliding(1, 1000))
    w.clear()
    w.len(0)
    w.clear()
    w.check(0, "A 0")
    w.clear()
    w.check(0, "A 0")
    yield w

    why = "clear forgets the clocks of rows and the sweep time: old times are as good as new."
    w = World("clear-ends-a-freeze", why, bucket(1, 1))
    w.check(0, "A 0")
    w.check(9_000_000, "A 0", key="b")
    w.sweep(10_000_000, 1)
    w.check(0, "A 0 at 10000000")
    w.clear()
    w.check(0, "A 0 at 0 reset 1000")
    w.check(999, "D 1 at 999")
    w.check(1_000, "A 0 at 1000")
    yield w

    why = "After clear the first call sets the epochs anew."
    w = World("clear-forgets-epochs", why, fixed(1, 1000), 1)
    w.check(200, "A 0")
    w.check(8_200, "A 0")
    w.clear()
    w.check(600, "A 0 at 600")
    w.check(600, "S 1000", key="b")
    w.check(1_599, "S 1", key="b")
    w.check(1_600, "A 0", key="b")
    yield w

    w = World("sweep-of-an-empty-limiter", "A sweep of nothing removes nothing.", fixed(1, 1000))
    w.sweep(0, 0)
    w.sweep(1_000, 0)
    w.check(1_000, "A 0 at 1000")
    yield w

    why = "A sweep that is called first sets the sweep time but not the first epoch."
    w = World("sweep-sets-no-epoch", why, fixed(1, 1000), 1)
    w.sweep(500, 0)
    w.check(800, "A 0 at 800")
    w.check(800, "S 1000", key="b")
    w.check(1_799, "S 1", key="b")
    w.check(1_800, "A 0", key="b")
    yield w
