"""Reads one address in any spelling, and writes the key that stands for its client."""

import re

PORT = re.compile(r"[0-9]{1,5}|_[0-9A-Za-z._-]+")
OCTET = re.compile(r"0|[1-9][0-9]{0,2}")
GROUP = re.compile(r"[0-9A-Fa-f]{1,4}")
V4_IN_V6 = 0xFFFF


def parse(raw):
    """Returns (bits, number): 32 or 128 bits; None for what is no address.

    Brackets, then a port, then a zone are taken off. IPv4 within IPv6 (::ffff:0:0/96) is IPv4.
    """
    host = without_port(raw)
    return None if host is None else plain(host.partition("%")[0])


def without_port(raw):
    try:
        text = raw.decode("ascii")
    except UnicodeDecodeError:
        return None
    if text.startswith("["):
        host, closed, rest = text[1:].partition("]")
        if not closed or (rest and not (rest[0] == ":" and is_port(rest[1:]))):
            return None
        return host
    if text.count(":") == 1:
        host, _, port = text.partition(":")
        return host if is_port(port) else None
    return text


def is_port(text):
    """Tells a port: a number, or a name with an underscore before it, as RFC 7239 allows."""
    return PORT.fullmatch(text) is not None and (text[0] == "_" or int(text) <= 65535)


def plain(text):
    """Reads an address that has nothing about it."""
    number = ipv4(text)
    if number is not None:
        return (32, number)
    number = ipv6(text)
    if number is None:
        return None
    return (32, number & 0xFFFFFFFF) if number >> 32 == V4_IN_V6 else (128, number)


def ipv4(text):
    octets = text.split(".")
    if len(octets) != 4 or not all(OCTET.fullmatch(octet) and int(octet) < 256 for octet in octets):
        return None
    return sum(int(octet) << shift for octet, shift in zip(octets, (24, 16, 8, 0)))


def ipv6(text):
    if ":::" in text or text.count("::") > 1:
        return None
    before, gap, after = text.partition("::")
    head = groups(before, may_end_in_ipv4=not gap)
    tail = groups(after, may_end_in_ipv4=True)
    if head is None or tail is None:
        return None
    zeros = 8 - len(head) - len(tail)
    if zeros < 1 if gap else zeros != 0:
        return None
    number = 0
    for group in head + [0] * zeros + tail:
        number = number << 16 | group
    return number


def groups(text, may_end_in_ipv4):
    """Reads groups between colons; the last two may be written as an IPv4 address."""
    if not text:
        return []
    *parts, last = text.split(":")
    dotted = ipv4(last) if may_end_in_ipv4 else None
    if dotted is None:
        parts.append(last)
    if not all(GROUP.fullmatch(part) for part in parts):
        return None
    return [int(part, 16) for part in parts] + ([] if dotted is None else [dotted >> 16, dotted & 0xFFFF])


def key(address, ipv6_prefix):
    """Writes an address as a key: IPv4 whole, IPv6 cut to its first bits, in the spelling of RFC 5952."""
    bits, number = address
    if bits == 32:
        return ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))
    text = compressed(number >> 128 - ipv6_prefix << 128 - ipv6_prefix)
    return text if ipv6_prefix == 128 else f"{text}/{ipv6_prefix}"


def compressed(number):
    """Writes the groups, the first of the longest runs of two or more zeros as `::`."""
    hexes = [f"{number >> shift & 0xFFFF:x}" for shift in range(112, -1, -16)]
    for length in range(8, 1, -1):
        for start in range(0, 9 - length):
            if set(hexes[start : start + length]) == {"0"}:
                return ":".join(hexes[:start]) + "::" + ":".join(hexes[start + length :])
    return ":".join(hexes)
