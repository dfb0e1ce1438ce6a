"""The plugin for pytest, which finds it by the package's entry point."""

import pytest

from .._ratelimit import ManualClock


@pytest.fixture
def manual_clock() -> ManualClock:
    """A clock for limiters that stands at 0 until the test moves it."""
    return ManualClock()
