from case import Configuration, World, bucket, fixed, sliding

NAME = "public-faults"
PROBES = "What went wrong in other limiters and became public, each as the calls that show it."

YEAR = 31_622_400_000


def cases():
    yield from counting()
    yield from buckets()
    yield from sliding_windows()
    yield from costs()
    yield from extremes()
    yield from time_and_rows()


def counting():
    w = World(
        "every-window-serves-the-limit",
        "Every window admits its limit, the first and each later one.",
        fixed(5, 1000),
        fault=[6],
    )
    for time in (0, 1000, 2000):
        w.checks(time, "A 4", "A 3", "A 2", "A 1", "A 0", "D 1000")
    yield w

    why = "Hits do not renew the end of a window: it is set once, and the next window begins on time."
    w = World("hits-do-not-renew-the-window", why, fixed(5, 60_000), fault=[26])
    for index in range(5):
        w.check(index * 10_000, f"A {4 - index} reset {60_000 - index * 10_000}")
    w.check(50_000, "D 10000")
    w.check(60_000, "A 4 reset 60000")
    yield w

    w = World(
        "refusals-do-not-extend",
        "Fifty hits on a limit of ten: the window still ends on time.",
        fixed(10, 10_000),
        fault=[103],
    )
    for index in range(50):
        time = index * 100
        w.check(time, f"A {9 - index}" if index < 10 else f"D {10_000 - time} reset {10_000 - time}")
    w.check(9_999, "D 1")
    w.check(10_000, "A 9")
    yield w

    why = "Around a boundary a fixed window passes exactly twice its limit, which is why a sliding one exists."
    w = World("twice-the-limit-and-no-more", why, fixed(5, 60_000), fault=[9])
    w.checks(59_999, "A 4", "A 3", "A 2", "A 1", "A 0", "D 1")
    w.checks(60_000, "A 4", "A 3", "A 2", "A 1", "A 0", *["D 60000"] * 5)
    yield w

    w = World(
        "a-new-window-counts-from-nothing",
        "Two hits at a window's end: the count restarts.",
        fixed(3, 1000),
        fault=[83],
    )
    w.checks(999, "A 2", "A 1", "A 0")
    w.checks(1000, "A 2", "A 1", "A 0", "D 1000")
    yield w

    why = "After a reset the count is of the hits since, exactly."
    w = World("reset-among-hits", why, fixed(4, 60_000), fault=[87])
    for _ in range(5):
        w.checks(0, "A 3", "A 2", "A 1", "A 0", "D 60000")
        w.reset(True)
    w.reset(False)
    yield w


