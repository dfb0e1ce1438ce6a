from case import PolicyText

NAME = "policy-text-refused"
PROBES = "Texts that are no policies: the error's number, its field and the byte at which it stands."


def group(name, why, *pairs):
    for index, (text, says) in enumerate(pairs, 1):
        yield PolicyText(f"{name}-{index}", why, text, says)


def syntax(name, why, *pairs):
    yield from group(name, why, *((text, f"6 policies {offset}") for text, offset in pairs))


def cases():
    why = "A text that ends too early is wrong at its end."
    yield from syntax(
        "ends-too-early",
        why,
        ("", 0),
        ("  ", 2),
        ("\t", 1),
        ("5", 1),
        ("5 ", 2),
        ("5/", 2),
        ("5/ ", 3),
        ("5 per", 5),
        ("10/30", 5),
        ("10/30 ", 6),
        ("fixed", 5),
        ("sliding ", 8),
        ("bucket", 6),
        ("bucket 10", 9),
        ("bucket 10 +", 11),
        ("bucket 10 + 1", 13),
        ("bucket 10 + 1/", 14),
    )
    why = "A part may not be empty; the error is at the semicolon that came too soon, or at the end."
    yield from syntax(
        "empty-part",
        why,
        (";", 0),
        (";5/s", 0),
        (" ; 5/s", 1),
        ("5/s;", 4),
        ("5/s; ", 5),
        ("5/s;;5/m", 4),
        ("5/s; ;5/m", 5),
        ("5/s;5/m;", 8),
    )
    why = "Nothing may follow a part but a semicolon."
    yield from syntax(
        "something-follows",
        why,
        ("5/s 5", 4),
        ("5/s x", 4),
        ("5/s/s", 3),
        ("5/s+1", 3),
        ("5/s,5/m", 3),
        ("5/s and 5/m", 4),
        ("5/s 5/m", 4),
        ("5/s.", 3),
        ("5/s\n", 3),
        ("5/s\0", 3),
    )
    why = "Only a number can begin a rate, and only fixed, sliding and bucket can go before it."
    yield from syntax(
        "wrong-beginning",
        why,
        ("x", 0),
        ("/s", 0),
        ("per second", 0),
        ("second", 0),
        ("fix 5/s", 0),
        ("window 5/s", 0),
        ("fixed fixed 5/s", 6),
        ("fixed sliding 5/s", 6),
        ("token bucket 5/s", 0),
        ("+5/s", 0),
        ("fixed /s", 6),
        ("fixedx 5/s", 0),
        ("limit=5/s", 0),
        ("five/s", 0),
        ("\n5/s", 0),
    )
    why = 'Between a number and its unit stands "/" or "per", once, and then at most one number.'
    yield from syntax(
        "wrong-middle",
        why,
        ("5s", 1),
        ("5 s", 2),
        ("5 5/s", 2),
        ("5//s", 2),
        ("5 per per s", 6),
        ("5/per s", 2),
        ("5 every s", 2),
        ("5/2 3s", 4),
        ("5/2/s", 3),
        ("5/+s", 2),
        ("5/;s", 2),
        ("5:s", 1),
        ("5 in 1s", 2),
    )
    why = 'Letters that touch are one word, so "per" must stand apart from the unit.'
    yield from syntax(
        "words-that-touch", why, ("10perminute", 2), ("10 perm", 3), ("10/mper", 3), ("bucketfixed 5/s", 0)
    )
    why = "There is no week, month or year, and no unit of less than a millisecond."
    yield from syntax(
        "unknown-unit",
        why,
        ("5/w", 2),
        ("5/week", 2),
        ("5/month", 2),
        ("5/mo", 2),
        ("5/y", 2),
        ("5/year", 2),
        ("5/us", 2),
        ("5/ns", 2),
        ("5/sec", 2),
        ("5/secs", 2),
        ("5/mins", 2),
        ("5/hr", 2),
        ("5/msec", 2),
        ("5/2 weeks", 4),
        ("5/minut", 2),
        ("5/minutess", 2),
    )
    why = 'Only a bucket takes a sum, of two numbers, before its "/".'
    yield from syntax(
        "sum",
        why,
        ("10 + 1/s", 3),
        ("fixed 10 + 1/s", 9),
        ("sliding 10+1/s", 10),
        ("bucket 10 + /s", 12),
        ("bucket + 1/s", 7),
        ("bucket 10 + 1 + 1/s", 14),
        ("bucket 10/s + 1", 12),
        ("bucket 10 ++ 1/s", 11),
        ("bucket 10 + bucket 1/s", 12),
    )
    why = "A number is digits only: no sign, fraction, exponent, separator or other base."
    yield from syntax(
        "not-a-number",
        why,
        ("-1/s", 0),
        ("+1/s", 0),
        ("1.5/s", 1),
        ("1,000/s", 1),
        ("1_000/s", 1),
        ("1e3/s", 1),
        ("0x10/s", 1),
        (".5/s", 0),
        ("5/1.5s", 3),
        ("5/-1s", 2),
        ("inf/s", 0),
        ("nan/s", 0),
        ("1k/s", 1),
        ("1'000/s", 1),
    )
    why = "Only ASCII: digits, spaces and letters of other scripts are wrong at their first byte; offsets are bytes."
    yield from syntax(
        "not-ascii",
        why,
        ("٥/s", 0),
        ("５/s", 0),
        ("5/ѕ", 2),
        ("5\u00a0/s", 1),
        ("5\u2009/s", 1),
        ("5 ⁄ s", 2),
        ("5/s；6/m", 3),
        ("\ufeff5/s", 0),
        ("é", 0),
        ("5/é", 2),
        ("5/s; ü5/m", 5),
        ("fixed\u3000" + "5/s", 5),
        ("5/s; 6/ſ", 7),
        ("5/m\u0131n", 3),
    )
    why = "A byte that is no token is wrong where it stands, also inside a number or word."
    yield from syntax(
        "no-token",
        why,
        ("5#/s", 1),
        ("fi-xed 5/s", 0),
        ("5/se_c", 2),
        ("5/s\r", 3),
        ("5\n/s", 1),
        ("5/(s)", 2),
        ('"5/s"', 0),
        ("5\\s", 1),
        ("5/s?", 3),
    )

    why = "More than four parts are too many; the error is at the fifth."
    yield from group(
        "fifth-part",
        why,
        ("1/s;1/s;1/s;1/s;1/s", "5 policies 16"),
        ("1/s; 1/s; 1/s; 1/s;  1/s", "5 policies 21"),
        ("1/s;1/s;1/s;1/s; bucket 5 + 1/s;1/s", "5 policies 17"),
        ("1/s;1/s;1/s;1/s;0/0s", "5 policies 16"),
    )
    why = "The grammar of the whole text is judged first, then the number of parts, then the values."
    yield from group(
        "order-of-judgement",
        why,
        ("0/0s;1/s;1/s;1/s;1/s;", "6 policies 21"),
        ("9999999999/s;1/s;1/s;1/s;1/s", "5 policies 25"),
        ("5/0s; 5/x", "6 policies 8"),
        ("5/0s 5", "6 policies 5"),
        ("1/s;1/s;1/s;1/s;1/s;1/s;x", "6 policies 24"),
    )

    why = "A number outside its range is wrong at its first digit."
    yield from group(
        "out-of-range",
        why,
        ("4294967296/s", "1 limit 0"),
        ("fixed 4294967296/s", "1 limit 6"),
        ("  5000000000/s", "1 limit 2"),
        ("sliding 4294967296/s", "1 limit 8"),
        ("bucket 4294967296/s", "1 capacity 7"),
        ("bucket 1 + 4294967296/s", "1 refill 11"),
        ("bucket 1 + 0/s", "1 refill 11"),
        ("00004294967296/s", "1 limit 0"),
    )
    why = "A bucket's one number is its capacity first; 0 is a capacity but no refill, and the error is at the number."
    yield from group("bucket-of-zero", why, ("bucket 0/s", "1 refill 7"), ("bucket 0 + 0/s", "1 refill 11"))
    why = "A window is judged after its unit is applied, and wrong at the first digit of its own number."
    yield from group(
        "window-out-of-range",
        why,
        ("10/0s", "1 window_ms 3"),
        ("10/ 0 s", "1 window_ms 4"),
        ("10/9999999d", "1 window_ms 3"),
        ("10/367d", "1 window_ms 3"),
        ("10/8785h", "1 window_ms 3"),
        ("10/31622400001ms", "1 window_ms 3"),
        ("10 per 000d", "1 window_ms 7"),
        ("sliding 1/0ms", "1 window_ms 10"),
        ("bucket 1/0s", "1 refill_period_ms 9"),
        ("bucket 1 + 1/367d", "1 refill_period_ms 13"),
    )
    why = "Numbers of any length are read to their end and are out of range, not wrong in some other way."
    yield from group(
        "endless-numbers",
        why,
        ("18446744073709551615/s", "1 limit 0"),
        ("18446744073709551616/s", "1 limit 0"),
        ("18446744073709551617/s", "1 limit 0"),
        ("4294967297/s", "1 limit 0"),
        ("340282366920938463463374607431768211457/s", "1 limit 0"),
        ("9" * 1000 + "/s", "1 limit 0"),
        ("1/" + "9" * 1000 + "d", "1 window_ms 2"),
        ("1/18446744073709551617ms", "1 window_ms 2"),
        ("1/213503982335d", "1 window_ms 2"),
        ("1/213503982334602d", "1 window_ms 2"),
        ("bucket 1 + 18446744073709551617/s", "1 refill 11"),
    )
    why = "A bucket or a log that is too large is wrong at the capacity or the limit."
    yield from group(
        "too-large-together",
        why,
        ("bucket 4294967295/366d", "3 capacity 7"),
        ("bucket 2147483649 + 1/2097152ms", "3 capacity 7"),
        ("bucket 858001 + 1/5248944497ms", "3 capacity 7"),
        ("sliding 100001/100001ms", "4 limit 8"),
        ("sliding 100001/d", "4 limit 8"),
        ("1/s; sliding 4294967295/101s", "4 limit 13"),
    )
    why = "Of several wrong values the first is named: part by part, and in each the limit before the window."
    yield from group(
        "first-wrong-value",
        why,
        ("4294967296/0s", "1 limit 0"),
        ("1/s; 1/0s; 4294967296/s", "1 window_ms 7"),
        ("bucket 4294967296 + 0/0s", "1 capacity 7"),
        ("bucket 1 + 0/0s", "1 refill 11"),
        ("sliding 4294967295/367d", "1 window_ms 19"),
        ("bucket 4294967295 + 0/366d", "1 refill 20"),
        ("sliding 100001/d; 1/0s", "4 limit 8"),
    )
