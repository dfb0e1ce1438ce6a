from case import World, bucket, fixed, sliding

NAME = "many-rows"
PROBES = "Hundreds of rows: a sweep of them may be done in slices, and no slice may ever show."


def names(count):
    return [f"key {index}" for index in range(count)]


def cases():
    why = "A due sweep is over before reset, len, sweep and refund answer, however many rows it has to judge."
    w = World("a-due-sweep-is-finished-first", why, fixed(2, 1000))
    keys = names(150)
    for index, key in enumerate(keys):
        w.check(index, "A 1", key=key)
    w.check(1_000, "A 1", key="late")
    w.reset(False, key=keys[0])
    w.reset(False, key=keys[149])
    w.len(1)
    for key in keys:
        w.check(1_500, "A 1", key=key)
    w.check(2_000, "A 1", key="late")
    w.sweep(2_000, 0)
    w.len(1)
    yield w

    why = "A row that is used again and refunded after a sweep fell due stays until the next one."
    w = World("refunded-after-the-sweep-fell-due", why, bucket(2, 1))
    for key in keys[:120]:
        w.check(0, "A 1", key=key)
    w.check(2_000, "A 1", key="late")
    for key in keys[100:120]:
        step = w.check(2_000, "A 1", key=key)
        w.refund(step, 2_000, 1, key=key)
    w.len(21)
    w.sweep(2_000, 20)
    yield w

    why = "On a full table a new key is refused only after the whole of a due sweep has found no room."
    w = World("one-idle-row-among-many", why, sliding(1, 1000), 100)
    w.check(1_000, "A 0", key=keys[57])
    for key in keys[:57] + keys[58:100]:
        w.check(1_500, "A 0", key=key)
    w.check(1_999, "S 1", key="late")
    w.check(2_000, "A 0", key="late")
    w.check(2_000, "S 1000", key="later")
    w.remaining(2_000, 0, key="later")
    w.reset(False, key=keys[57])
    w.check(2_499, "S 501", key="later")
    w.check(2_500, "D 500", key="late")
    w.check(2_500, "A 0", key=keys[3])
    w.len(100)
    w.sweep(2_500, 98)
    w.check(2_500, "A 0", key="later")
    yield w

    why = "remaining is 0 for a new key only when a due sweep made no room."
    w = World("remaining-after-a-due-sweep", why, fixed(3, 1000), 80)
    for index, key in enumerate(keys[:80]):
        w.check(2_100 if index % 40 else 1_900, "A 2", key=key)
    w.remaining(2_100, 0, key="late")
    w.remaining(2_900, 3, key="late")
    w.len(78)
    yield w

    why = "A sweep that falls due while one is under way takes its place, and misses nothing."
    w = World("sweeps-in-quick-succession", why, [fixed(1, 10), bucket(3, 1, 30)])
    for index in range(90):
        w.check(index // 30, "A 0 policy 0", key=keys[index])
    for time in range(10, 100, 10):
        w.check(time, None, key="late")
    w.len(1)
    for index in range(90):
        w.check(95, "A 0 policy 0", key=keys[index])
    for time in (100, 110, 120):
        w.peek(time, None, key="late")
    w.len(91)
    w.peek(130, None, key="late")
    w.len(1)
    yield w

    why = "Rows that owe nothing but are ahead of a called sweep stay, each one, until a sweep comes after them."
    w = World("some-ahead-some-behind", why, fixed(2, 10_000))
    for index, key in enumerate(keys[:100]):
        step = w.check(100 + index, "A 1", key=key)
        w.refund(step, 100 + index, 1, key=key)
    w.sweep(139, 40)
    w.len(60)
    w.sweep(0, 0)
    w.sweep(198, 59)
    w.reset(True, key=keys[99])
    yield w
