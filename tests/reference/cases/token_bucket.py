from case import World, bucket

NAME = "token-bucket"
PROBES = (
    "One token bucket: that it starts full, gains evenly, loses no fraction and never holds more than its capacity."
)


def cases():
    w = World("starts-full", "A key that was never seen has the whole capacity.", bucket(3, 1))
    w.checks(0, "A 2 reset 1000", "A 1 reset 1000", "A 0 reset 1000", "D 1000 reset 1000")
    w.check(999, "D 1")
    w.check(1000, "A 0 reset 1000")
    w.check(1001, "D 999")
    yield w

    w = World("gains-evenly", "Permits come one by one, not all at once when a period is over.", bucket(4, 4))
    w.check(0, "A 0 reset 250", cost=4)
    w.check(249, "D 1")
    w.checks(250, "A 0", "D 250")
    w.checks(750, "A 1 reset 250", "A 0 reset 250", "D 250")
    yield w

    w = World("part-of-a-permit", "What has come back of a permit shortens the wait for it.", bucket(2, 1))
    w.check(0, "A 1 reset 1000")
    w.check(300, "A 0 reset 700")
    w.check(400, "D 600 reset 600")
    w.check(1000, "A 0 reset 1000")
    yield w

    why = "With three permits a second a wait is a third of a second rounded up, and nothing is lost by polling."
    w = World("thirds", why, bucket(1, 3))
    w.check(0, "A 0 reset 334")
    w.check(1, "D 333")
    w.check(333, "D 1")
    w.check(334, "A 0")
    w.check(667, "D 1")
    w.check(668, "A 0")
    yield w

    why = "A bucket that is never full keeps the fractions between calls: 3 permits a second stay 3 a second."
    w = World("fractions-are-kept", why, bucket(2, 3))
    w.check(0, "A 0 reset 334", cost=2)
    w.check(334, "A 0 reset 333")
    w.check(667, "A 0 reset 333")
    w.check(1000, "A 0 reset 334")
    w.check(1333, "D 1")
    w.check(1334, "A 0 reset 333")
    yield w

    w = World(
        "never-above-capacity", "However long a key rests, its bucket holds the capacity and no more.", bucket(3, 10)
    )
    w.check(0, "A 0", cost=3)
    w.remaining(299, 2)
    w.peek(300, "A 2")
    w.remaining(300, 3)
    w.remaining(3_600_000, 3)
    w.checks(3_600_000, "A 2", "A 1", "A 0", "D 100")
    yield w

    why = "A cost waits until the whole of it has come back."
    w = World("cost-waits-for-all-of-it", why, bucket(10, 2))
    w.check(0, "A 3 reset 500", cost=7)
    w.check(0, "D 1000 remaining 3 reset 500", cost=5)
    w.check(999, "D 1 remaining 4 reset 1", cost=5)
    w.check(1000, "A 0", cost=5)
    w.check(1000, "D 5000 remaining 0 reset 500", cost=10)
    w.check(6000, "A 0", cost=10)
    yield w

    why = "Refill faster than a permit a millisecond: a wait is still at least one millisecond."
    w = World("several-permits-a-millisecond", why, bucket(10, 5, 1))
    w.check(0, "A 0 reset 1", cost=10)
    w.check(0, "D 2 reset 1", cost=6)
    w.check(1, "A 0", cost=5)
    w.check(2, "A 4", cost=1)
    w.check(4, "A 0", cost=10)
    w.check(5, "D 1 remaining 5", cost=6)
    yield w

    why = "A refill far above the capacity fills the bucket at every millisecond, and not within one."
    w = World("refill-above-capacity", why, bucket(2, 4_294_967_295, 1))
    for time in (0, 1, 2, 900):
        w.checks(time, "A 1 reset 1", "A 0 reset 1", "D 1 reset 1")
    yield w

    w = World("one-permit", "The smallest bucket that admits anything.", bucket(1, 1, 1))
    for time in range(3):
        w.checks(time, "A 0 reset 1", "D 1")
    yield w

    why = "An older call brings nothing and takes nothing back: the row stays at its own time."
    w = World("older-call", why, bucket(10, 1))
    w.check(10_000, "A 0 at 10000 reset 1000", cost=10)
    w.check(9_000, "D 2000 at 10000 reset 2000")
    w.check(0, "D 11000 at 10000")
    w.check(10_999, "D 1 at 10999")
    w.checks(11_000, "A 0 reset 1000", "D 1000")
    yield w

    w = World("older-call-takes", "An older call takes from the level that the row holds.", bucket(5, 1))
    w.check(5000, "A 2", cost=3)
    w.check(4000, "A 1 at 5000 reset 2000")
    w.check(5000, "A 0 at 5000 reset 1000")
    w.check(5500, "D 500")
    yield w

    why = "Refusals neither empty the bucket nor put its refill off, and keep the fraction under way."
    w = World("refusals-cost-nothing", why, bucket(2, 1))
    w.check(0, "A 0", cost=2)
    for time in range(150, 1000, 150):
        w.check(time, f"D {1000 - time}")
    w.check(1000, "A 0")
    w.check(1999, "D 1001 remaining 0 reset 1", cost=2)
    w.check(2000, "A 0")
    yield w

    w = World("exact-retry", "The stated wait is exact to the millisecond, for every cost and rate.", bucket(7, 11, 97))
    start = 0
    for cost in (1, 2, 3, 7):
        w.check(start, None, cost=7)
        w.exact_retry(start + 5, cost=cost)
        start += 1000
    yield w

    w = World("rate-below-one", "A bucket that gains a permit in two seconds.", bucket(16, 1, 2000))
    w.check(0, "A 15 reset 2000")
    w.remaining(1999, 15)
    w.remaining(2000, 16)
    w.check(2000, "A 0 reset 2000", cost=16)
    w.check(2500, "D 3500 reset 1500", cost=2)
    yield w

    w = World("keys-have-buckets-apart", "Each key has a bucket of its own.", bucket(1, 1))
    w.checks(0, "A 0", "D 1000")
    w.checks(600, "A 0", "D 1000", key="b")
    w.check(1000, "A 0")
    w.check(1000, "D 600", key="b")
    yield w

    w = World("at-unix-times", "Nothing changes at the times of a real clock.", bucket(2, 1, 60_000))
    w.checks(1_700_000_000_123, "A 1 reset 60000", "A 0 reset 60000", "D 60000")
    w.check(1_700_000_060_122, "D 1")
    w.check(1_700_000_060_123, "A 0")
    yield w
