"""Tells from the lines of Accept whether a client takes JSON."""

import re

WANTED = ("application/problem+json", "application/json")
WEIGHT = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")


def accepts_json(lines):
    """The most specific range that fits decides; no Accept, or a blank one, takes anything."""
    text = b",".join(lines).decode("latin-1")
    if not text.strip(" \t,"):
        return True
    ranges = [found for found in map(media_range, text.split(",")) if found]
    return any(weighs(wanted, ranges) for wanted in WANTED)


def media_range(text):
    """Returns a range and whether its weight is above 0; None for one whose weight is no weight."""
    name, *parameters = [part.strip(" \t") for part in text.split(";")]
    positive = True
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip(" \t") in ("q", "Q"):
            value = value.strip(" \t")
            if not WEIGHT.fullmatch(value):
                return None
            positive = value.strip("0.") != ""
    return ascii_lower(name), positive


def ascii_lower(text):
    return "".join(sign.lower() if sign.isascii() else sign for sign in text)


def weighs(wanted, ranges):
    for fitting in (wanted, "application/*", "*/*"):
        found = [positive for name, positive in ranges if name == fitting]
        if found:
            return any(found)
    return False
