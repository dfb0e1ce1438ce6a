from case import World, bucket, fixed, sliding

NAME = "cap-and-sweeps"
PROBES = "How many rows there may be, who is refused when they are used up, and when a sweep makes room."


def cases():
    why = "A key without a row is refused when all rows are used; one that has a row goes on."
    w = World("full-table", why, fixed(3, 10_000), 2)
    w.check(0, "A 2")
    w.check(0, "A 2", key="b")
    w.check(0, "S 10000 policy 0 limit 3 remaining 0 reset 10000 at 0", key="c")
    w.checks(1, "A 1", "A 0", "D 9999")
    w.check(1, "A 1", key="b")
    w.check(9_999, "S 1", key="c")
    w.len(2)
    w.check(10_000, "A 2", key="c")
    w.len(1)
    yield w

    w = World("cap-of-one", "The smallest cap serves one key at a time.", sliding(1, 1000), 1)
    w.check(0, "A 0")
    w.check(0, "S 1000", key="b")
    w.check(0, "D 1000")
    w.check(1000, "A 0", key="b")
    w.check(1000, "S 1000")
    w.check(1999, "S 1")
    w.check(2000, "A 0")
    yield w

    why = "A saturated answer makes no row and takes nothing, however many keys are sprayed."
    w = World("spraying-keys-frees-nobody", why, bucket(2, 1, 30_000), 3)
    for key in "abc":
        w.check(0, "A 0", key=key, cost=2)
    for index in range(20):
        w.check(index * 100, f"S {60_000 - index * 100}", key=f"spray {index}")
    w.len(3)
    for key in "abc":
        w.check(2000, "D 28000", key=key)
    w.stats("3 3 20 0")
    yield w

    why = "Each saturated answer waits for the next epoch, counted from the first call; no more rows are free before."
    w = World("saturated-waits-for-the-next-epoch", why, fixed(1, 1000), 1)
    w.check(300, "A 0 reset 700")
    w.check(300, "S 1000 reset 1000 at 300", key="b")
    w.check(1_299, "S 1 reset 1", key="b")
    w.check(1_300, "A 0 reset 700", key="b")
    w.check(1_300, "S 1000")
    w.check(500, "S 1800 reset 1800 at 500")
    w.check(0, "S 2300")
    w.check(2_299, "S 1")
    w.check(2_300, "A 0")
    yield w

    why = "After a call in a far epoch a saturated answer waits for the epoch after that one, whatever its own time."
    w = World("saturated-after-a-far-epoch", why, fixed(1, 1000), 1)
    w.check(0, "A 0")
    w.check(7_250, "A 0", key="b")
    w.check(7_250, "S 750")
    w.check(3_000, "S 5000")
    w.check(7_999, "S 1")
    w.check(8_000, "A 0")
    yield w

    w = World("peek-and-remaining-on-a-full-table", "They answer as check would, and make no row.", fixed(5, 1000), 1)
    w.peek(0, "A 4")
    w.remaining(0, 5)
    w.len(0)
    w.check(0, "A 4", key="b")
    w.peek(0, "S 1000 limit 5")
    w.remaining(0, 0)
    w.remaining(0, 4, key="b")
    w.peek(1_000, "A 4")
    w.len(0)
    w.remaining(1_000, 5)
    yield w

    why = "A cost above the limit is told before the table is looked at, so a full table does not hide it."
    w = World("exceeds-limit-on-a-full-table", why, fixed(2, 1000), 1)
    w.check(0, "A 1")
    w.check(0, "X 2", key="b", cost=3)
    w.check(0, "S 1000", key="b", cost=2)
    w.check(1_500, "X 2", key="b", cost=3)
    w.len(1)
    yield w

    why = "An idle row that no sweep has met is still the key's own: the key is served on a full table."
    w = World("idle-row-before-its-sweep", why, fixed(1, 1000), 1)
    w.check(900, "A 0")
    w.check(1_000, "A 0 at 1000")
    w.check(1_000, "S 900", key="b")
    w.check(1_899, "S 1", key="b")
    w.check(1_899, "D 101")
    yield w

    why = "A sweep never removes a row that still owes something, so its key stays limited."
    w = World("owing-rows-stay", why, sliding(2, 5_000), 2)
    w.check(0, "A 0", cost=2)
    w.check(2_000, "A 1", key="b")
    w.sweep(4_999, 0)
    w.check(4_999, "D 1")
    w.sweep(5_000, 1)
    w.len(1)
    w.check(5_000, "A 0", cost=2)
    w.check(5_000, "S 5000", key="c")
    w.sweep(6_999, 0)
    w.sweep(7_000, 1)
    w.len(1)
    yield w

    w = World(
        "idle-fixed-window", "A fixed window's row is idle from the moment its window is over.", fixed(2, 1000), 5
    )
    w.check(500, "A 1")
    w.check(999, "A 1", key="b")
    w.sweep(999, 0)
    w.sweep(1000, 2)
    w.len(0)
    yield w

    w = World("idle-bucket", "A bucket's row is idle from the millisecond at which it is full.", bucket(3, 7, 1000), 5)
    w.check(0, "A 2")
    w.check(0, "A 0", key="b", cost=3)
    w.sweep(142, 0)
    w.sweep(143, 1)
    w.sweep(428, 0)
    w.sweep(429, 1)
    w.len(0)
    yield w

    w = World("idle-sliding-window", "A sliding window's row is idle when its last entry is out.", sliding(3, 1000), 5)
    w.check(0, "A 2")
    w.check(400, "A 1")
    w.sweep(1_000, 0)
    w.sweep(1_399, 0)
    w.sweep(1_400, 1)
    w.len(0)
    yield w

    why = "A row whose clock is after the sweep's time stays even if it owes nothing: it still holds its key's time."
    w = World("rows-ahead-of-the-sweep-stay", why, fixed(2, 1000), 5)
    step = w.check(900, "A 1")
    w.refund(step, 900, 1)
    w.sweep(899, 0)
    w.len(1)
    w.check(100, "A 1 at 900", key="a")
    w.refund(4, 900, 1)
    w.sweep(900, 1)
    w.check(100, "A 1 at 900", key="c")
    yield w

    why = "A refund that leaves nothing owed does not free the row by itself; the next sweep does."
    w = World("refunded-rows-wait-for-a-sweep", why, bucket(5, 1), 1)
    step = w.check(0, "A 2", cost=3)
    w.refund(step, 0, 3)
    w.len(1)
    w.check(0, "S 5000", key="b")
    w.sweep(0, 1)
    w.check(0, "A 4", key="b")
    yield w

    why = "Removing an idle row changes no decision: the key goes on as if it had stayed."
    w = World("sweeping-changes-no-decision", why, sliding(2, 1000), 4)
    for key in "abc":
        w.checks(0, "A 1", "A 0", key=key)
    w.sweep(1_000, 3)
    for key in "abc":
        w.checks(1_000, "A 1 reset 1000", "A 0", "D 1000", key=key)
    yield w

    w = World(
        "interval-of-a-long-window",
        "A sweep comes at least every minute however long the window.",
        fixed(1, 3_600_000),
        1,
    )
    w.check(3_590_000, "A 0")
    w.check(3_590_000, "S 60000", key="b")
    w.check(3_649_999, "S 1", key="b")
    w.check(3_650_000, "A 0", key="b")
    yield w

    why = "A bucket's sweeps come as often as it takes to fill it from empty, rounded up."
    w = World("interval-of-a-bucket", why, bucket(10, 3), 1)
    w.check(0, "A 9")
    w.check(0, "S 3334", key="b")
    w.check(3_333, "S 1", key="b")
    w.check(3_334, "A 9", key="b")
    yield w

    w = World("interval-of-a-slow-bucket", "At most a minute, for a bucket as well.", bucket(10, 1, 60_000), 1)
    w.check(0, "A 9")
    w.check(0, "S 60000", key="b")
    w.check(60_000, "A 9", key="b")
    yield w

    why = "At least a millisecond: a bucket that fills at once."
    w = World("interval-of-a-fast-bucket", why, bucket(2, 4_294_967_295, 1), 1)
    w.check(0, "A 1")
    w.check(0, "S 1", key="b")
    w.check(1, "A 1", key="b")
    w.check(1, "S 1")
    yield w

    why = "A stack sweeps as often as the shortest of its policies."
    w = World("interval-of-a-stack", why, [fixed(5, 86_400_000), bucket(9, 2), sliding(4, 7_000)], 1)
    w.check(0, "A 3")
    w.check(0, "S 4500 limit 5 policy 0", key="b")
    w.check(4_500, "S 4500", key="b")
    w.check(8_999, "S 1", key="b")
    yield w

    why = "Whichever of check, peek and remaining comes first in an epoch starts its sweep."
    w = World("who-starts-a-sweep", why, fixed(1, 1000), 3)
    for time, key in ((0, "a"), (1_000, "b"), (2_000, "c")):
        w.check(time, "A 0", key=key)
        w.len(1)
    w.peek(3_000, "A 0", key="d")
    w.len(0)
    w.check(3_000, "A 0")
    w.remaining(4_000, 1, key="d")
    w.len(0)
    yield w

    why = "A first call by peek or remaining sets the first epoch as a check does."
    w = World("first-epoch-by-a-peek", why, fixed(1, 1000), 1)
    w.peek(250, "A 0")
    w.check(400, "A 0")
    w.check(400, "S 850", key="b")
    w.check(1_250, "A 0", key="b")
    w.clear()
    w.remaining(600, 1)
    w.check(700, "A 0")
    w.check(700, "S 900", key="b")
    yield w

    why = "A sweep that is called gives back rows at once and does not put the next epoch off."
    w = World("called-sweeps-and-epochs", why, bucket(1, 1, 10_000), 1)
    w.check(0, "A 0")
    w.sweep(4_000, 0)
    w.check(4_000, "S 6000", key="b")
    w.sweep(10_000, 1)
    w.check(9_000, "A 0 at 10000 reset 11000", key="b")
    w.check(9_000, "S 1000")
    w.check(10_000, "S 10000")
    w.check(20_000, "A 0")
    yield w

    why = "A sweep that is called counts only the rows that it removes, not those that a due one had removed before."
    w = World("what-a-sweep-counts", why, fixed(1, 1000), 5)
    for key in "abc":
        w.check(0, "A 0", key=key)
    w.sweep(999, 0)
    w.check(1_000, "A 0", key="d")
    w.sweep(1_000, 0)
    w.len(1)
    w.check(1_500, "A 0", key="e")
    w.sweep(2_000, 2)
    w.sweep(2_000, 0)
    yield w

    why = "reset sees the table after the sweep that was due, so a row that was swept is not forgotten twice."
    w = World("reset-after-a-due-sweep", why, fixed(1, 1000), 5)
    w.check(0, "A 0")
    w.check(0, "A 0", key="b")
    w.check(1_000, "A 0", key="c")
    w.reset(False)
    w.reset(True, key="c")
    w.reset(False, key="b")
    w.len(0)
    yield w

    why = "A reset frees the slot at once."
    w = World("reset-makes-room", why, sliding(1, 60_000), 1)
    w.check(0, "A 0")
    w.check(0, "S 60000", key="b")
    w.reset(True)
    w.check(0, "A 0", key="b")
    w.check(0, "S 60000")
    yield w

    why = "clear frees every slot and forgets the first call, epochs and sweep time."
    w = World("clear-makes-room", why, fixed(1, 1000), 2)
    w.check(5_300, "A 0")
    w.check(5_300, "A 0", key="b")
    w.check(9_000, "A 0", key="c")
    w.check(9_000, "A 0", key="d")
    w.check(9_000, "S 300", key="e")
    w.clear()
    w.len(0)
    w.check(100, "A 0 at 100", key="c")
    w.check(100, "A 0 at 100", key="d")
    w.check(100, "S 1000", key="e")
    yield w

    why = "With the cap reached again and again, rows that ended make room exactly when an epoch begins."
    w = World("many-keys-come-and-go", why, fixed(1, 100), 4)
    for index in range(24):
        w.check(index * 25, "A 0", key=f"key {index}")
        if index % 4 == 3:
            w.check(index * 25, "S 25", key="late")
            w.len(4)
    yield w

    why = "Rows that are ahead of the time keep their slots until a sweep comes after them."
    w = World("rows-ahead-keep-their-slots", why, fixed(1, 1000), 2)
    w.check(0, "A 0")
    w.check(60_500, "A 0", key="b")
    w.check(60_500, "A 0", key="c")
    w.check(100, "S 60900 at 100")
    w.check(60_999, "S 1")
    w.check(61_000, "A 0")
    yield w

    why = "Without a cap of its own a limiter has the default one, which is far from these few keys."
    w = World("default-cap", why, fixed(1, 1000))
    for index in range(12):
        w.check(0, "A 0", key=f"key {index}")
    w.len(12)
    yield w
