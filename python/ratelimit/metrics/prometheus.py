"""Limiters for Prometheus."""

from collections.abc import Iterable, Iterator, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .._limiter import Limiter
from . import DECISIONS, DECISIONS_SAYS, IDENTITIES, IDENTITIES_SAYS, MAX_IDENTITIES, MAX_IDENTITIES_SAYS


class LimiterCollector(Collector):
    """Collects the counts of limiters, each by its name, when Prometheus asks.

    >>> from prometheus_client import CollectorRegistry, generate_latest
    >>> from ratelimit import Limiter
    >>> from ratelimit.metrics.prometheus import LimiterCollector
    >>> login = Limiter("5/minute")
    >>> registry = CollectorRegistry()
    >>> registry.register(LimiterCollector({"login": login}))
    >>> login.allow("ada")
    True
    >>> registry.get_sample_value("ratelimit_decisions_total", {"limiter": "login", "kind": "allowed"})
    1
    """

    def __init__(self, limiters: Mapping[str, Limiter]) -> None:
        self._limiters = limiters

    def collect(self) -> Iterator[Metric]:
        """Reads every limiter once; another thread may add one meanwhile."""
        decisions = CounterMetricFamily(DECISIONS, DECISIONS_SAYS, labels=["limiter", "kind"])
        identities = GaugeMetricFamily(IDENTITIES, IDENTITIES_SAYS, labels=["limiter"])
        most = GaugeMetricFamily(MAX_IDENTITIES, MAX_IDENTITIES_SAYS, labels=["limiter"])
        for name, limiter in list(self._limiters.items()):
            for kind, count in limiter.stats()._asdict().items():
                decisions.add_metric([name, kind], count)
            identities.add_metric([name], len(limiter))
            most.add_metric([name], limiter.max_identities)
        yield from (decisions, identities, most)

    def describe(self) -> Iterable[Metric]:
        """Says what there is to collect, without looking at the limiters."""
        return [
            CounterMetricFamily(DECISIONS, DECISIONS_SAYS),
            GaugeMetricFamily(IDENTITIES, IDENTITIES_SAYS),
            GaugeMetricFamily(MAX_IDENTITIES, MAX_IDENTITIES_SAYS),
        ]