def buckets():
    why = "Calls of ten units each, as often as they can for 60 seconds: the burst and the rate, and no more."
    w = World("no-more-than-burst-and-rate", why, bucket(1200, 20), fault=[3])
    w.check(0, "A 0", cost=1200)
    for half in range(1, 121):
        w.check(half * 500, "A 0 reset 50", cost=10)
    w.checks(60_000, "D 500 remaining 0", "D 500", cost=10)
    w.check(60_499, "D 1 remaining 9", cost=10)
    w.stats("121 3 0 0")
    yield w

    why = "A bucket of three a minute gives one back after twenty seconds; the sliding window does not."
    w = World("three-a-minute-as-a-bucket", why, bucket(3, 3, 60_000), fault=[10])
    w.checks(0, "A 2", "A 1", "A 0", "D 20000")
    w.check(20_000, "A 0")
    yield w
    w = World("three-a-minute-as-a-sliding-window", why, sliding(3, 60_000), fault=[10])
    w.checks(0, "A 2", "A 1", "A 0")
    w.check(20_000, "D 40000")
    yield w

    why = "A hit every 100 ms for ten seconds: at most the capacity and the rate, and never a jump to full."
    w = World("no-jump-to-full", why, bucket(3, 3), fault=[12])
    for index in range(101):
        w.check(index * 100)
    w.stats("33 68 0 0")
    yield w

    w = World("never-more-than-the-capacity", "After an hour a bucket of ten holds ten.", bucket(10, 10), fault=[13])
    w.check(0, "A 9")
    w.remaining(3_600_000, 10)
    w.peek(3_600_000, "A 9")
    yield w

    w = World("polling-keeps-the-fraction", "Polling ten times a second loses nothing.", bucket(1, 1), fault=[15])
    w.check(0, "A 0")
    for time in range(100, 1000, 100):
        w.check(time, f"D {1000 - time}")
    w.check(1000, "A 0")
    yield w
    w = World(
        "polling-each-millisecond", "Nor does polling each millisecond at three a second.", bucket(1, 3), fault=[15]
    )
    w.check(0, "A 0")
    for time in range(310, 334):
        w.check(time, f"D {334 - time}")
    w.check(334, "A 0")
    yield w

    w = World(
        "cost-above-the-refill",
        "A cost larger than what a second brings is reached in time.",
        bucket(10, 1),
        fault=[16],
    )
    w.checks(0, "A 5", "A 0", cost=5)
    w.check(4_999, "D 1", cost=5)
    w.check(5_000, "A 0", cost=5)
    yield w

    w = World(
        "wait-of-a-slow-bucket",
        "One permit in two seconds: the wait is two seconds and it suffices.",
        bucket(1, 1, 2000),
        fault=[17],
    )
    w.checks(0, "A 0", "D 2000")
    w.check(1_999, "D 1")
    w.check(2_000, "A 0")
    yield w

    w = World("wait-counts-what-is-back", "After 200 ms the wait is 800.", bucket(1, 1), fault=[18])
    w.check(0, "A 0")
    w.check(200, "D 800")
    yield w

    for policy in (fixed(4, 900), bucket(4, 3, 700), sliding(4, 900)):
        name = f"retry-of-a-{policy['algorithm']}".replace("_", "-")
        w = World(name, "One millisecond before the wait is over: refused; then: allowed.", policy, fault=[21])
        for start, taken, cost in ((0, (1, 3), 1), (7_000, (2, 1), 4), (20_050, (3, 1), 2)):
            for step, part in enumerate(taken):
                w.check(start + step * 13, None, cost=part)
            w.exact_retry(start + 14, cost=cost)
        yield w

    w = World(
        "full-again-in-exactly",
        "30 in 60 seconds with a burst of 16: one hit is back in exactly two seconds.",
        bucket(16, 30, 60_000),
        fault=[22],
    )
    w.check(0, "A 15 reset 2000")
    w.remaining(1_999, 15)
    w.remaining(2_000, 16)
    yield w

    w = World(
        "after-a-rest",
        "After an hour's rest ten are allowed, not eleven, and eleven at once never.",
        bucket(10, 10),
        fault=[24],
    )
    w.check(0, "A 9")
    w.checks(3_600_000, *[f"A {left}" for left in range(9, -1, -1)], "D 100")
    w.check(7_200_000, "X 10", cost=11)
    yield w

    w = World(
        "reset-counts-the-whole-cost",
        "After a cost of five a bucket is full in five seconds, and its row stays that long.",
        bucket(10, 1),
        fault=[108],
    )
    w.check(0, "A 5 reset 1000", cost=5)
    w.remaining(4_999, 9)
    w.sweep(4_999, 0)
    w.remaining(5_000, 10)
    w.sweep(5_000, 1)
    yield w


