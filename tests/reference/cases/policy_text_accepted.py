from case import PolicyText

NAME = "policy-text-accepted"
PROBES = "Policies written as text: every word and unit, what they mean, and the one canonical text of each."


def each(name, why, canonical, *texts):
    """Builds a case for each spelling of one meaning."""
    for index, text in enumerate(texts, 1):
        yield PolicyText(name if len(texts) == 1 else f"{name}-{index}", why, text, canonical)


def cases():
    why = "Without a word a policy is a fixed window."
    yield from each("fixed", why, "fixed 100/minute", "100/minute", "fixed 100/minute", "100/60s", "100/60000ms")
    yield from each("sliding", "A word names the algorithm.", "sliding 5/second", "sliding 5/s", "sliding 5/1000 ms")
    why = "A bucket with one number has it as its capacity and gains as much in each period."
    yield from each("bucket", why, "bucket 100 + 100/minute", "bucket 100/minute", "bucket 100 + 100/minute")
    why = "A bucket with two numbers has the first as its capacity and gains the second."
    yield from each(
        "bucket-of-two", why, "bucket 10 + 1/second", "bucket 10 + 1/s", "bucket 10+1/1s", "bucket 10 +1 per second"
    )
    yield from each(
        "bucket-of-several-units", "The period may be several units.", "bucket 10 + 3/90s", "bucket 10 + 3/90s"
    )

    for words, canonical in (
        (("ms", "millisecond", "milliseconds"), "millisecond"),
        (("s", "second", "seconds"), "second"),
        (("m", "min", "minute", "minutes"), "minute"),
        (("h", "hour", "hours"), "hour"),
        (("d", "day", "days"), "day"),
    ):
        why = f"A {canonical} may be written as {', '.join(words)}."
        for word in words:
            yield PolicyText(f"unit-{word}", why, f"7/{word}", f"fixed 7/{canonical}")
            yield PolicyText(f"units-{word}", why, f"7/2{word}", f"fixed 7/2{words[0]}")

    why = '"per" and "/" mean the same, with or without spaces where tokens can be told apart.'
    yield from each(
        "per",
        why,
        "fixed 10/30s",
        "10 per 30 s",
        "10per30s",
        "10 PER 30seconds",
        "10/30s",
        "10 / 30 s",
        "fixed10per30s",
    )
    why = "Letters may be in any case: M is a minute, not a million and not a month."
    yield from each("case", why, "sliding 5/minute", "SLIDING 5/M", "Sliding 5 Per Min", "sLiDiNg 5/MINUTES")
    why = "Spaces and tabs may stand around every token and at both ends."
    yield from each(
        "blanks", why, "bucket 10 + 1/2s", "  bucket 10 + 1 / 2 s  ", "\tbucket\t10\t+\t1\t/\t2\ts\t", "bucket10+1/2s"
    )
    why = "Leading zeros say nothing, however many."
    yield from each("leading-zeros", why, "fixed 7/2s", "007/02s", "0" * 400 + "7/" + "0" * 400 + "2s")

    why = "Parts are split by semicolons, and a word holds for its own part only."
    yield from each("stack", why, "fixed 1/second; fixed 5/minute", "1/second; 5/minute", "1/s;5/m", " 1/s ;\t5/m ")
    yield from each("word-of-one-part", why, "sliding 5/second; fixed 100/day", "sliding 5/s; 100/d")
    why = "Four parts are the most."
    canonical = "fixed 1/second; sliding 2/minute; bucket 3 + 3/hour; bucket 4 + 5/day"
    yield from each("four-parts", why, canonical, "1/s; sliding 2/m; bucket 3/h; bucket 4 + 5/d")
    yield from each("equal-parts", "Equal parts stay as they are.", "fixed 1/second; fixed 1/second", "1/s; 1/s")

    why = "The canonical text uses the longest unit that divides the length."
    for text, canonical in (
        ("1/1000ms", "second"),
        ("1/1500ms", "1500ms"),
        ("1/60s", "minute"),
        ("1/90s", "90s"),
        ("1/120s", "2m"),
        ("1/60m", "hour"),
        ("1/90m", "90m"),
        ("1/24h", "day"),
        ("1/36h", "36h"),
        ("1/48h", "2d"),
        ("1/86400000ms", "day"),
        ("1/86400001ms", "86400001ms"),
        ("1/366d", "366d"),
        ("1/365d", "365d"),
        ("1/7d", "7d"),
        ("1/250ms", "250ms"),
    ):
        yield PolicyText(f"canonical-{text[2:]}", why, text, f"fixed 1/{canonical}")

    why = "A limit or capacity of 0 may be written; it admits nothing."
    yield from each("zero", why, "fixed 0/second", "0/s", "000/s")
    yield from each("zero-sliding", why, "sliding 0/second", "sliding 0/s")
    yield from each("zero-capacity", why, "bucket 0 + 1/second", "bucket 0 + 1/s")

    why = "The ends of the ranges can be written."
    yield from each(
        "largest-limit",
        why,
        "fixed 4294967295/366d",
        "4294967295/366d",
        "4294967295/31622400000ms",
        "4294967295/527040m",
    )
    yield from each("largest-refill", why, "bucket 4294967295 + 4294967295/millisecond", "bucket 4294967295/ms")
    yield from each("largest-product", why, "bucket 2147483648 + 1/2097152ms", "bucket 2147483648 + 1/2097152ms")
    yield from each("longest-log", why, "sliding 100000/366d", "sliding 100000/366d")
    yield from each("longest-log-by-window", why, "sliding 4294967295/100s", "sliding 4294967295/100s")

    why = '"5/s" is five in a second, not one in five seconds.'
    yield PolicyText("five-per-second", why, "5/s", "fixed 5/second", fault=[102])
    yield PolicyText("one-per-five-seconds", why, "1/5s", "fixed 1/5s", fault=[102])
    yield PolicyText("bucket-five-per-second", why, "bucket 5/s", "bucket 5 + 5/second", fault=[102])
