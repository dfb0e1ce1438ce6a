"""The forms that raise: `with`, `async with`, and the decorators."""

import asyncio
import functools
import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

import ratelimit
from ratelimit import Limiter, ManualClock, RateLimited


def limiter(text: str = "2/minute") -> Limiter:
    return Limiter(text, clock=ManualClock(15_000))


def test_a_guard_takes_on_the_way_in_and_raises_with_the_decision() -> None:
    two = limiter()
    with two.guard("ada") as decision:
        assert (decision.kind, decision.remaining) == ("allowed", 1)
    guard = two.guard(("ada", b"x"), cost=2)
    with guard:
        pass
    with pytest.raises(RateLimited) as refused, guard:
        raise AssertionError("not reached")
    assert refused.value.decision == two.peek_at(("ada", b"x"), 15_000, 2)
    assert (refused.value.key, refused.value.retry_after) == (("ada", b"x"), 45.0)
    assert str(refused.value) == "denied: the limit is 2, try again in 45 s"


def test_what_was_taken_stays_taken_however_the_block_ends() -> None:
    two = limiter()
    with pytest.raises(LookupError), two.guard("ada"):
        raise LookupError
    assert two.remaining("ada") == 1


def test_a_cost_above_the_limit_says_that_waiting_does_not_help() -> None:
    with pytest.raises(RateLimited, match=r"^exceeds_limit: the limit is 2, waiting does not help$") as refused:
        limiter().guard("ada", 3).__enter__()
    assert refused.value.retry_after is None


def test_the_wait_is_written_to_the_millisecond() -> None:
    for now_ms, wait in ((1, "2591999.999"), (1_990, "2591998.01"), (2_000, "2591998"), (2_591_999_999, "0.001")):
        clock = ManualClock()
        month = Limiter("1/30d", clock=clock)
        month.check("ada")
        clock.set(now_ms)
        with pytest.raises(RateLimited, match=rf"^denied: the limit is 1, try again in {wait} s$"):
            month.guard("ada").__enter__()


def test_a_guard_works_in_coroutines() -> None:
    two = limiter()

    async def run() -> int:
        async with two.guard("ada", 2) as decision:
            assert decision
        with pytest.raises(RateLimited):
            async with two.guard("ada"):
                raise AssertionError("not reached")
        return two.remaining("ada")

    assert asyncio.run(run()) == 0


def test_calls_of_a_decorated_function_count_together() -> None:
    two = limiter()

    @two.limit()
    def call(word: str) -> str:
        """Calls."""
        return word

    assert [call("a"), call("b")] == ["a", "b"]
    with pytest.raises(RateLimited) as refused:
        call("c")
    assert refused.value.key == f"{__name__}.test_calls_of_a_decorated_function_count_together.<locals>.call"
    assert (call.__name__, call.__doc__) == ("call", "Calls.")
    assert str(inspect.signature(call)) == "(word: str) -> str"


def test_key_and_cost_are_values_or_functions_of_the_arguments() -> None:
    ten = limiter("10/minute")

    @ten.limit(key=lambda user, *_, **__: ("user", user), cost=lambda user, size=1: size)
    def upload(user: str, size: int = 1) -> int:
        return size

    @ten.limit(key="fixed", cost=4)
    def other() -> None: ...

    upload("ada", size=7)
    upload("bob")
    other()
    keys: list[ratelimit.Key] = [("user", "ada"), ("user", "bob"), "fixed"]
    assert [ten.remaining(key) for key in keys] == [3, 9, 6]
    with pytest.raises(RateLimited):
        upload("ada", 4)


def test_a_method_is_given_its_object() -> None:
    one = limiter("1/minute")

    class Client:
        def __init__(self, name: str) -> None:
            self.name = name

        @one.limit(key=lambda self: self.name)
        def call(self) -> str:
            return self.name

    assert Client("a").call() + Client("b").call() == "ab"
    with pytest.raises(RateLimited):
        Client("a").call()


def test_what_is_called_but_has_no_name_is_limited_by_a_key_and_told_that_it_needs_one() -> None:
    one = limiter("1/minute")
    nameless = functools.partial(int, "7")
    limited = one.limit(key="x")(nameless)
    assert limited() == 7
    with pytest.raises(RateLimited):
        limited()
    with pytest.raises(TypeError, match=r"^key is left out, must be given: partial has no name to count by$"):
        one.limit()(nameless)
    wrong: Any = classmethod(int)
    with pytest.raises(TypeError, match=r"^function is classmethod, must be callable$"):
        one.limit()(wrong)


def test_a_decorated_coroutine_is_one_and_is_limited_when_it_runs() -> None:
    one = limiter("1/minute")

    @one.limit(key="x")
    async def call(word: str) -> str:
        return word

    assert inspect.iscoroutinefunction(call)

    async def run() -> str:
        waiting = call("never")
        assert one.remaining("x") == 1
        first = await call("word")
        with pytest.raises(RateLimited):
            await waiting
        return first

    assert asyncio.run(run()) == "word"


def test_generators_are_limited_when_they_are_called() -> None:
    one = limiter("1/minute")

    @one.limit(key="plain")
    def numbers() -> Iterator[int]:
        yield 1

    @one.limit(key="async")
    async def later() -> AsyncIterator[int]:
        yield 1

    async def collect() -> list[int]:
        return [number async for number in later()]

    assert [*numbers(), *asyncio.run(collect())] == [1, 1]
    with pytest.raises(RateLimited):
        numbers()
    with pytest.raises(RateLimited):
        later()


def test_each_function_under_the_short_form_has_a_limiter_of_its_own() -> None:
    @ratelimit.limit("1/minute", key="x", clock=ManualClock())
    def one() -> str:
        return "one"

    @ratelimit.limit("1/minute", key="x", clock=ManualClock())
    def two() -> str:
        return "two"

    assert one() + two() == "onetwo"
    with pytest.raises(RateLimited):
        one()


def test_a_wrong_policy_is_told_when_the_decorator_is_made() -> None:
    with pytest.raises(ValueError, match="policies: expected"):
        ratelimit.limit("1/fortnight")
