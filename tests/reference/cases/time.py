from case import World, bucket, fixed, sliding

NAME = "time"
PROBES = "Time that stands, jumps and goes back: the clock of a row, the time of a sweep, and who moves them."

LATEST = 2**52 - 1


def cases():
    w = World("standing-time", "A clock that stands grants the limit once.", sliding(3, 1000))
    w.checks(5, "A 2", "A 1", "A 0", *["D 1000"] * 4)
    yield w

    why = "Only an allowed call moves a row's clock: refusals, peeks and refunds at later times leave it."
    w = World("what-moves-the-clock-of-a-row", why, bucket(2, 1, 30_000))
    step = w.check(1000, "A 0 reset 30000", cost=2)
    w.check(2000, "D 29000 at 2000")
    w.peek(5000, "D 26000 at 5000")
    w.refund(step, 6000, 1)
    w.check(1500, "A 0 at 1500")
    w.check(1200, "D 4800 at 1500 reset 4800")
    yield w

    why = "A refund at a later time does not move the row's clock."
    w = World("refunds-do-not-move-time", why, fixed(3, 60_000))
    step = w.check(1000, "A 2 at 1000")
    w.refund(step, 50_000, 1)
    w.check(2000, "A 2 at 2000")
    yield w

    why = "A row ahead of the caller: every wait is counted from the caller's own time."
    w = World("row-ahead-of-a-fixed-window", why, fixed(1, 1000))
    w.check(90_500, "A 0 reset 500")
    w.check(30_000, "D 61000 at 90500 reset 61000")
    w.peek(30_000, "D 61000 at 90500")
    w.remaining(30_000, 0)
    w.check(90_999, "D 1")
    w.check(91_000, "A 0")
    yield w

    w = World("row-ahead-of-a-bucket", "The wait for a bucket ahead includes the time to its clock.", bucket(2, 1))
    w.check(50_000, "A 0 reset 1000", cost=2)
    w.check(49_000, "D 2000 at 50000 reset 2000")
    w.check(49_000, "D 3000 at 50000 reset 2000", cost=2)
    w.check(50_999, "D 1")
    w.check(51_000, "A 0")
    w.exact_retry(30_000)
    yield w

    w = World("row-ahead-of-a-sliding-window", "So does the wait for an entry that lies ahead.", sliding(2, 1000))
    w.check(50_000, "A 1 reset 1000")
    w.check(49_000, "A 0 at 50000 reset 2000")
    w.check(48_000, "D 3000 at 50000 reset 3000")
    w.check(50_999, "D 1")
    w.check(51_000, "A 1")
    yield w

    why = "The first call sets the first epoch at its own time and starts no sweep, so it freezes no other key."
    w = World("a-late-first-call-freezes-only-its-key", why, fixed(1, 1000))
    w.check(1_000_000, "A 0 at 1000000")
    w.check(500, "A 0 at 500 reset 500", key="b")
    w.check(500, "D 1000500 at 1000000")
    yield w

    why = "A check far ahead starts a sweep at its time, and that time then holds for every key; clear ends it."
    w = World("a-check-far-ahead-freezes-every-key", why, fixed(2, 1000))
    w.check(0, "A 1 at 0")
    w.check(9_000_500, "A 1 at 9000500", key="b")
    w.check(100, "A 1 at 9000500 reset 9000900")
    w.check(100, "A 1 at 9000500 reset 9000900", key="c")
    w.check(100, "A 0 at 9000500", key="c")
    w.check(100, "D 9000900 at 9000500", key="c")
    w.clear()
    w.check(100, "A 1 at 100 reset 900", key="c")
    yield w

    w = World("a-peek-far-ahead-freezes-every-key", "A peek starts a due sweep as a check does.", sliding(1, 1000))
    w.check(0, "A 0")
    w.peek(5_000, "A 0 at 5000 reset 1000", key="b")
    w.check(100, "A 0 at 5000 reset 5900")
    w.len(1)
    yield w

    w = World("remaining-far-ahead-freezes-every-key", "So does remaining.", bucket(1, 1))
    w.check(0, "A 0")
    w.remaining(5_000, 1, key="b")
    w.check(100, "A 0 at 5000 reset 5900")
    yield w

    w = World(
        "a-called-sweep-freezes-every-key", "A sweep that is called moves time as one that falls due.", bucket(1, 1)
    )
    w.sweep(5_000, 0)
    w.check(100, "A 0 at 5000 reset 5900")
    w.check(100, "D 5900 at 5000")
    w.check(5_999, "D 1")
    w.check(6_000, "A 0")
    yield w

    why = "A cost that exceeds the limit, a refund and an argument error do not move time, however late they come."
    w = World("what-starts-no-sweep", why, fixed(2, 1000))
    step = w.check(0, "A 1")
    w.check(90_000, "X 2 at 90000", cost=3)
    w.peek(90_000, "X 2 at 90000", cost=3)
    w.check(90_000, "E cost", cost=0)
    w.refund(step, 90_000, 0)
    w.check(LATEST + 1, "E now_ms")
    w.check(100, "A 0 at 100", cost=1)
    w.len(1)
    yield w

    why = "Until something sets the first epoch no sweep can fall due, whatever refusals and errors came before."
    w = World("what-sets-no-epoch", why, fixed(2, 1000))
    w.check(0, "X 2", cost=3)
    w.peek(10, "X 2", cost=3)
    w.check(20, "E cost", cost=0)
    w.refund(
        {
            "kind": "allowed",
            "policy": 0,
            "limit": 2,
            "remaining": 1,
            "cost": 1,
            "reset_after_ms": 970,
            "retry_after_ms": 0,
            "at_ms": 30,
        },
        30,
        0,
    )
    w.reset(False)
    w.len(0)
    w.check(5_500, "A 1 at 5500")
    w.check(300, "A 1 at 300", key="b")
    w.check(6_400, "A 1 at 6400")
    w.check(300, "A 0 at 300", key="b")
    w.check(6_500, "A 0 at 6500")
    w.check(300, "A 1 at 6500", key="b")
    yield w

    why = "Epochs are counted from the first call, not from 0, and each starts at most one sweep."
    w = World("epochs-begin-at-the-first-call", why, fixed(1, 1000))
    w.check(700, "A 0")
    w.check(1_699, "A 0 at 1699")
    w.check(10, "A 0 at 10", key="b")
    w.check(1_700, "D 300")
    w.check(10, "A 0 at 1700 reset 1990", key="c")
    w.check(2_699, "A 0 at 2699")
    w.check(10, "A 0 at 1700 reset 1990", key="d")
    yield w

    why = "An epoch that is older than one already seen starts no sweep."
    w = World("older-epochs-start-no-sweep", why, fixed(1, 1000))
    w.check(0, "A 0")
    w.check(5_000, "A 0", key="b")
    w.check(3_000, "A 0 at 5000 reset 3000", key="c")
    w.len(2)
    w.check(5_999, "D 1 at 5999", key="c")
    w.len(2)
    w.check(6_000, "A 0 at 6000")
    w.len(1)
    yield w

    why = "A sweep called with an older time leaves the sweep time where it was and judges rows there."
    w = World("an-older-sweep-judges-at-the-newest-time", why, fixed(1, 1000))
    step = w.check(0, "A 0")
    w.check(2_500, "A 0 at 2500", key="b")
    w.sweep(0, 0)
    w.check(0, "A 0 at 2500 reset 3000", key="c")
    w.len(2)
    w.refund(3, 0, 1, key="c")
    w.sweep(0, 1)
    w.reset(True, key="b")
    w.refund(step, 2_500, 0)
    yield w

    why = "Waits grow by as much as the caller's time goes back."
    w = World("waits-grow-backwards", why, fixed(1, 60_000))
    w.check(50_000, "A 0 reset 10000")
    for time in range(49_000, 0, -7_000):
        w.check(time, f"D {60_000 - time} at 50000 reset {60_000 - time}")
    yield w

    why = "The ends of time: 0 and 2^52 - 1 milliseconds are ordinary, and a wait may pass the end."
    w = World("ends-of-time", why, fixed(2, 1000))
    w.check(0, "A 1 reset 1000")
    w.check(LATEST, "A 1 at 4503599627370495 reset 505")
    w.check(LATEST, "A 0 reset 505")
    w.check(LATEST, "D 505")
    w.check(0, "D 4503599627371000 at 4503599627370495")
    yield w

    w = World(
        "ends-of-time-of-a-bucket", "A bucket goes from one end of time to the other.", bucket(3, 1, 31_622_400_000)
    )
    w.check(0, "A 0 reset 31622400000", cost=3)
    w.check(LATEST, "A 0 reset 31622400000", cost=3)
    w.check(LATEST, "D 94867200000 reset 31622400000", cost=3)
    w.check(0, "D 4503694494570495 at 4503599627370495 reset 4503631249770495", cost=3)
    yield w

    w = World(
        "ends-of-time-of-a-sliding-window", "A log goes from one end of time to the other.", sliding(3, 31_622_400_000)
    )
    w.check(0, "A 0", cost=3)
    w.check(LATEST, "A 1 reset 31622400000", cost=2)
    w.check(LATEST, "D 31622400000 remaining 1", cost=2)
    w.check(0, "D 4503631249770495 remaining 1 at 4503599627370495", cost=2)
    yield w

    why = "A saturated or impossible call reports the caller's own time, also where the sweep time is later."
    w = World("whose-time-is-reported", why, fixed(1, 1000), 1)
    w.check(0, "A 0")
    w.sweep(700, 0)
    w.check(100, "S 900 at 100 reset 900", key="b")
    w.check(100, "X 1 at 100 reset 0", key="b", cost=2)
    w.check(100, "D 900 at 700 reset 900")
    yield w

    why = "Back and forth in every step, the sum within any window stays within the limit."
    w = World("back-and-forth", why, sliding(3, 10_000))
    w.check(20_000, "A 2 at 20000")
    w.check(15_000, "A 1 at 20000 reset 15000")
    w.check(25_000, "A 0 at 25000 reset 5000")
    w.check(16_000, "D 14000 at 25000")
    w.check(30_000, "A 1 at 30000 reset 5000")
    w.check(29_000, "A 0 at 30000 reset 6000")
    w.check(34_999, "D 1 at 34999")
    w.check(35_000, "A 0 at 35000 reset 5000")
    yield w
