"""Tells which keys are one identity.

A key is a dictionary as a vector holds it: {"text": "é"} or {"hex": "c3a9"}, which are bytes, or
{"parts": ["61", "62"]}, a list of byte strings in hex. Text is its UTF-8. A list of parts is a key
of its own kind and equals only the same list. An implementation may keep a digest in place of a
long key; that must never show, so the model has none.
"""


def identity(key):
    """Returns what two keys share exactly when they are one identity."""
    if "text" in key:
        return ("plain", key["text"].encode("utf-8"))
    if "hex" in key:
        return ("plain", bytes.fromhex(key["hex"]))
    return ("parts", tuple(bytes.fromhex(part) for part in key["parts"]))


def joined(key):
    """Returns the bytes of a key; of a list of parts each one's length in decimal, ':' and its bytes."""
    kind, content = identity(key)
    if kind == "plain":
        return content
    return b"".join(b"%d:" % len(part) + part for part in content)
