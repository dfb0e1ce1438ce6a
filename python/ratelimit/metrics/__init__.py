"""Counts of limiters for monitoring, read from `stats` when somebody looks: they cost a check nothing.

`ratelimit.metrics.prometheus` needs the extra `ratelimit-rs[prometheus]`, `ratelimit.metrics.opentelemetry` the extra
`ratelimit-rs[opentelemetry]`. Both tell, for each limiter by its name, the decisions of each kind since it was made,
the keys that it holds, and how many it may hold.
"""

DECISIONS = "ratelimit_decisions"
DECISIONS_SAYS = "Decisions since the limiter was made, by kind."
IDENTITIES = "ratelimit_identities"
IDENTITIES_SAYS = "Keys that the limiter holds."
MAX_IDENTITIES = "ratelimit_max_identities"
MAX_IDENTITIES_SAYS = "Keys that the limiter may hold; a new one beyond them is saturated."
