"""Names the errors that every language shares, by number."""

OUT_OF_RANGE = 1
NOT_WHOLE_MILLISECONDS = 2
BUCKET_TOO_LARGE = 3
SLIDING_LOG_TOO_LONG = 4
POLICY_COUNT = 5
POLICY_SYNTAX = 6
NOT_AN_INTEGER = 7
MALFORMED = 8

NAMES = {
    OUT_OF_RANGE: "out_of_range",
    NOT_WHOLE_MILLISECONDS: "not_whole_milliseconds",
    BUCKET_TOO_LARGE: "bucket_too_large",
    SLIDING_LOG_TOO_LONG: "sliding_log_too_long",
    POLICY_COUNT: "policy_count",
    POLICY_SYNTAX: "policy_syntax",
    NOT_AN_INTEGER: "not_an_integer",
    MALFORMED: "malformed",
}


class Refused(Exception):
    """Says which rule was broken, by which field, and in a policy's text at which byte."""

    def __init__(self, code, field, offset=None):
        super().__init__(f"{NAMES[code]} ({code}): {field}" + ("" if offset is None else f" at byte {offset}"))
        self.code = code
        self.field = field
        self.offset = offset

    def as_data(self):
        """Writes the error as a vector holds it."""
        data = {"code": self.code, "name": NAMES[self.code], "field": self.field}
        if self.offset is not None:
            data["offset"] = self.offset
        return data
