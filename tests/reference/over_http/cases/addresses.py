from dice import Dice
from over_http import address
from over_http.case import address_case as case

NAME = "addresses"
PROBES = "One address in every spelling, and the key of its client: IPv4 whole, IPv6 cut to its network."


def each(name, why, says, *texts, **more):
    for index, text in enumerate(texts, 1):
        yield case(f"{name}-{index}", why, text, says, **more)


def cases():
    yield from ipv4()
    yield from ipv6()
    yield from no_address()
    yield from prefixes()
    yield from at_random()


def ipv4():
    yield from each("ipv4", "An IPv4 address is its own key.", "192.0.2.1", "192.0.2.1", fault=[91])
    yield from each("ipv4-ends", "The least and the greatest.", "0.0.0.0", "0.0.0.0")
    yield case("ipv4-greatest", "The least and the greatest.", "255.255.255.255", "255.255.255.255")
    why = "A port goes: a client has another one for each connection."
    yield from each("ipv4-port", why, "192.0.2.1", "192.0.2.1:8080", "192.0.2.1:0", "192.0.2.1:65535", fault=[91])
    yield from each(
        "ipv4-named-port", "RFC 7239 lets a port be a name.", "192.0.2.1", "192.0.2.1:_a", "192.0.2.1:_.-Z9"
    )
    why = "IPv4 written within IPv6 is IPv4, dotted or in hex, in capitals or in full."
    yield from each(
        "mapped",
        why,
        "192.0.2.1",
        "::ffff:192.0.2.1",
        "::FFFF:192.0.2.1",
        "::ffff:c000:201",
        "::ffff:C000:0201",
        "0:0:0:0:0:ffff:192.0.2.1",
        "0000:0000:0000:0000:0000:ffff:c000:0201",
        "0::ffff:c000:201",
        "::0:ffff:192.0.2.1",
        fault=[91],
    )
    why = "Brackets, ports and zones about it go too."
    yield from each(
        "mapped-dressed", why, "192.0.2.1", "[::ffff:192.0.2.1]", "[::ffff:c000:201]:443", "[::ffff:192.0.2.1%eth0]:1"
    )
    yield from each(
        "ipv4-dressed", "So they do about IPv4.", "192.0.2.1", "[192.0.2.1]", "[192.0.2.1]:80", "192.0.2.1%a"
    )
    yield case("mapped-prefix", "The prefix of IPv6 does not cut IPv4.", "::ffff:192.0.2.1", "192.0.2.1", prefix=32)


