import hashlib

from case import World, fixed
from identity import joined

NAME = "keys"
PROBES = "Which keys are one identity: bytes of any length, text as its UTF-8, and lists of parts."


def plain(content):
    return {"hex": content.hex()}


def parts(*contents):
    return {"parts": [content.hex() for content in contents]}


def apart(name, why, keys):
    """Builds a world in which every key has a permit of its own, and only one."""
    w = World(name, why, fixed(1, 1000))
    for key in keys:
        w.check(0, "A 0", key=key)
    for key in keys:
        w.check(0, "D 1000", key=key)
    w.len(len(keys))
    return w


def same(name, why, *keys):
    """Builds a world in which the keys share one permit for each key."""
    w = World(name, why, fixed(len(keys), 1000))
    for index, key in enumerate(keys):
        w.check(0, f"A {len(keys) - 1 - index}", key=key)
    for key in keys:
        w.check(0, "D 1000", key=key)
    w.len(1)
    w.reset(True, key=keys[-1])
    w.len(0)
    return w


def cases():
    long = b"a" * 65
    digest = hashlib.sha256(long).digest()

    yield same(
        "text-is-its-utf-8", "A text key and its bytes are one identity.", {"text": "né ⌘"}, plain("né ⌘".encode())
    )
    yield same("empty-text-and-empty-bytes", "The empty key is a key as any other.", {"text": ""}, plain(b""))
    why = "What stands for a lone surrogate is U+FFFD, an ordinary character of three bytes."
    yield same("replacement-character", why, {"text": "\ufffd"}, plain(b"\xef\xbf\xbd"))
    why = "A long key is one identity each time it comes, by whatever form."
    yield same("long-key-again", why, plain(long), {"text": "a" * 65}, plain(long))
    yield same(
        "parts-again", "An equal list of parts is the same identity.", parts(b"user", b"42"), parts(b"user", b"42")
    )
    why = "A long list of parts is one identity each time it comes."
    yield same("long-parts-again", why, parts(b"x" * 40, b"y" * 40), parts(b"x" * 40, b"y" * 40))

    why = "Keys are bytes: case, composition, spaces, a zero byte and invalid UTF-8 all tell them apart."
    yield apart(
        "bytes-as-they-are",
        why,
        [
            {"text": "a"},
            {"text": "A"},
            {"text": " a"},
            {"text": "a "},
            {"text": "a\0"},
            {"text": "\0a"},
            {"text": ""},
            {"text": "é"},
            {"text": "e\u0301"},
            plain(b"\xe9"),
            plain(b"\xff\xfe"),
            plain(b"\0"),
            plain(b"\0\0"),
        ],
    )
    why = "Around the length up to which a key is kept as it is, lengths tell keys apart."
    yield apart(
        "lengths-around-64",
        why,
        [plain(b"k" * length) for length in (0, 1, 31, 32, 33, 62, 63, 64, 65, 66, 127, 128, 129)],
    )
    why = "Long keys that differ only in their last or first byte are identities of their own."
    yield apart(
        "long-keys-that-differ-in-one-byte",
        why,
        [
            plain(b"x" * 999 + b"a"),
            plain(b"x" * 999 + b"b"),
            plain(b"a" + b"x" * 999),
            plain(b"x" * 1000),
            plain(b"x" * 64 + b"a"),
        ],
    )
    why = "A key that equals the digest of a long key, or that digest in hex, is not the long key."
    yield apart(
        "digest-of-a-long-key",
        why,
        [
            plain(long),
            plain(digest),
            {"text": digest.hex()},
            {"text": digest.hex().upper()},
            plain(digest + digest),
        ],
    )
    why = "A list of parts never meets the plain key of the bytes that it is joined to, short or long."
    short_list, long_list = parts(b"ab", b"c"), parts(b"p" * 50, b"q" * 50)
    long_joined = joined(long_list)
    yield apart(
        "parts-are-not-their-joined-bytes",
        why,
        [
            short_list,
            plain(joined(short_list)),
            long_list,
            plain(long_joined),
            plain(hashlib.sha256(long_joined).digest()),
            parts(hashlib.sha256(long_joined).digest()),
        ],
    )
    why = "Where one part ends and the next begins tells lists apart, whatever the parts hold."
    yield apart(
        "where-parts-end",
        why,
        [
            parts(b"ab"),
            parts(b"a", b"b"),
            parts(b"a", b"b", b""),
            parts(b"", b"a", b"b"),
            parts(b"a", b"", b"b"),
            parts(b"ab", b""),
            parts(b"b", b"a"),
            parts(b"1:a", b"b"),
            parts(b"1:a1:b"),
            parts(b"a1:b"),
            {"text": "ab"},
            {"text": "1:a1:b"},
        ],
    )
    why = "No parts, one empty part, two empty parts and the empty key are four identities."
    yield apart("empty-parts", why, [{"parts": []}, parts(b""), parts(b"", b""), {"text": ""}])
    why = "A part's length is written in decimal however long the part is."
    yield apart("long-parts", why, [parts(b"z" * length) for length in (9, 10, 11, 61, 62, 99, 100, 101, 1000)])
    why = "Parts are bytes too: a colon, a digit or a zero byte in them confuses nothing."
    yield apart(
        "parts-of-any-bytes",
        why,
        [
            parts(b":"),
            parts(b"::"),
            parts(b":", b":"),
            parts(b"0:"),
            parts(b"\0", b"\xff"),
            parts(b"\0\xff"),
            parts(b"2:"),
            parts(b"2", b""),
        ],
    )

    w = World("forms-in-every-operation", "Every operation takes every form of a key.", fixed(5, 1000))
    for text, other in (
        ({"text": "é"}, plain("é".encode())),
        (plain(long), {"text": "a" * 65}),
        (parts(b"a", b"b"),) * 2,
    ):
        step = w.check(0, "A 3", key=text, cost=2)
        w.peek(0, "A 2", key=other)
        w.remaining(0, 3, key=other)
        w.refund(step, 0, 2, key=other)
        w.reset(True, key=other)
        w.reset(False, key=text)
    yield w
