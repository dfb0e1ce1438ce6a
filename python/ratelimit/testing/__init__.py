"""What tests of limited code need: a clock that is moved by hand.

>>> from ratelimit import Limiter
>>> from ratelimit.testing import ManualClock
>>> clock = ManualClock()
>>> limiter = Limiter("1/minute", clock=clock)
>>> limiter.allow("ada"), limiter.allow("ada")
(True, False)
>>> clock.advance(60_000)
>>> limiter.allow("ada")
True

pytest finds the fixture `manual_clock` by itself: a clock that stands at 0, new for each test.
"""

from .._ratelimit import ManualClock

__all__ = ["ManualClock"]
