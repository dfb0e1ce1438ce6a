from case import World, bucket, fixed, sliding

NAME = "large-numbers"
PROBES = "Numbers at the ends of their ranges inside decisions, where an implementation would overflow, wrap or round."

U32 = 2**32 - 1
YEAR = 31_622_400_000
LATEST = 2**52 - 1


def cases():
    why = "The largest bucket there is, 2^52 units, with the slowest refill: waits up to 2^53 - 1 ms."
    w = World("largest-bucket", why, bucket(2**21, 1, 2**31))
    w.check(0, "A 0 reset 2147483648", cost=2**21)
    w.check(0, "D 4503599627370496 reset 2147483648", cost=2**21)
    w.check(1, "D 2147483647")
    w.check(2**31, "A 0 reset 2147483648")
    w.check(LATEST, "A 0 reset 1", cost=2**21 - 2)
    yield w

    why = "The longest wait of all: the largest bucket emptied at the end of time and asked at its beginning."
    w = World("longest-wait", why, bucket(2**21, 1, 2**31))
    w.check(LATEST, "A 0 reset 2147483648", cost=2**21)
    w.check(0, "D 9007199254740991 at 4503599627370495", cost=2**21)
    w.check(LATEST, "D 4503599627370496", cost=2**21)
    w.remaining(0, 0)
    yield w

    why = "A refill of 2^32 - 1 over the longest rest: elapsed time times refill passes 2^64 and is full, not less."
    w = World("rest-times-refill", why, bucket(2**31, U32, 2**21))
    w.check(0, "A 0 reset 1", cost=2**31)
    w.check(0, "D 1048577 remaining 0", cost=2**31)
    w.check(1, "A 2046 reset 1", cost=1)
    w.check(LATEST, "A 0", cost=2**31)
    w.check(LATEST, "D 1")
    yield w

    why = "As many permits as can be, all of them back at each millisecond."
    w = World("fastest-bucket", why, bucket(U32, U32, 1))
    for time in (0, 1, 2, LATEST - 1, LATEST):
        w.check(time, "A 0 reset 1", cost=U32)
        w.check(time, "D 1 remaining 0", cost=U32)
    yield w

    why = "The longest period with a large refill: a permit in a little over seven milliseconds, never rounded."
    w = World("year-long-period", why, bucket(142_418, U32, YEAR))
    w.check(0, "A 0 reset 8", cost=142_418)
    w.check(7, "D 1")
    w.check(8, "A 0 reset 7")
    w.check(14, "D 1")
    w.check(15, "A 0 reset 8")
    yield w

    why = "The longest period and the slowest refill: one permit a year."
    w = World("one-permit-a-year", why, bucket(142_418, 1, YEAR))
    w.check(0, "A 142417 reset 31622400000")
    w.check(YEAR - 1, "A 142416 reset 1")
    w.check(YEAR, "A 142416 reset 31622400000")
    w.check(YEAR, "D 63244800000 remaining 142416", cost=142_418)
    yield w

    why = "The largest limit in the longest window."
    w = World("largest-fixed-window", why, fixed(U32, YEAR))
    w.check(1, "A 4294967294")
    w.check(1, "A 1", cost=U32 - 2)
    w.check(1, "D 31622399999 remaining 1", cost=2)
    w.check(1, "D 31622399999 remaining 1", cost=U32)
    w.check(1, "A 0")
    w.check(YEAR, "A 0", cost=U32)
    yield w

    why = "Costs that together would pass 2^32 in a fixed window."
    w = World("sum-above-u32-in-a-fixed-window", why, fixed(U32, 1000))
    step = w.check(0, "A 2147483647", cost=2**31)
    w.check(0, "D 1000 remaining 2147483647", cost=2**31)
    w.check(0, "A 0", cost=2**31 - 1)
    w.check(0, "D 1000", cost=U32)
    w.refund(step, 0, 2**31)
    w.refund(step, 0, 2**31 - 1)
    w.refund(step, 0, 0)
    w.check(0, "A 0", cost=U32)
    yield w

    why = "Costs that together would pass 2^32 in a sliding log."
    w = World("sum-above-u32-in-a-sliding-window", why, sliding(U32, 100_000))
    first = w.check(0, "A 2147483647", cost=2**31)
    w.check(1, "D 99999 remaining 2147483647", cost=2**31)
    w.check(1, "A 0", cost=2**31 - 1)
    w.check(2, "D 99998", cost=2**31)
    w.check(2, "D 99999", cost=2**31 + 1)
    w.check(2, "D 99999", cost=U32)
    w.refund(first, 2, 2**31)
    w.check(2, "A 0", cost=2**31)
    w.check(100_001, "A 2147483646", cost=1)
    yield w

    why = "A sliding window of the largest limit that a year allows, spent at once."
    w = World("largest-log", why, sliding(100_000, YEAR))
    w.check(5, "A 0 reset 31622400000", cost=100_000)
    w.check(5, "D 31622400000", cost=100_000)
    w.check(YEAR + 4, "D 1")
    w.check(YEAR + 5, "A 99999")
    w.check(YEAR + 5, "X 100000", cost=100_001)
    yield w

    why = "The largest of each algorithm in one stack."
    stack = [fixed(U32, YEAR), sliding(U32, 100_000), bucket(U32, U32, 2**20), bucket(2**21, 1, 2**31)]
    w = World("largest-stack", why, stack)
    w.check(0, "X 2097152 policy 3", cost=U32)
    w.check(0, "A 0 policy 3 limit 2097152 reset 2147483648", cost=2**21)
    w.check(0, "D 4503599627370496 policy 3", cost=2**21)
    w.check(2**31, "A 0 policy 3")
    w.remaining(LATEST, 2**21 - 2)
    w.check(LATEST, "A 0 policy 3 reset 1", cost=2**21 - 2)
    yield w

    why = "The largest cost of all, impossible or exact."
    w = World("largest-cost", why, bucket(U32, 1, 2**20))
    w.check(0, "A 0 reset 1048576", cost=U32)
    w.check(0, "D 4503599626321920 reset 1048576", cost=U32)
    w.check(2**20, "A 0")
    yield w

    why = "Windows that contain the last moment of time."
    w = World("last-window-of-time", why, [fixed(3, YEAR), sliding(3, YEAR)])
    w.check(LATEST, "A 2 policy 1 reset 31622400000")
    w.check(LATEST, "A 0 policy 1 reset 31622400000", cost=2)
    w.check(LATEST, "D 31622400000 policy 1")
    w.sweep(LATEST, 0)
    w.len(1)
    yield w

    why = "A sweep interval on from the last moment of time is still a wait."
    w = World("saturated-at-the-end-of-time", why, fixed(1, YEAR), 1)
    w.check(LATEST, "A 0")
    w.check(LATEST, "S 60000", key="b")
    w.check(0, "S 4503599627430495", key="b")
    w.clear()
    w.check(0, "A 0")
    w.check(LATEST, "A 0", key="b")
    w.check(LATEST, "S 29505", key="a")
    yield w
