from over_http.case import header_case, parts_case

NAME = "keys"
PROBES = "Keys from a header's lines and from several parts: what is missing is no key, and no two lists meet."


def cases():
    why = "A header's key is its value, without the blanks about it."
    yield header_case("plain", why, ["secret"], b"secret")
    yield header_case("trimmed", why, [" \t secret key\t "], b"secret key")
    yield header_case("case", "Letters stay as they are.", ["Secret"], b"Secret")
    yield header_case("bytes", "So do bytes that are no text.", [b"\xff\x00\xe9 "], b"\xff\x00\xe9")
    yield header_case("other-blanks", "Only spaces and tabs are blanks.", ["\r\nkey\u00a0"], "\r\nkey\u00a0".encode())
    why = "A header that is missing or blank is no key: the request is not limited, or refused if that was asked for."
    yield header_case("missing", why, [], None, fault=[96])
    yield header_case("empty", why, [""], None, fault=[96])
    yield header_case("blank", why, [" \t "], None, fault=[96])
    yield header_case("blank-lines", why, ["", "\t"], None)
    why = "Several lines are one value, joined as HTTP joins them; blank ones are left out."
    yield header_case("lines", why, ["a", " b "], b"a, b")
    yield header_case("lines-with-blank", why, ["", "a", " ", "b"], b"a, b")
    yield header_case("long", "Length is no matter.", ["k" * 10_000], b"k" * 10_000)

    why = "No two lists of parts meet."
    yield parts_case("two", why, ["a", "bc"], b"1:a2:bc")
    yield parts_case("two-others", why, ["ab", "c"], b"2:ab1:c")
    yield parts_case("one", why, ["1:a2:bc"], b"7:1:a2:bc")
    yield parts_case("none", "No parts are a key too.", [], b"")
    yield parts_case("empty-part", "A part may be empty.", ["", "a"], b"0:1:a")
    yield parts_case("parts-bytes", "A part is bytes.", [b"\x00\xff", "é"], b"2:\x00\xff2:\xc3\xa9")
    why = "A list with a missing part is no key."
    yield parts_case("missing-first", why, [None, "a"], None, fault=[96])
    yield parts_case("missing-last", why, ["a", None], None, fault=[96])
    yield parts_case("missing-all", why, [None], None, fault=[96])
