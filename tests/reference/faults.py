"""Lists the faults of other limiters that became public, and which of them the vectors must hold.

A fault that needs threads, waiting, a store, HTTP or a package is tested elsewhere; where a small
part of it can be told by one limiter in one thread, that part is here all the same.
"""

# Number -> where it was reported, and what went wrong.
HERE = {
    1: ("governor#11", "asking for more than the burst was not told to be impossible"),
    3: ("governor#16", "many callers of ten units each took half as much again as the quota"),
    4: ("upstash/ratelimit-js#39", "a sliding window of limit 1 never allowed anything"),
    6: ("BasedHardware/omi#10164", "every window after the first admitted one too few"),
    7: ("mokies/ratelimitj#24", "a sliding window did not slide"),
    9: ("bottleneck#153", "twice the limit ran within a millisecond around a refill"),
    10: ("jhurliman/limiter#25", "a bucket was taken for a hard cap in any minute"),
    12: ("mailgun/gubernator#118", "a bucket became full at every period, near twice the rate"),
    13: ("mailgun/gubernator#87", "more remained than the limit"),
    15: ("zendesk/prop#34", "polling lost the fraction that had flowed back"),
    16: ("jaeger-client-python#35", "a refill smaller than the cost never reached the cost"),
    17: ("ydb/nbs#6601", "the wait that was told ignored the rate, so the retry failed"),
    18: ("bucket4j#88", "the wait ignored the part of a permit that was back already"),
    20: ("rolling-rate-limiter#15", "refused calls counted, so the time left was wrong under retries"),
    21: ("throttled-py#87", "waits were wrong for a bucket and for a sliding window"),
    22: ("dragonfly#1008", "the reset was a second too long"),
    24: ("leaky-bucket#30", "after a rest any number of units could be taken"),
    25: ("express-rate-limit#194", "one timer cleared all keys, so a late one was freed early"),
    26: ("commitpulse#1371", "each hit renewed the end of the window"),
    27: ("limits#152", "a cost above the limit was allowed"),
    29: ("langfuse#14280", "one limit was charged though the other refused"),
    31: ("golang/go#54082", "a negative cost minted tokens"),
    33: ("express-rate-limit#647", "a refund after the window made the count negative"),
    38: ("node-rate-limiter-flexible#351", "zero and negative settings were accepted"),
    39: ("express-rate-limit 7.0.0", "a limit of 0 meant no limit"),
    40: ("redis-cell#41", "a limit of 0 ended the process"),
    42: ("redis-cell#50", "a large capacity and rate counted nothing"),
    43: ("governor#203", "above 1e9 a second calls were refused wrongly"),
    44: ("golang/go#39984", "a rate of 0 with a burst of 1 allowed for ever"),
    46: ("bucket4j#51", "after a long rest the balance overflowed"),
    47: ("express-rate-limit#546", "windows above 2^31 ms became 1 ms"),
    51: ("tikv/pd#10745", "an older time moved the bucket's clock back and minted tokens"),
    52: ("resilience4j#66", "a clock that begins low was counted wrongly"),
    60: ("flask-limiter#4", "expired keys stayed in memory for ever"),
    67: ("hammer#166", "concurrent first hits lost updates"),
    68: ("limits 267", "expiry dropped entries that were still in the window"),
    73: ("PyrateLimiter#191", "acquiring at once exceeded the rate"),
    79: ("OmniRoute#9533", "a call on an empty bucket was not told how long it would wait"),
    83: ("rate-limit-redis#216", "the window's end was renewed but its count kept"),
    87: ("ulule/limiter#265", "a reset among hits left an odd count"),
    91: ("express-rate-limit#134", "an address that the client wrote itself gave it a new budget at each call"),
    93: ("express-rate-limit 8.0", "a host changed its address within its own network for ever"),
    94: ("express-rate-limit#648", "a wrong prefix was found only when the first IPv6 client came"),
    96: ("django-ratelimit#209", "without a peer's address there was a crash, or an empty key for all"),
    98: ("express-rate-limit#96", "Retry-After spoke of another window than the decision"),
    102: ("tower-governor#55", "five per second was read as one in five seconds"),
    103: ("express-rate-limit#325", "refusals counted against the client"),
    108: ("ulule/limiter#12", "the reset counted one hit only, so the entry left early"),
}

WAITING = "needs waiting"
THREADS = "needs threads or memory counted over time"
STORE = "needs a store or several processes"
HTTP = "needs a server or a verified principal"
PACKAGE = "needs a package or a runtime"
ABSENT = "speaks of blocks, penalties, changed limits or calendar windows, which do not exist here"

ELSEWHERE = {
    WAITING: (54, 55, 71, 72, 75, 77),
    THREADS: (63, 70),
    STORE: (61, 65, 66, 80, 82, 85, 86, 88, 89),
    HTTP: (95, 100, 101),
    PACKAGE: (58, 59, 104, 106, 107),
    ABSENT: (30, 34, 36, 37, 49, 50, 90),
}
