from over_http.case import refund_case as case

NAME = "refunds"
PROBES = "Whether what was taken is given back when the response is known."

FAILED_ONLY = [[100, 399]]


def cases():
    why = "Count only failures: what succeeds gives its permit back."
    for status, back in ((200, True), (100, True), (399, True), (400, False), (401, False), (500, False), (999, False)):
        yield case(f"failed-only-{status}", why, FAILED_ONLY, status, back)
    why = "Several ranges; both of their ends belong to them."
    ranges = [[200, 299], [404, 404], [500, 999]]
    for status, back in ((199, False), (299, True), (300, False), (403, False), (404, True), (405, False), (999, True)):
        yield case(f"ranges-{status}", why, ranges, status, back)
    yield case("never", "Without ranges nothing is given back.", [], 200, False)
    why = "A request that a limit further in refuses costs nothing, whatever is refunded else."
    yield case("refused-within", why, [], "refused_within", True)
    yield case("refused-within-429", why, FAILED_ONLY, "refused_within", True)
    yield case("no-response", "Without a response, what was taken stays taken.", [[100, 999]], "none", False)
    why = "A status that is none HTTP has is in no range."
    yield case("status-0", why, [[100, 999]], 0, False)
    yield case("status-1000", why, [[100, 999]], 1000, False)
    why = "Ranges are of statuses, 100 to 999, the lesser first."
    for index, pair in enumerate([[99, 200], [200, 1000], [0, 0], [65636, 65636]], 1):
        yield case(f"out-of-range-{index}", why, [[100, 200], pair], 200, "E refund_if")
    yield case("backwards", why, [[400, 399]], 200, "E refund_if")