def sliding_windows():
    w = World(
        "limit-of-one-allows-one",
        "A sliding window of limit 1 allows one, and again when it is out.",
        sliding(1, 10_000),
        fault=[4],
    )
    w.check(0, "A 0")
    w.check(1, "D 9999")
    w.check(9_999, "D 1")
    w.check(10_000, "A 0")
    yield w

    w = World("it-slides", "An entry that is exactly as old as the window is out.", sliding(2, 1000), fault=[7])
    w.check(0, "A 1")
    w.check(10, "A 0")
    w.check(500, "D 500")
    w.check(1_000, "A 0")
    w.check(1_001, "D 9")
    yield w

    w = World(
        "no-burst-around-a-boundary",
        "Five at the end of a minute leave none for the next minute.",
        sliding(5, 60_000),
        fault=[9],
    )
    w.checks(59_999, "A 4", "A 3", "A 2", "A 1", "A 0")
    w.checks(60_000, *["D 59999"] * 5)
    yield w

    w = World(
        "retries-do-not-count",
        "A call each minute while one in ten minutes is allowed.",
        sliding(1, 600_000),
        fault=[20],
    )
    w.check(0, "A 0")
    for time in range(60_000, 600_000, 60_000):
        w.check(time, f"D {600_000 - time}")
    w.check(600_000, "A 0")
    yield w

    w = World("a-late-key-is-not-freed-early", "Each key's window is its own.", sliding(1, 10_000), fault=[25])
    w.check(0, "A 0", key="user 1")
    w.check(7_000, "A 0", key="user 2")
    w.check(12_000, "D 5000", key="user 2")
    w.check(12_000, "A 0", key="user 1")
    yield w

    why = "A sweep after every call: still at most the limit in any 50 ms."
    w = World("sweeping-drops-no-live-entry", why, sliding(10, 50), fault=[68])
    for index in range(60):
        w.check(index * 2, None, cost=1 + index % 2)
        w.sweep(index * 2)
    spans = [(step["now_ms"], step["cost"]) for step in w.steps if step["expect"].get("kind") == "allowed"]
    worst = max(sum(cost for time, cost in spans if end - 50 < time <= end) for end in range(170))
    if worst != 10:
        raise AssertionError(f"the worst span holds {worst}")
    yield w

    why = "Ten callers at once at three in three seconds: three at each third second, as their waits say."
    w = World("three-then-three", why, sliding(3, 3000), fault=[73])
    for time in (0, 3_000, 6_000):
        w.checks(time, "A 2", "A 1", "A 0", "D 3000")
    w.checks(9_000, "A 2")
    yield w


def costs():
    w = World("more-than-the-burst", "More than the burst is impossible, told so and free.", bucket(10, 10), fault=[1])
    w.check(0, "X 10 remaining 0 reset 0", cost=11)
    w.check(0, "A 0", cost=10)
    yield w

    w = World(
        "more-than-the-window",
        "A cost above a sliding window's limit is impossible, and its log stays empty.",
        sliding(5, 60_000),
        fault=[27],
    )
    w.check(0, "X 5", cost=6)
    w.len(0)
    w.check(0, "A 0", cost=5)
    yield w

    why = "If one limit of a stack refuses, the other is not charged."
    w = World("nothing-for-nothing", why, [fixed(30, 60_000), fixed(1, 1000)], fault=[29])
    w.check(0, "A 0 policy 1")
    w.checks(1, *["D 999 policy 1 limit 1"] * 8)
    for second in range(1, 30):
        w.check(second * 1000, f"A 0 policy {0 if second == 29 else 1}")
    w.check(30_000, "D 30000 policy 0 limit 30")
    yield w

    why = "No cost outside its range takes or gives anything."
    w = World("costs-that-are-none", why, bucket(5, 1), fault=[31])
    w.check(0, "A 3", cost=2)
    for cost in (0, 2**32, 2**53, 2**64 - 1):
        w.check(0, "E cost", cost=cost)
        w.peek(0, "E cost", cost=cost)
    w.remaining(0, 3)
    yield w

    w = World(
        "refund-after-the-window",
        "A refund after the window gives nothing back and mints nothing.",
        fixed(2, 1000),
        fault=[33],
    )
    step = w.check(900, "A 1")
    w.refund(step, 1_100, 0)
    w.checks(1_100, "A 1", "A 0", "D 900")
    yield w