def ipv6():
    why = "IPv6 is cut to its network and written in one spelling."
    yield from each(
        "ipv6",
        why,
        "2001:db8:1:2::/64",
        "2001:db8:1:2:3:4:5:6",
        "2001:DB8:1:2::",
        "2001:0db8:0001:0002:0000:0000:0000:0001",
        "2001:db8:1:2::192.0.2.1",
        "[2001:db8:1:2::9]",
        "[2001:db8:1:2::9]:443",
        "[2001:db8:1:2::9]:_x",
        "2001:db8:1:2::1%eth0",
        "[2001:db8:1:2::1%25eth0]:443",
        fault=[91, 93],
    )
    yield case("loopback", "The loopback address has a network as any other.", "::1", "::/64")
    yield case("link-local", "A zone goes.", "fe80::1%eth0", "fe80::/64")
    yield case("empty-zone", "So does one without a name.", "fe80::1%", "fe80::/64")
    yield case(
        "compatible", "Only ::ffff:0:0/96 is IPv4: the older form is not.", "::192.0.2.1", "::c000:201", prefix=128
    )
    yield case("translated", "Nor is the form of NAT64.", "64:ff9b::192.0.2.1", "64:ff9b::/64")
    why = "The first of the longest runs of zeros is the one that is left out, and a single zero is not."
    for text, says in (
        ("1:0:0:2:0:0:3:4", "1::2:0:0:3:4"),
        ("1:0:0:2:0:0:0:4", "1:0:0:2::4"),
        ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
        ("0:0:1:2:3:4:5:6", "::1:2:3:4:5:6"),
        ("1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"),
        ("0:1:2:3:4:5:6:0", "0:1:2:3:4:5:6:0"),
        ("0:0:0:0:0:0:0:0", "::"),
        ("1::8", "1::8"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
    ):
        yield case(f"spelling-{text}", why, text, says, prefix=128)


def no_address():
    why = "This is no address, and no guess is made."
    texts = ["", " ", "unknown", "_hidden", "client.example", "localhost", "192.0.2", "192.0.2.1.5", "192.0.2.01"]
    texts += ["192.0.2.256", "192.0.2.-1", "192.0.2.+1", "0x7f.0.0.1", "2130706433", "192.0.2.1 ", " 192.0.2.1"]
    texts += ["192.0.2.1:", "192.0.2.1:65536", "192.0.2.1:000080", "192.0.2.1:+80", "192.0.2.1:80:80", "192.0.2.1:_"]
    texts += ["192.0.2.1:_a/b", "192.0.2.1/32", "192.0.2.1,192.0.2.2", "192..2.1", ".192.0.2.1", "192.0.2.1."]
    texts += ["[::1", "::1]", "[::1]x", "[::1]:", "[::1]:65536", "[]", "[]:80", "[", "]", "%eth0", "[[::1]]"]
    texts += [":", ":::", "1:::2", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1:2:3:4:5:6:7:8"]
    texts += ["1:2:3:4:5:6:7:8::", "12345::", "g::", "::-1", "::1.2.3", "::1.2.3.04", "1.2.3.4::", "1:2.3.4.5::"]
    texts += ["1:2:3:4:5:6:7:1.2.3.4", "::ffff:256.0.0.1", "1:", ":1", "1:2:3:4:5:6:7:", "192.0.2.1\0", "::1\0"]
    texts += ["192.0.2.1\r\n", "１９２.0.2.1", "192。0.2.1", "٣::1", b"\xff\xfe", b"192.0.2.\xb2"]
    texts += ["fe80::1%é", "[192.0.2.1%é]:80", b"fe80::1%\xe9"]
    for index, text in enumerate(texts, 1):
        yield case(f"none-{index}", why, text, None, fault=[91])
    yield case("ten-thousand-digits", "Length alone does no harm.", "1" * 10_000, None, fault=[91])
    yield case("ten-thousand-colons", "Length alone does no harm.", ":" * 10_000, None)
    yield case("ten-thousand-zeros", "Length alone does no harm.", "0" * 10_000 + "::1", None)


def prefixes():
    why = "The prefix says how many bits one client has as its own: all of them make one key."
    full = "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"
    for prefix, says in (
        (32, "2001:db8::/32"),
        (33, "2001:db8:8000::/33"),
        (48, "2001:db8:ffff::/48"),
        (56, "2001:db8:ffff:ff00::/56"),
        (63, "2001:db8:ffff:fffe::/63"),
        (64, "2001:db8:ffff:ffff::/64"),
        (65, "2001:db8:ffff:ffff:8000::/65"),
        (96, "2001:db8:ffff:ffff:ffff:ffff::/96"),
        (127, "2001:db8:ffff:ffff:ffff:ffff:ffff:fffe/127"),
        (128, full),
    ):
        yield case(f"prefix-{prefix}", why, full, says, prefix=prefix, fault=[93])
    why = "A client who changes the bits of its own network stays the same client."
    for host in ("::1", "::2", ":ffff:ffff:ffff:ffff", ":1:2:3:4"):
        yield case(f"one-network{host}", why, f"2001:db8:1:2{host}", "2001:db8:1:2::/64", fault=[93])
    yield case(
        "another-network", "The next network is another client.", "2001:db8:1:3::1", "2001:db8:1:3::/64", fault=[93]
    )


def at_random():
    """Addresses with zeros in many places, and texts that are nearly addresses."""
    dice = Dice(7239, 0)
    for index in range(60):
        groups = [dice.one_of([0, 0, 0, 1, 0xFFFF, dice.between(0, 65535)]) for _ in range(8)]
        text = ":".join(f"{group:x}" for group in groups)
        prefix = dice.between(32, 128)
        found = address.parse(text.encode())
        yield case(f"random-{index}", "An address drawn at random.", text, address.key(found, prefix), prefix=prefix)
    for index in range(120):
        text = "".join(
            dice.one_of([":", ":", "::", "0", "1", "ffff", "f", ".", "1.2.3.4"]) for _ in range(dice.between(1, 12))
        )
        found = address.parse(text.encode())
        says = None if found is None else address.key(found, 128)
        yield case(f"scraps-{index}", "Scraps of addresses, which are one or none.", text, says, prefix=128)
