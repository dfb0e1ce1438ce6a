"""What the older package `ratelimit` documents, as scenarios on one injected clock.

Each is called with the package and a fresh clock and returns all that a caller sees: returns, exceptions, remaining
periods. Run as a program it plays them with the package that this Python has, and writes what came out as JSON.
"""

import json
import random
import threading
import time


class Clock:
    """Seconds that are moved by hand."""

    def __init__(self, now=0.0):
        self.now = now

    def __call__(self):
        return self.now


def attempt(package, function, *args, **options):
    """Calls, and gives what came out in a form that can be compared."""
    try:
        return ["returned", function(*args, **options)]
    except package.RateLimitException as refused:
        return ["refused", str(refused), refused.period_remaining, list(refused.args)]
    except Exception as other:
        return ["raised", type(other).__name__, str(other)]


def too_many_calls_within_the_period_raise_with_what_remains_of_it(package, clock):
    call = package.limits(calls=2, period=10, clock=clock)(lambda word: word)
    seen = []
    for now in (0.0, 1.0, 2.5, 9.75):
        clock.now = now
        seen.append(attempt(package, call, "word"))
    return seen


def without_numbers_it_is_15_calls_in_15_minutes(package, clock):
    call = package.limits(clock=clock)(lambda: "called")
    seen = [attempt(package, call) for _ in range(17)]
    clock.now = 899.5
    seen.append(attempt(package, call))
    clock.now = 900.0
    return [*seen, *(attempt(package, call) for _ in range(16))]


def the_window_starts_when_the_decorator_is_made(package, clock):
    clock.now = 103.25
    decorator = package.limits(calls=1, period=10, clock=clock)
    clock.now = 109.0
    call = decorator(lambda: "called")
    seen = [attempt(package, call), attempt(package, call)]
    for now in (113.0, 113.25, 113.5, 123.0, 123.25):
        clock.now = now
        seen.append(attempt(package, call))
    return seen


def a_new_window_starts_with_the_first_call_after_the_old_one(package, clock):
    call = package.limits(calls=1, period=10, clock=clock)(lambda: "called")
    seen = [attempt(package, call)]
    for now in (17.0, 20.0, 26.5, 27.0, 28.0):
        clock.now = now
        seen.append(attempt(package, call))
    return seen


def a_refused_call_is_not_made_and_does_not_delay_the_next_window(package, clock):
    made = []
    call = package.limits(calls=1, period=10, clock=clock)(made.append)
    seen = [attempt(package, call, number) for number in range(50)]
    clock.now = 10.0
    return [seen, attempt(package, call, 99), made]


def without_raise_on_limit_a_call_too_many_does_nothing_and_returns_none(package, clock):
    made = []

    def call(number):
        made.append(number)
        return number

    limited = package.limits(calls=2, period=10, clock=clock, raise_on_limit=False)(call)
    return [[attempt(package, limited, number) for number in range(4)], made]


def fewer_than_one_call_is_one_and_a_fraction_is_dropped(package, clock):
    seen = []
    for calls in (0, -5, 1, 2.9, 0.5):
        call = package.limits(calls=calls, period=10, clock=clock)(lambda: "called")
        seen.append([attempt(package, call) for _ in range(4)])
    return seen


def numbers_may_be_given_by_position(package, clock):
    call = package.limits(1, 30, clock, False)(lambda: "called")
    return [attempt(package, call), attempt(package, call)]


def a_period_may_have_a_fraction(package, clock):
    call = package.limits(calls=2, period=0.1, clock=clock)(lambda: "called")
    seen = []
    for _ in range(30):
        seen.append(attempt(package, call))
        clock.now += 0.03
    return seen


def arguments_returns_and_exceptions_pass_through(package, clock):
    def call(first, second=2, *rest, **named):
        """Says hello."""
        if first == "fail":
            raise LookupError("no such thing")
        return [first, second, list(rest), named]

    limited = package.limits(calls=9, period=10, clock=clock)(call)
    tries = [attempt(package, limited, 1), attempt(package, limited, 1, 3, 4, x=5), attempt(package, limited, "fail")]
    return [tries, limited.__name__, limited.__doc__]


