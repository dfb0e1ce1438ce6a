"""Limiters for OpenTelemetry."""

from collections.abc import Iterator, Mapping

from opentelemetry.metrics import CallbackOptions, Meter, Observation, get_meter

from .. import _ratelimit
from .._limiter import Limiter
from . import DECISIONS, DECISIONS_SAYS, IDENTITIES, IDENTITIES_SAYS, MAX_IDENTITIES, MAX_IDENTITIES_SAYS


def observe(limiters: Mapping[str, Limiter], meter: Meter | None = None) -> None:
    """Makes instruments for limiters, each by its name, that are read when OpenTelemetry collects.

    Without a meter it is the global provider's.

    >>> from opentelemetry.sdk.metrics import MeterProvider
    >>> from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    >>> from ratelimit import Limiter
    >>> from ratelimit.metrics.opentelemetry import observe
    >>> login = Limiter("5/minute")
    >>> reader = InMemoryMetricReader()
    >>> observe({"login": login}, MeterProvider([reader]).get_meter("example"))
    >>> login.allow("ada")
    True
    >>> metrics = reader.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics
    >>> [metric.name for metric in metrics]
    ['ratelimit_decisions', 'ratelimit_identities', 'ratelimit_max_identities']
    """
    meter = meter or get_meter("ratelimit", _ratelimit.__version__)

    def decisions(_: CallbackOptions) -> Iterator[Observation]:
        for name, limiter in list(limiters.items()):
            for kind, count in limiter.stats()._asdict().items():
                yield Observation(count, {"limiter": name, "kind": kind})

    def identities(_: CallbackOptions) -> Iterator[Observation]:
        for name, limiter in list(limiters.items()):
            yield Observation(len(limiter), {"limiter": name})

    def most(_: CallbackOptions) -> Iterator[Observation]:
        for name, limiter in list(limiters.items()):
            yield Observation(limiter.max_identities, {"limiter": name})

    meter.create_observable_counter(DECISIONS, [decisions], "{decision}", DECISIONS_SAYS)
    meter.create_observable_gauge(IDENTITIES, [identities], "{key}", IDENTITIES_SAYS)
    meter.create_observable_gauge(MAX_IDENTITIES, [most], "{key}", MAX_IDENTITIES_SAYS)
