"""What the package gives to tests and to monitoring."""

from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from prometheus_client import CollectorRegistry, generate_latest

import ratelimit
from ratelimit import Limiter, Stats, testing
from ratelimit.metrics.opentelemetry import observe
from ratelimit.metrics.prometheus import LimiterCollector


def test_the_fixture_is_a_clock_at_0_without_being_imported(manual_clock: testing.ManualClock) -> None:
    assert manual_clock.now_ms == 0
    limiter = Limiter("1/second", clock=manual_clock)
    assert limiter.check("ada").at_ms == 0
    manual_clock.set(5_000)
    assert (manual_clock.now_ms, limiter.check("ada").at_ms) == (5_000, 5_000)
    assert repr(manual_clock) == "ManualClock(5000)"


def test_the_fixture_is_new_for_each_test(manual_clock: testing.ManualClock) -> None:
    assert manual_clock.now_ms == 0
    assert testing.ManualClock is ratelimit.ManualClock


def limiters() -> dict[str, Limiter]:
    login = Limiter("1/day", max_identities=1)
    for key, cost in (("ada", 1), ("ada", 1), ("bob", 1), ("ada", 2)):
        login.check(key, cost)
    return {"login": login, "idle": Limiter("1/day", max_identities=7)}


def test_prometheus_is_told_the_counts_when_it_asks() -> None:
    watched = limiters()
    registry = CollectorRegistry()
    registry.register(LimiterCollector(watched))

    def value(name: str, **labels: str) -> float | None:
        return registry.get_sample_value(name, labels)

    for kind in ratelimit.KINDS:
        assert value("ratelimit_decisions_total", limiter="login", kind=kind) == 1
        assert value("ratelimit_decisions_total", limiter="idle", kind=kind) == 0
    assert (value("ratelimit_identities", limiter="login"), value("ratelimit_identities", limiter="idle")) == (1, 0)
    assert value("ratelimit_max_identities", limiter="idle") == 7
    watched["login"].check("ada")
    assert value("ratelimit_decisions_total", limiter="login", kind="denied") == 2
    assert b'ratelimit_decisions_total{kind="denied",limiter="login"} 2.0' in generate_latest(registry)


def test_opentelemetry_is_told_the_counts_when_it_collects() -> None:
    reader = InMemoryMetricReader()
    observe(limiters(), MeterProvider([reader]).get_meter("test"))
    data = reader.get_metrics_data()
    assert data is not None
    seen = {
        (metric.name, point.attributes["limiter"], point.attributes.get("kind")): point.value
        for metric in data.resource_metrics[0].scope_metrics[0].metrics
        for point in metric.data.data_points
    }
    for kind in ratelimit.KINDS:
        assert seen["ratelimit_decisions", "login", kind] == 1
    assert seen["ratelimit_identities", "login", None] == 1
    assert seen["ratelimit_max_identities", "idle", None] == 7
    assert len(seen) == 12


def test_another_thread_may_name_a_limiter_while_they_are_read() -> None:
    watched: dict[str, Limiter] = {}

    class Interrupted(Limiter):
        def stats(self) -> Stats:
            watched[f"another {len(watched)}"] = Limiter("1/day")
            return super().stats()

        def __len__(self) -> int:
            return len(self.stats())

    watched["first"] = Interrupted("5/minute")
    samples = [len(metric.samples) for metric in LimiterCollector(watched).collect()]
    assert samples == [4, 1, 1]
    reader = InMemoryMetricReader()
    observe(watched, MeterProvider([reader]).get_meter("test"))
    data: Any = reader.get_metrics_data()
    points = [len(metric.data.data_points) for metric in data.resource_metrics[0].scope_metrics[0].metrics]
    assert points == [4 * 3, 4, 5]