def a_call_that_fails_has_counted(package, clock):
    def call():
        raise LookupError("no such thing")

    limited = package.limits(calls=1, period=10, clock=clock)(call)
    return [attempt(package, limited), attempt(package, limited)]


def functions_under_one_decorator_count_together(package, clock):
    decorator = package.limits(calls=3, period=10, clock=clock)
    one, two = decorator(lambda: "one"), decorator(lambda: "two")
    return [attempt(package, function) for function in (one, two, one, two, one)]


def a_method_counts_for_all_objects_together(package, clock):
    class Service:
        def __init__(self, name):
            self.name = name

        @package.limits(calls=2, period=10, clock=clock)
        def call(self):
            return self.name

    services = [Service("a"), Service("b"), Service("c")]
    return [attempt(package, service.call) for service in services]


def a_clock_that_goes_back_leaves_a_longer_wait(package, clock):
    clock.now = 100.0
    call = package.limits(calls=1, period=10, clock=clock)(lambda: "called")
    seen = [attempt(package, call)]
    for now in (95.0, 109.0, 110.0, 50.0):
        clock.now = now
        seen.append(attempt(package, call))
    return seen


def sleep_and_retry_sleeps_as_long_as_it_is_told_and_calls_again(package, clock):
    slept = []

    def sleep(seconds):
        slept.append(seconds)
        clock.now += seconds

    call = package.sleep_and_retry(package.limits(calls=2, period=10, clock=clock)(lambda number: [number, clock.now]))
    real, time.sleep = time.sleep, sleep
    try:
        return [[attempt(package, call, number) for number in range(7)], slept]
    finally:
        time.sleep = real


def sleep_and_retry_passes_other_exceptions_on(package, clock):
    def call():
        """Fails."""
        raise LookupError("no such thing")

    limited = package.sleep_and_retry(package.limits(calls=2, period=10, clock=clock)(call))
    return [attempt(package, limited), limited.__name__, limited.__doc__]


def rate_limited_is_the_old_name_of_limits(package, clock):
    call = package.rate_limited(calls=1, period=10, clock=clock)(lambda: "called")
    return [package.rate_limited is package.limits, attempt(package, call), attempt(package, call)]


def the_exception_can_be_made_and_is_an_ordinary_one(package, clock):
    made = package.RateLimitException("too many", 2.5)
    return [str(made), made.period_remaining, list(made.args), [kind.__name__ for kind in type(made).__mro__]]


def names_can_be_imported_from_where_they_were(package, clock):
    from ratelimit.decorators import RateLimitDecorator, sleep_and_retry
    from ratelimit.exception import RateLimitException

    return [
        RateLimitDecorator is package.limits,
        sleep_and_retry is package.sleep_and_retry,
        RateLimitException is package.RateLimitException,
    ]


def threads_are_granted_exactly_the_calls(package, clock):
    made = []
    call = package.limits(calls=100, period=10, clock=clock, raise_on_limit=False)(made.append)
    start = threading.Barrier(4)

    def run():
        start.wait()
        for number in range(100):
            call(number)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(made)


def any_walk_of_the_clock_gives_the_same(package, clock):
    dice = random.Random(20_240_229)
    seen = []
    for _ in range(20):
        calls, period = dice.choice([1, 2, 3, 7]), dice.choice([0.25, 1, 3.5, 60, 1e-3])
        call = package.limits(calls, period, clock)(lambda: "called")
        for _ in range(40):
            clock.now += dice.choice([0, 0, period / 7, period / 2, period, period * 1.1, -period / 3])
            seen.append(attempt(package, call))
    return seen


def the_default_clock_needs_nothing(package, clock):
    call = package.limits(calls=1, period=1_000_000)(lambda: "called")
    outcome = [attempt(package, call), attempt(package, call)]
    remaining = outcome[1].pop(2)
    return [outcome, 0 < remaining <= 1_000_000]


ALL = [thing for thing in list(globals().values()) if getattr(thing, "__module__", "") == __name__ and callable(thing)]
SCENARIOS = {thing.__name__: thing for thing in ALL if thing not in (Clock, attempt)}


def play(package):
    return {name: scenario(package, Clock()) for name, scenario in SCENARIOS.items()}


if __name__ == "__main__":
    import ratelimit

    print(json.dumps(play(ratelimit)))
