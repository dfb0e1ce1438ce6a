"""Finds the client behind proxies, and the key that stands for it."""

import re

from over_http import address
from refusal import MALFORMED, OUT_OF_RANGE, Refused

MAX_HOPS = 255
IPV6_PREFIXES = (32, 128)
UNKNOWN = "unknown"
DEFAULT_FIELD = "x-forwarded-for"
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
BLANKS = b" \t\r\n"


def judge(options):
    """Refuses options for the first that is wrong: trusted_proxies, forwarding_field, ipv6_prefix."""
    trusted = options.get("trusted_proxies", 0)
    if isinstance(trusted, int):
        if not 0 <= trusted <= MAX_HOPS:
            raise Refused(OUT_OF_RANGE, "trusted_proxies")
    else:
        trusted = [network(text) for text in trusted]
    field = options.get("forwarding_field", DEFAULT_FIELD)
    if not TOKEN.fullmatch(field):
        raise Refused(MALFORMED, "forwarding_field")
    prefix = options.get("ipv6_prefix", 64)
    if not IPV6_PREFIXES[0] <= prefix <= IPV6_PREFIXES[1]:
        raise Refused(OUT_OF_RANGE, "ipv6_prefix")
    return trusted, field.lower(), prefix


def network(text):
    """Reads a network in CIDR form, or one address, as (bits, number, prefix)."""
    host, slash, length = text.partition("/")
    four, six = address.ipv4(host), address.ipv6(host)
    bits, number = (32, four) if four is not None else (128, six)
    if number is None or (slash and not re.fullmatch(r"0|[1-9][0-9]{0,2}", length)):
        raise Refused(MALFORMED, "trusted_proxies")
    prefix = int(length) if slash else bits
    if prefix > bits or number & (1 << bits - prefix) - 1:
        raise Refused(MALFORMED, "trusted_proxies")
    if bits == 128 and number >> 32 == address.V4_IN_V6 and prefix >= 96:
        return (32, number & 0xFFFFFFFF, prefix - 96)
    return (bits, number, prefix)


def within(found, networks):
    """Tells whether an address lies in one of the networks."""
    if found is None:
        return False
    bits, number = found
    return any(bits == other and number >> bits - prefix == start >> bits - prefix for other, start, prefix in networks)


def client(options, peer, lines):
    """Returns the client's key, and whether a forwarding field came from a peer that is not trusted."""
    trusted, field, prefix = judge(options)
    by_hops = isinstance(trusted, int)
    last = None if peer is None else address.parse(peer)
    if not (trusted > 0 if by_hops else within(last, trusted)):
        return written(last, prefix), bool(lines)
    joined = b",".join(lines)
    nodes = forwarded(joined) if field == "forwarded" else joined.split(b",")[::-1]
    for hop, node in enumerate(nodes, 1):
        found = None if node is None else address.parse(node.strip(BLANKS))
        if found is None:
            break
        last = found
        if hop >= trusted if by_hops else not within(found, trusted):
            break
    return written(last, prefix), False


def written(found, prefix):
    return UNKNOWN if found is None else address.key(found, prefix)


def forwarded(field):
    """Lists the nodes of the field Forwarded (RFC 7239) from the right; None for an element that has not one."""
    return [node(element) for element in elements_from_the_right(field)]


def elements_from_the_right(field):
    """Splits at commas that lie outside quotes, looking from the right.

    So what a client wrote on the left, such as a quote that nothing closes, cannot hide what a proxy added.
    """
    elements, end, quoted = [], len(field), False
    for at in range(len(field) - 1, -1, -1):
        sign = field[at : at + 1]
        if sign == b'"' and not escaped(field, at):
            quoted = not quoted
        elif sign == b"," and not quoted:
            elements.append(field[at + 1 : end])
            end = at
    return [*elements, field[:end]]


def escaped(field, at):
    before = field[:at]
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def node(element):
    """Returns the value of an element's one `for`."""
    found = []
    for pair in pairs(element):
        name, equals, value = pair.strip(BLANKS).partition(b"=")
        if equals and name.lower() == b"for":
            found.append(value)
    if len(found) != 1:
        return None
    return unquoted(found[0]) if found[0].startswith(b'"') else found[0]


def pairs(element):
    """Splits at semicolons outside quotes."""
    out, start, quoted, at = [], 0, False, 0
    while at < len(element):
        sign = element[at : at + 1]
        if quoted and sign == b"\\":
            at += 1
        elif sign == b'"':
            quoted = not quoted
        elif sign == b";" and not quoted:
            out.append(element[start:at])
            start = at + 1
        at += 1
    return [*out, element[start:]]


def unquoted(value):
    """Reads a quoted string; None if it is none."""
    match = re.fullmatch(rb'"((?:[^"\\]|\\.)*)"', value, re.DOTALL)
    return re.sub(rb"\\(.)", rb"\1", match[1], flags=re.DOTALL) if match else None


def header(lines):
    """Returns the key of a header: its lines trimmed and joined, without those that are empty; None if none is left."""
    kept = [line.strip(b" \t") for line in lines]
    kept = [line for line in kept if line]
    return b", ".join(kept) if kept else None


def joined(parts):
    """Returns the bytes of a key of several parts; None if one is missing."""
    if any(part is None for part in parts):
        return None
    return b"".join(b"%d:" % len(part) + part for part in parts)
