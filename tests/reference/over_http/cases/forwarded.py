from over_http.case import client_case as case

NAME = "forwarded"
PROBES = "The client behind proxies by the field Forwarded (RFC 7239): its quotes, its parameters, and what breaks it."

ONE = {"trusted_proxies": 1, "forwarding_field": "forwarded"}
TWO = {"trusted_proxies": 2, "forwarding_field": "Forwarded"}
TEN = {"trusted_proxies": ["10.0.0.0/8"], "forwarding_field": "FORWARDED"}
PROXY = "10.0.0.1"
CLIENT = "203.0.113.9"


def cases():
    def one(name, why, lines, says=CLIENT, options=ONE, peer=PROXY):
        return case(name, why, options, peer, lines, says, fault=[91])

    why = "The node is the value of `for`, in letters of either case."
    yield one("plain", why, "for=203.0.113.9")
    yield one("capitals", why, "FOR=203.0.113.9;Proto=https")
    yield one("among-others", why, "proto=http;host=example.com;for=203.0.113.9;by=10.0.0.1")
    yield one("blanks", why, " for=203.0.113.9 ; proto=http \t")
    why = "A quoted value is what stands between its quotes."
    yield one("quoted", why, 'for="203.0.113.9"')
    yield one("quoted-port", why, 'for="203.0.113.9:47011"')
    yield one("quoted-ipv6", why, 'for="[2001:db8:cafe::17]:4711"', "2001:db8:cafe::/64")
    yield one("quoted-named-port", why, 'for="[2001:db8:cafe::17]:_web"', "2001:db8:cafe::/64")
    yield one("escapes", why, r'for="2\03.0.113.\9"')
    yield one("blanks-in-quotes", "Blanks within quotes are its own, and an entry's blanks go.", 'for=" 203.0.113.9 "')
    why = "Ports and brackets are taken without quotes too, as many proxies write them."
    yield one("bare-port", why, "for=203.0.113.9:47011")
    yield one("bare-ipv6", why, "for=[2001:db8:cafe::17]:4711", "2001:db8:cafe::/64")

    why = "Elements are read from the right, as far as proxies are trusted."
    yield one("rightmost", why, "for=6.6.6.6, for=203.0.113.9")
    yield one("two-hops", why, "for=6.6.6.6, for=203.0.113.9, for=10.0.0.2;by=10.0.0.1", options=TWO)
    yield one("networks", why, 'for=6.6.6.6, for=203.0.113.9;proto=http, for="10.0.0.2:80"', options=TEN)
    yield one("lines", why, ["for=6.6.6.6", "for=203.0.113.9"])
    yield one("not-trusted", "A peer that is not trusted is the client.", "for=6.6.6.6", "8.8.8.8!", TEN, "8.8.8.8")
    why = "A comma or semicolon within quotes parts nothing."
    yield one("comma-in-quotes", why, 'for=203.0.113.9;host="a,b"')
    yield one("semicolon-in-quotes", why, 'host="a;for=6.6.6.6";for=203.0.113.9')
    yield one("quote-in-quotes", why, r'host="a\",b";for=203.0.113.9')
    yield one("backslash-in-quotes", why, r'for=6.6.6.6;host="a\\", for=203.0.113.9')
    yield one("element-in-quotes", why, 'for=203.0.113.9;host="x, for=6.6.6.6"')

    why = "What a client broke on the left does not hide what a proxy added on the right."
    yield one("open-quote", why, 'for="6.6.6.6, for=203.0.113.9')
    yield one("open-quote-escape", why, 'for="6.6.6.6\\, for=203.0.113.9')
    yield one("open-quote-before-quoted", why, 'for="6.6.6.6, for="203.0.113.9"')
    yield one("garbage", why, ';;=,"",for, for=203.0.113.9')
    why = "An element without one `for` that is an address ends the search."
    for index, element in enumerate(
        ["for=unknown", "for=_hidden", "by=203.0.113.9", "for=", 'for=""', "for", "for=6.6.6.6;for=203.0.113.9", ""]
        + [
            'for="203.0.113.9',
            'for=203.0.113.9"',
            'for="',
            r'for="203.0.113.9\"',
            'for="203.0.113.9"x',
            "for =203.0.113.9",
        ]
        + [
            'for= "203.0.113.9"',
            "203.0.113.9",
            "for='203.0.113.9'",
            'for="203.0.113.9";For=6.6.6.6',
            'for="2"03.0.113.9"',
        ],
        1,
    ):
        yield one(f"no-node-{index}", why, f"for=6.6.6.6, {element}", PROXY)
        if '"' not in element:
            yield one(f"no-node-behind-{index}", why, f"for=6.6.6.6, {element}, for=10.0.0.2", "10.0.0.2", TWO)
    yield one("no-text", "Bytes that are no text are no address.", b"for=\xff", PROXY)
    yield one("ten-kilobytes", "A long field is read from the right.", "for=6.6.6.6, " * 900 + "for=203.0.113.9")
    yield one("ten-kilobytes-of-quotes", "Quotes alone do no harm.", '"' * 10_000, PROXY)
    yield one("ten-kilobytes-of-backslashes", "Nor do backslashes.", "\\" * 10_000 + '"', PROXY)
    yield one("ten-kilobytes-of-semicolons", "Nor do semicolons.", ";" * 10_000 + "for=203.0.113.9")
    yield one("empty", "An empty field has no node.", "", PROXY)
