from over_http.case import client_case as case

NAME = "clients"
PROBES = "The client behind proxies by X-Forwarded-For: the rightmost address that is not trusted, never the leftmost."

ONE, TWO, THREE = ({"trusted_proxies": hops} for hops in (1, 2, 3))
TEN = {"trusted_proxies": ["10.0.0.0/8"]}
BOTH = {"trusted_proxies": ["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]}


def cases():
    yield from direct()
    yield from hops()
    yield from networks()
    yield from odd_entries()
    yield from several_lines()
    yield from wrong_options()


def direct():
    why = "Nobody is trusted unless it is said: the peer is the client, and a forwarding field is reported."
    yield case("peer", why, {}, "203.0.113.9", [], "203.0.113.9", fault=[91])
    yield case("peer-with-port", why, {}, "203.0.113.9:51234", [], "203.0.113.9")
    yield case("peer-ipv6", why, {}, "2001:db8:1:2::3", [], "2001:db8:1:2::/64")
    yield case("peer-mapped", why, {}, "::ffff:203.0.113.9", [], "203.0.113.9")
    yield case("forged", why, {}, "203.0.113.9", "6.6.6.6", "203.0.113.9!", fault=[91])
    yield case("forged-zero-hops", why, {"trusted_proxies": 0}, "203.0.113.9", "6.6.6.6", "203.0.113.9!", fault=[91])
    yield case("forged-no-network", why, {"trusted_proxies": []}, "203.0.113.9", "6.6.6.6", "203.0.113.9!")
    yield case("blank-field", "A blank field is a field.", {}, "203.0.113.9", "", "203.0.113.9!")
    why = "Without a peer, as on a local socket, there is one key for all."
    yield case("no-peer", why, {}, None, [], "unknown", fault=[96])
    yield case("no-peer-forged", why, {}, None, "6.6.6.6", "unknown!", fault=[96])
    yield case("peer-is-no-address", why, {}, "unix:", [], "unknown", fault=[96])
    yield case("peer-is-empty", why, {}, "", [], "unknown", fault=[96])
    yield case("prefix", "The prefix cuts the peer.", {"ipv6_prefix": 48}, "2001:db8:1:2::3", [], "2001:db8:1::/48")


def hops():
    why = "One hop: the peer is the proxy, and the client is what it wrote, on the right."
    yield case("one-hop", why, ONE, "10.0.0.1", "203.0.113.9", "203.0.113.9", fault=[91])
    yield case("one-hop-forged", why, ONE, "10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9", fault=[91])
    yield case("one-hop-many-forged", why, ONE, "10.0.0.1", "1.1.1.1, 2.2.2.2,3.3.3.3 ,203.0.113.9", "203.0.113.9")
    yield case("one-hop-no-field", why, ONE, "10.0.0.1", [], "10.0.0.1")
    yield case("one-hop-no-peer", "A proxy on a local socket has no address.", ONE, None, "203.0.113.9", "203.0.113.9")
    yield case("one-hop-nothing", "Neither peer nor field.", ONE, None, [], "unknown", fault=[96])
    why = "Two hops: the peer and the rightmost entry are proxies."
    yield case("two-hops", why, TWO, "10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2", "203.0.113.9", fault=[91])
    why = "Entries run out: the last trusted address is the key, for that proxy is all there is."
    yield case("two-hops-one-entry", why, TWO, "10.0.0.1", "203.0.113.9", "203.0.113.9")
    yield case("two-hops-no-field", why, TWO, "10.0.0.1", [], "10.0.0.1")
    yield case("three-hops", "Three hops.", THREE, "10.0.0.1", "9.9.9.9, 8.8.8.8, 7.7.7.7, 6.6.6.6", "8.8.8.8")
    yield case("most-hops", "The most.", {"trusted_proxies": 255}, "10.0.0.1", ",".join(["1.2.3.4"] * 300), "1.2.3.4")
    why = "A client's IPv6 address is cut as a peer's is."
    yield case("hop-ipv6", why, ONE, "10.0.0.1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64")
    yield case("hop-mapped", why, ONE, "10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9")
    yield case("hop-prefix", why, {**ONE, "ipv6_prefix": 128}, "10.0.0.1", "2001:DB8::1", "2001:db8::1")


def networks():
    why = "Networks: entries are proxies as far as they lie in one."
    yield case("in-network", why, TEN, "10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9", fault=[91])
    yield case("through-two", why, TEN, "10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2, 10.9.9.9", "203.0.113.9")
    yield case("only-proxies", "Entries run out.", TEN, "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3")
    yield case("no-field", "There are no entries.", TEN, "10.0.0.1", [], "10.0.0.1")
    why = "A peer outside them is the client, whatever it writes."
    yield case("outside", why, TEN, "203.0.113.9", "10.0.0.1, 6.6.6.6", "203.0.113.9!", fault=[91])
    yield case("outside-quiet", why, TEN, "203.0.113.9", [], "203.0.113.9")
    yield case("below", "The address before the first of a network.", TEN, "9.255.255.255", "6.6.6.6", "9.255.255.255!")
    yield case("last", "The last address of a network.", TEN, "10.255.255.255", "6.6.6.6", "6.6.6.6")
    yield case("above", "The address after it.", TEN, "11.0.0.0", "6.6.6.6", "11.0.0.0!")
    why = "Without a peer nobody is known to be trusted."
    yield case("no-peer-networks", why, TEN, None, "6.6.6.6", "unknown!", fault=[96])
    yield case("mapped-peer", "A mapped peer is IPv4.", TEN, "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9")
    yield case("ipv6-peer", "A network of IPv6.", BOTH, "2001:db8:ffff::1", "203.0.113.9", "203.0.113.9")
    yield case("single-address", "One address is a network.", BOTH, "192.0.2.7", "203.0.113.9", "203.0.113.9")
    yield case("next-to-it", "Its neighbour is not in it.", BOTH, "192.0.2.6", "203.0.113.9", "192.0.2.6!")
    yield case("mixed", "Proxies of several networks.", BOTH, "192.0.2.7", "8.8.8.8, 10.0.0.1, 2001:db8::9", "8.8.8.8")
    why = "A network of IPv4 written within IPv6 is of IPv4."
    yield case("mapped-network", why, {"trusted_proxies": ["::ffff:10.0.0.0/104"]}, "10.1.2.3", "6.6.6.6", "6.6.6.6")
    yield case("mapped-address", why, {"trusted_proxies": ["::ffff:10.1.2.3"]}, "10.1.2.3", "6.6.6.6", "6.6.6.6")
    yield case("mapped-all", why, {"trusted_proxies": ["::ffff:0:0/96"]}, "10.1.2.3", "6.6.6.6, 7.7.7.7", "6.6.6.6")
    why = "All of one family is a network too, and none of the other."
    yield case("all-ipv4", why, {"trusted_proxies": ["0.0.0.0/0"]}, "203.0.113.9", "6.6.6.6, 7.7.7.7", "6.6.6.6")
    yield case("all-ipv4-ipv6", why, {"trusted_proxies": ["0.0.0.0/0"]}, "2001:db8::1", "6.6.6.6", "2001:db8::/64!")
    yield case("all-ipv6", why, {"trusted_proxies": ["::/0"]}, "2001:db8::1", "6.6.6.6", "6.6.6.6")
    yield case("all-ipv6-mapped", why, {"trusted_proxies": ["::/0"]}, "::ffff:1.2.3.4", "6.6.6.6", "1.2.3.4!")
    narrow = {"trusted_proxies": ["2001:db8::8000:0:0:0/65"]}
    yield case("ipv6-65", "A network need not end at a colon.", narrow, "2001:db8:0:0:8000::1", "6.6.6.6", "6.6.6.6")
    yield case("ipv6-65-outside", "Nor its neighbour.", narrow, "2001:db8:0:0:7fff::1", "6.6.6.6", "2001:db8::/64!")


def odd_entries():
    why = "At the first entry that is no address the last trusted one is the key."
    for index, entry in enumerate(["unknown", "", " ", "_hidden", "client.example", "192.0.2.01", "1.2.3.4.5"], 1):
        yield case(f"odd-{index}", why, ONE, "10.0.0.1", f"6.6.6.6, {entry}", "10.0.0.1", fault=[91])
        yield case(f"odd-behind-{index}", why, TWO, "10.0.0.1", f"6.6.6.6, {entry}, 10.0.0.2", "10.0.0.2")
    yield case(
        "odd-first", "What lies further left is never looked at.", ONE, "10.0.0.1", "<>, 203.0.113.9", "203.0.113.9"
    )
    why = "Ports, brackets and zones go."
    for index, entry in enumerate(["203.0.113.9:5678", "[::ffff:203.0.113.9]:80", "[::ffff:203.0.113.9%eth0]"], 1):
        yield case(f"dressed-{index}", why, ONE, "10.0.0.1", entry, "203.0.113.9", fault=[91])
    yield case("bracketed", why, ONE, "10.0.0.1", "[::1]:80", "::/64", fault=[91])
    yield case("blanks", "Blanks about an entry go.", ONE, "10.0.0.1", "6.6.6.6,\t 203.0.113.9 \t", "203.0.113.9")
    why = "A folded line is one line, and where it was folded is a blank."
    yield case("folded", why, ONE, "10.0.0.1", b"6.6.6.6,\r\n 203.0.113.9\r\n\t", "203.0.113.9")
    yield case("folded-within", why, ONE, "10.0.0.1", b"6.6.6.6, 203.0.\r\n 113.9", "10.0.0.1")
    yield case("no-text", "Bytes that are no text are no address.", ONE, "10.0.0.1", b"6.6.6.6, \xff", "10.0.0.1")
    long = ", ".join(["6.6.6.6"] * 1111)
    yield case(
        "ten-kilobytes", "A long field is read from the right.", ONE, "10.0.0.1", f"{long}, 203.0.113.9", "203.0.113.9"
    )
    yield case(
        "ten-kilobytes-odd", "A long entry is no address.", ONE, "10.0.0.1", "6" * 10_000, "10.0.0.1", fault=[91]
    )
    yield case("ten-kilobytes-of-commas", "Nor is nothing.", ONE, "10.0.0.1", "," * 10_000, "10.0.0.1")
    yield case(
        "ten-kilobytes-of-proxies", "All are looked at.", TEN, "10.0.0.1", "10.0.0.3, " * 1000 + "10.0.0.2", "10.0.0.3"
    )


def several_lines():
    why = "Several lines of the field are one list, in their order."
    yield case("two-lines", why, ONE, "10.0.0.1", ["6.6.6.6", "203.0.113.9"], "203.0.113.9")
    yield case("three-lines", why, TWO, "10.0.0.1", ["6.6.6.6, 203.0.113.9", "10.0.0.2"], "203.0.113.9")
    yield case("last-line-blank", why, ONE, "10.0.0.1", ["203.0.113.9", ""], "10.0.0.1")
    why = "Another field can be named; it is a list as X-Forwarded-For is."
    yield case("other-field", why, {**ONE, "forwarding_field": "X-Real-IP"}, "10.0.0.1", "203.0.113.9", "203.0.113.9")
    options = {**ONE, "forwarding_field": "X-Forwarded-For"}
    yield case("named-field", why, options, "10.0.0.1", "for=1.2.3.4, 203.0.113.9", "203.0.113.9")


def wrong_options():
    def wrong(name, why, options, field, **more):
        return case(name, why, options, "10.0.0.1", [], f"E {field}", **more)

    yield wrong("hops-256", "So many hops are none that are known.", {"trusted_proxies": 256}, "trusted_proxies")
    why = "A network is an address, a slash and a length, and holds nothing beyond its length."
    for index, text in enumerate(
        ["", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0/8", "::/129", "::1/64"]
        + ["2001:db8::/31/2", "[::1]", "10.0.0.1:80", "fe80::1%eth0", "loopback", " 10.0.0.0/8", "10.0.0.0/ 8"]
        + ["::ffff:10.0.0.0/95", "10.0.0.0/4294967304", "10.0.0.0/8,11.0.0.0/8", "१0.0.0.0/8", "10.0.0.0/+8"],
        1,
    ):
        yield wrong(f"network-{index}", why, {"trusted_proxies": ["10.0.0.0/8", text]}, "trusted_proxies")
    for prefix in (0, 31, 129, 4294967360):
        yield wrong(
            f"prefix-{prefix}", "The prefix is 32 to 128.", {"ipv6_prefix": prefix}, "ipv6_prefix", fault=[93, 94]
        )
    for index, field in enumerate(["", "x forwarded", "x-forwarded-for:", "é", "a,b", "a\n"], 1):
        yield wrong(
            f"field-{index}", "A field has a name that HTTP allows.", {"forwarding_field": field}, "forwarding_field"
        )
