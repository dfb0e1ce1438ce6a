"""Judges on which terms a limiter is attached: its policies' names, which fields are sent, and how it refuses."""

from refusal import MALFORMED, OUT_OF_RANGE, Refused

STYLES = ("standard", "legacy", "off")
SATURATED_STATUSES = (429, 503)
STATUSES = (100, 999)


def judge(policies, limit):
    """Returns the policies' names, after refusing what is wrong: names, fields, saturated_status."""
    names = named(limit.get("names", []), len(policies))
    if limit.get("fields", "standard") not in STYLES:
        raise Refused(MALFORMED, "fields")
    if limit.get("saturated_status", 429) not in SATURATED_STATUSES:
        raise Refused(MALFORMED, "saturated_status")
    return names


def named(names, count):
    if names and len(names) != count:
        raise Refused(MALFORMED, "names")
    if not names:
        names = ["default"] if count == 1 else [f"default-{index}" for index in range(count)]
    for index, name in enumerate(names):
        if not name or not all(" " <= sign <= "~" for sign in name) or name in names[:index]:
            raise Refused(MALFORMED, "names")
    return names


def refunds(refund_if, outcome):
    """Tells whether what was taken is given back: for a refusal further in, or for one of the statuses."""
    for low, high in refund_if:
        if not (STATUSES[0] <= low <= STATUSES[1] and STATUSES[0] <= high <= STATUSES[1]):
            raise Refused(OUT_OF_RANGE, "refund_if")
        if low > high:
            raise Refused(MALFORMED, "refund_if")
    if outcome == "refused_within":
        return True
    return outcome != "none" and any(low <= outcome <= high for low, high in refund_if)
