"""Says what a response tells of the decisions that were made for its request."""

import json

from over_http import terms
from over_http.accept import accepts_json

PROBLEMS = "https://iana.org/assignments/http-problem-types#"
QUOTA = ("quota-exceeded", "Request cannot be satisfied as assigned quota has been exceeded")
# The largest Integer of a structured field (RFC 9651): no limiter waits that long, but a decision made by hand may.
MOST = 999_999_999_999_999
CAPACITY = ("temporary-reduced-capacity", "Request cannot be satisfied due to temporary server capacity constraints")


def seconds(ms):
    return -(-ms // 1000)


def quoted(name):
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def window_seconds(policy):
    """A bucket's window is its time from empty to full."""
    if policy["algorithm"] == "token_bucket":
        return seconds(-(-policy["capacity"] * policy["refill_period_ms"] // policy["refill"]))
    return seconds(policy["window_ms"])


class Asked:
    """One limit that was asked: its terms and its decision."""

    def __init__(self, limit):
        self.policies = limit["policies"]
        self.names = terms.judge(self.policies, limit)
        self.style = limit.get("fields", "standard")
        self.saturated_status = limit.get("saturated_status", 429)
        self.decision = limit["decision"]
        self.kind = self.decision["kind"]
        self.name = self.names[self.decision["policy"]]

    def wait(self):
        """Returns t: whole seconds until more remains, or until the call succeeds; None if waiting never helps."""
        if self.kind == "allowed":
            return min(MOST, seconds(self.decision["reset_after_ms"]))
        retry = self.decision["retry_after_ms"]
        return None if retry is None else min(MOST, max(1, seconds(retry)))

    def policy_items(self):
        for name, policy in zip(self.names, self.policies):
            limit = policy.get("limit", policy.get("capacity"))
            yield f"{quoted(name)};q={limit};w={window_seconds(policy)}"

    def item(self):
        wait = "" if self.wait() is None else f";t={self.wait()}"
        return f"{quoted(self.name)};r={self.decision['remaining']}{wait}"

    def legacy_fields(self):
        if self.kind == "saturated":
            return
        yield "x-ratelimit-limit", str(self.decision["limit"])
        yield "x-ratelimit-remaining", str(self.decision["remaining"])
        if self.wait() is not None:
            yield "x-ratelimit-reset", str(self.wait())


def fields(asked):
    """Lists the response's fields for these limits, outermost first; only the last can have refused."""
    shown = [limit for limit in asked if limit.style != "off"]
    policies = [item for limit in shown for item in limit.policy_items()]
    items = [limit.item() for limit in shown if limit.kind != "saturated"]
    out = []
    if policies:
        out.append(("ratelimit-policy", ", ".join(policies)))
    if items:
        out.append(("ratelimit", ", ".join(items)))
    old = [limit for limit in shown if limit.style == "legacy"]
    if old:
        out += old[-1].legacy_fields()
    last = asked[-1]
    if last.kind in ("denied", "saturated"):
        out.append(("retry-after", str(last.wait())))
    if last.kind == "saturated":
        out.append(("x-ratelimit-saturated", "true"))
    return [list(field) for field in out]


def refusal(asked, accept):
    """Returns status, content type and body of a refusal; None if all allowed."""
    last = asked[-1]
    if last.kind == "allowed":
        return None
    if last.kind == "saturated":
        return body(last.saturated_status, *CAPACITY, last, f"There is no room for new clients. {again(last)}", accept)
    if last.kind == "exceeds_limit":
        says = f'The request asks for more than policy "{last.name}" ever grants. Waiting does not help.'
    else:
        says = f'Policy "{last.name}" is used up. {again(last)}'
    return body(429, *QUOTA, last, says, accept)


def again(limit):
    wait = limit.wait()
    return f"Try again in {wait} second{'' if wait == 1 else 's'}."


def body(status, problem, title, limit, detail, accept):
    if not accepts_json(accept):
        return plain(status, f"{title}. {detail}")
    return problem_json(
        {
            "type": PROBLEMS + problem,
            "title": title,
            "status": status,
            "detail": detail,
            "violated-policies": [limit.name],
        }
    )


def missing_key(accept):
    """Returns status, content type and body where a request that has no key is refused."""
    detail = "The request has nothing to be limited by."
    if not accepts_json(accept):
        return plain(403, f"Forbidden. {detail}")
    return problem_json({"type": "about:blank", "title": "Forbidden", "status": 403, "detail": detail})


def plain(status, text):
    return {"status": status, "content_type": "text/plain; charset=utf-8", "body": text + "\n"}


def problem_json(members):
    text = json.dumps(members, separators=(",", ":"))
    return {"status": members["status"], "content_type": "application/problem+json", "body": text}