def extremes():
    why = "Settings that make no limiter are refused at construction."
    for name, policy, says in (
        ("window-of-0", fixed(6, 0), "1 window_ms"),
        ("sliding-window-of-0", sliding(6, 0), "1 window_ms"),
        ("refill-of-0", bucket(6, 0), "1 refill"),
        ("refill-period-of-0", bucket(6, 1, 0), "1 refill_period_ms"),
        ("limit-of-2-to-32", fixed(2**32, 1000), "1 limit"),
    ):
        yield Configuration(name, why, policy, says, fault=[38, 44] if name == "refill-of-0" else [38])

    why = "A limit of 0 admits nothing, says that no wait helps, and ends nothing."
    for policy in (fixed(0, 1000), bucket(0, 1), sliding(0, 1000)):
        w = World(f"limit-of-0-of-a-{policy['algorithm']}".replace("_", "-"), why, policy, fault=[38, 39, 40])
        w.checks(0, "X 0 remaining 0 reset 0", "X 0")
        w.peek(0, "X 0")
        w.remaining(0, 0)
        w.check(10_000, "X 0")
        w.len(0)
        yield w

    w = World("large-capacity-and-rate", "6000 at once and not 6001.", bucket(6000, 6000), fault=[42])
    w.check(0, "A 5999 reset 1")
    w.check(0, "A 0", cost=5999)
    w.check(0, "D 1")
    w.check(1, "A 5", cost=1)
    yield w
    w = World("thousand-a-minute", "The first of a thousand leaves 999.", bucket(1000, 1000, 60_000), fault=[42])
    w.check(0, "A 999 reset 60")
    yield w

    why = "A rate above 1e9 a second refuses no one who is within it."
    w = World("above-a-thousand-million-a-second", why, bucket(2**32 - 1, 1_000_000_001), fault=[43])
    for time in range(30):
        w.check(time, "A 4294967294 reset 1")
        w.check(time, "A 4293967295 reset 1", cost=999_999)
    yield w

    why = "The slowest refill there is: one permit, then refusals that say how long it takes."
    w = World("slowest-refill", why, bucket(1, 1, YEAR), fault=[44])
    w.checks(0, "A 0", *[f"D {YEAR}"] * 3)
    w.check(86_400_000, f"D {YEAR - 86_400_000}")
    w.check(YEAR, "A 0")
    yield w
    w = World(
        "empty-bucket-tells-its-wait",
        "An empty bucket says at once that the wait is longer than anyone waits.",
        bucket(1, 1, YEAR),
        fault=[79],
    )
    w.check(0, "A 0")
    w.check(200, f"D {YEAR - 200}")
    yield w

    why = "Hours, years and the end of time of rest: full, and no overflow."
    w = World("long-rests", why, bucket(10_000, 10_000), fault=[46])
    for time in (0, 12 * 3_600_000, 315_576_000_000, 2**52 - 1):
        w.check(time, "A 0", cost=10_000)
        w.check(time, "D 1")
    w.clear()
    w.check(0, "A 0", cost=10_000)
    w.check(2**52 - 1, "A 9999")
    yield w

    why = "A window of a year is a year, not one millisecond."
    w = World("window-of-a-year", why, fixed(5, 365 * 86_400_000), fault=[47])
    w.checks(0, "A 4", "A 3", "A 2", "A 1", "A 0", "D 31536000000")
    w.check(50, "D 31535999950")
    w.check(2**31, "D 29388516352")
    w.check(2**32, "D 27241032704")
    yield w


def time_and_rows():
    why = "A call with an older time leaves the bucket's clock: one permit comes back, not two."
    w = World("older-time-mints-nothing", why, bucket(10, 1), fault=[51])
    w.check(10_000, "A 0", cost=10)
    w.check(9_000, "D 2000")
    w.checks(11_000, "A 0", "D 1000")
    yield w

    w = World("time-begins-at-0", "Time 0 is an ordinary time in window 0.", fixed(2, 1000), fault=[52])
    w.checks(0, "A 1 reset 1000", "A 0", "D 1000")
    w.check(999, "D 1")
    w.check(1_000, "A 1")
    yield w

    why = "Keys that are over leave: rows are those of the last window and sweep, however many keys came."
    w = World("expired-keys-leave", why, fixed(1, 10), 1000, fault=[60])
    for index in range(60):
        w.check(index * 3, "A 0", key=f"key {index}")
        if index % 10 == 9:
            w.len()
            if w.steps[-1]["expect"]["len"] > 4:
                raise AssertionError("more rows than keys of one window")
    yield w

    why = "A thousand permits that do not come back in time are a thousand calls."
    w = World("exactly-the-capacity", why, bucket(1000, 1, YEAR), fault=[67])
    w.check(0, "A 1", cost=999)
    w.check(0, "D 31622400000 remaining 1", cost=2)
    w.checks(0, "A 0", "D 31622400000", "D 31622400000")
    yield w
    w = World(
        "first-hits-of-a-new-key", "Many first hits of one new key: exactly the limit.", fixed(7, 60_000), fault=[67]
    )
    w.checks(0, *[f"A {left}" for left in range(6, -1, -1)], *["D 60000"] * 9)
    w.len(1)
    yield w
