"""The limiter's verbs, and what they make of wrong arguments."""

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from interpreter import said

import ratelimit
from ratelimit import Limiter, ManualClock, Policy


def test_every_way_of_making_a_limiter_makes_the_same_one() -> None:
    texts = {
        "fixed 100/minute": ratelimit.fixed_window(limit=100, per_seconds=60),
        "sliding 3/hour": ratelimit.sliding_window(limit=3, window_ms=3_600_000),
        "bucket 10 + 1/second": ratelimit.token_bucket(capacity=10, refill_per_second=1),
        "bucket 10 + 3/7s": ratelimit.token_bucket(capacity=10, refill=3, refill_period_ms=7_000),
    }
    for text, limiter in texts.items():
        [policy] = limiter.policies
        assert (str(policy), repr(policy)) == (text, f"Policy('{text}')")
        assert Limiter(text).policies == Limiter(Policy(text)).policies == Limiter([policy]).policies == (policy,)
        assert repr(limiter) == f"Limiter('{text}', max_identities=100000)"
        assert limiter.max_identities == ratelimit.DEFAULT_MAX_IDENTITIES


def test_a_limiter_is_always_true_and_its_length_is_its_rows() -> None:
    limiter = Limiter("5/minute")
    assert limiter
    assert len(limiter) == 0
    limiter.check("ada")
    assert limiter
    assert len(limiter) == 1


def test_verbs_without_a_time_read_the_clock() -> None:
    clock = ManualClock(500)
    limiter = Limiter("2/second", clock=clock)
    first = limiter.check("ada")
    assert (first.at_ms, first.reset_after_ms, first.remaining) == (500, 500, 1)
    assert limiter.peek("ada") == limiter.peek_at("ada", 500)
    assert [one.remaining for one in limiter.check_many(["ada", "bob"])] == [0, 1]
    assert not limiter.allow("ada")
    assert (limiter.remaining("ada"), limiter.remaining_at("ada", 500)) == (0, 0)
    assert limiter.refund("ada", first) == 1
    clock.advance(500)
    assert limiter.remaining("ada") == 2
    assert limiter.sweep() == 2
    assert limiter.reset("ada") is False
    limiter.check("cy")
    limiter.clear()
    assert (len(limiter), limiter.stats().allowed) == (0, 4)


def test_the_system_clock_is_unix_time() -> None:
    import time

    before = time.time() * 1000
    assert abs(Limiter("1/day").check("ada").at_ms - before) < 60_000


@pytest.mark.parametrize(
    "form", ["text é", "text é".encode(), bytearray("text é".encode()), memoryview("text é".encode())]
)
def test_text_and_all_that_holds_its_bytes_are_one_key(form: ratelimit.Key) -> None:
    limiter = Limiter("9/day")
    limiter.check("text é")
    assert limiter.check(form).remaining == 7
    assert len(limiter) == 1


def test_a_memoryview_is_the_bytes_that_it_shows() -> None:
    limiter = Limiter("9/day")
    limiter.check(memoryview(b"a-b-c-")[::2])
    assert limiter.check(b"abc").remaining == 7


def test_parts_do_not_run_into_each_other() -> None:
    limiter = Limiter("1/day")
    keys: list[ratelimit.Key] = [("a", "bc"), ("ab", "c"), ("a", b"b", memoryview(b"c")), "abc", (), "", ("",)]
    assert all(map(bool, limiter.check_many(keys)))
    assert not limiter.check((b"a", bytearray(b"bc")))


@pytest.mark.parametrize("text", ["\ud800", "\ud83d\ude00"])
def test_each_surrogate_counts_as_the_replacement_character(text: str) -> None:
    limiter = Limiter("1/day")
    limiter.check("é" + "\ufffd" * len(text) + "퟿z")
    assert not limiter.check("é" + text + "퟿z")
    limiter.check(("\ufffd" * len(text),))
    assert not limiter.check((text,))


def test_a_key_for_which_there_is_no_memory_is_an_error_and_not_the_end() -> None:
    program = """
        import pathlib, resource
        import ratelimit
        limiter = ratelimit.Limiter("1/day")
        mebibyte = b"a" * 2**20
        keys = (bytearray(250 * 2**20), (mebibyte,) * 1_000, (mebibyte,) * 2**20)
        taken = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + 100 * 2**20,) * 2)
        for key in keys:
            try:
                limiter.check(key)
            except MemoryError as error:
                print(error)
        print(limiter.allow((mebibyte, mebibyte)), len(limiter))
    """
    assert said(program).splitlines() == ["no memory for a key of this length"] * 3 + ["True 1"]


class Encoded(str):
    """Text of a class that has an `encode` of its own."""

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return b"\xed\xa0"


@pytest.mark.parametrize("text", ["ada", "\ud800"])
def test_text_of_any_class_is_its_own_utf_8(text: str) -> None:
    limiter = Limiter("1/day")
    assert limiter.allow(Encoded(text))
    assert not limiter.allow(text)
    assert not limiter.check_many([b"", Encoded(text)])[1]


WRONG_KEYS = [5, None, 1.5, ["a"], {"a": 1}, object(), ("a", 5), (("a",),)]


@pytest.mark.parametrize("key", WRONG_KEYS)
def test_a_key_of_any_other_type_is_told_by_name(key: Any) -> None:
    limiter = Limiter("1/day")
    calls = [
        limiter.check,
        limiter.allow,
        limiter.peek,
        limiter.remaining,
        limiter.reset,
        lambda one: limiter.check_many([one]),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"^(a part of )?key is \w+, must be str, bytes, bytearray"):
            call(key)
    assert len(limiter) == 0


@pytest.mark.parametrize(
    ("cost", "kind", "message", "code"),
    [
        (0, ValueError, "cost is 0, must be from 1 to 4294967295", 1),
        (-1, ValueError, "cost is -1, must be from 1 to 4294967295", 1),
        (2**32, ValueError, "cost is 4294967296, must be from 1 to 4294967295", 1),
        (10**30, ValueError, f"cost is 1{'0' * 30}, must be from 1 to 4294967295", 1),
        (True, TypeError, "cost is True, must be an integer from 1 to 4294967295", 7),
        (1.0, TypeError, "cost is 1.0, must be an integer from 1 to 4294967295", 7),
        (float("nan"), TypeError, "cost is nan, must be an integer from 1 to 4294967295", 7),
        (None, TypeError, "cost is None, must be an integer from 1 to 4294967295", 7),
        ("1", TypeError, "cost is '1', must be an integer from 1 to 4294967295", 7),
    ],
)
def test_a_wrong_cost_is_an_error_that_touches_nothing(cost: Any, kind: type[Any], message: str, code: int) -> None:
    limiter = Limiter("1/day")
    for call in (limiter.check, limiter.allow, limiter.peek):
        with pytest.raises(kind) as raised:
            call("ada", cost)
        assert str(raised.value) == message
        told: Any = raised.value
        assert (told.code, told.field, told.offset) == (code, "cost", None)
    with pytest.raises(kind):
        limiter.check_many(["ada"], cost)
    assert (len(limiter), sum(limiter.stats())) == (0, 0)


def test_an_integer_too_long_to_be_written_is_out_of_range_all_the_same() -> None:
    with pytest.raises(ValueError, match=r"^cost is int, must be from 1 to 4294967295$"):
        Limiter("1/day").check("ada", 10**10_000)
    with pytest.raises(ValueError, match=r"^window_ms is int, must be from 1 to 31622400000$"):
        Policy.fixed_window(1, per_seconds=10**10_000)


@pytest.mark.parametrize("unit", ["per_seconds", "window_ms"])
def test_a_number_that_changes_is_read_once(unit: str) -> None:
    class Changes:
        answers = iter([-1, 5])

        def __index__(self) -> int:
            return next(self.answers)

        def __repr__(self) -> str:
            return "Changes()"

    options: Any = {unit: Changes()}
    with pytest.raises(ValueError, match=r"^window_ms is Changes\(\), must be from 1 to 31622400000$"):
        Policy.fixed_window(1, **options)


def test_what_a_number_raises_itself_is_raised() -> None:
    class Unknown:
        def __index__(self) -> int:
            raise LookupError("nobody knows")

    unknown: Any = Unknown()
    calls: list[Callable[[], Any]] = [
        lambda: Limiter("1/day").check("ada", unknown),
        lambda: Limiter("1/day").check_at("ada", unknown),
        lambda: Policy.fixed_window(unknown, per_seconds=1),
        lambda: Policy.fixed_window(1, per_seconds=unknown),
        lambda: Policy.fixed_window(1, window_ms=unknown),
        lambda: Limiter("1/day", max_identities=unknown),
    ]
    for call in calls:
        with pytest.raises(LookupError, match="nobody knows"):
            call()


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: Limiter("5 per fortnight"), ValueError, "policies: expected a number or a unit: ms"),
        (lambda: Limiter("\ud800"), ValueError, "policies: expected"),
        (lambda: Limiter([]), ValueError, "policies are 0, must be from 1 to 4"),
        (lambda: Limiter(5), TypeError, "policies is int, must be str, a Policy or a list of Policies"),
        (lambda: Limiter(b"1/s"), TypeError, "policies is bytes, must be str, a Policy or a list of Policies"),
        (lambda: Limiter(["1/s"]), TypeError, "a policy is str, must be a Policy"),
        (lambda: Limiter("1/s", max_identities=0), ValueError, "max_identities is 0, must be from 1 to 4294967295"),
        (lambda: Limiter("1/s", max_identities=True), TypeError, "max_identities is True, must be an integer"),
        (lambda: Limiter("1/s", clock=5), TypeError, "clock is int, must be a ManualClock"),
        (lambda: ratelimit.fixed_window(5), TypeError, "give per_seconds or window_ms, not both"),
        (
            lambda: ratelimit.fixed_window(5, per_seconds=1, window_ms=1),
            TypeError,
            "give per_seconds or window_ms, not both",
        ),
        (lambda: ratelimit.fixed_window(5, per_seconds=0.5), TypeError, "per_seconds is 0.5, must be an integer"),
        (lambda: ratelimit.fixed_window(5, per_seconds=0), ValueError, "window_ms is 0, must be from 1 to"),
        (lambda: ratelimit.fixed_window(5, per_seconds=-1), ValueError, "window_ms is -1000, must be from 1 to"),
        (lambda: ratelimit.fixed_window(5, window_ms=0.5), ValueError, "window_ms is 500000 ns, must be whole"),
        (lambda: ratelimit.fixed_window(5, window_ms=60.0), TypeError, "window_ms is 60.0, must be an integer"),
        (lambda: ratelimit.fixed_window(5, window_ms=float("inf")), TypeError, "window_ms is inf, must be an integer"),
        (lambda: ratelimit.fixed_window(5, window_ms=-0.5), TypeError, "window_ms is -0.5, must be an integer"),
        (lambda: ratelimit.fixed_window(5.0, window_ms=1), TypeError, "limit is 5.0, must be an integer from 0"),
        (lambda: ratelimit.token_bucket(5), TypeError, "give refill_per_second, or refill and refill_period_ms"),
        (lambda: ratelimit.token_bucket(5, refill_per_second=0), ValueError, "refill is 0, must be from 1"),
        (lambda: ratelimit.sliding_window(10**6, per_seconds=1000), ValueError, "limit is 1000000 in a sliding window"),
        (lambda: Policy("5/s; 6/s"), ValueError, "policies are 2, must be 1"),
        (lambda: Policy(5), TypeError, "policy is int, must be str"),
    ],
)
def test_a_wrong_configuration_is_told_in_words(make: Any, kind: type[Any], message: str) -> None:
    with pytest.raises(kind) as raised:
        make()
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("move", "kind", "field", "message"),
    [
        (lambda _: ManualClock(-1), ValueError, "now_ms", "now_ms is -1, must be from 0 to 4503599627370495"),
        (lambda clock: clock.set(-1), ValueError, "now_ms", "now_ms is -1, must be from 0 to 4503599627370495"),
        (lambda clock: clock.set("1"), TypeError, "now_ms", "now_ms is '1', must be an integer from 0 to"),
        (lambda clock: clock.advance(-1), ValueError, "ms", "ms is -1, must be from 0 to 4503599627370495"),
        (lambda clock: clock.advance(2**52), ValueError, "ms", "ms is 4503599627370496, must be from 0 to"),
        (lambda clock: clock.advance(2**70), ValueError, "ms", "ms is 1180591620717411303424, must be from 0 to"),
        (lambda clock: clock.advance(0.5), TypeError, "ms", "ms is 0.5, must be an integer from 0 to 4503599627370495"),
        (lambda clock: clock.advance(True), TypeError, "ms", "ms is True, must be an integer from 0 to"),
        (lambda clock: clock.advance(2**52 - 1), ValueError, "now_ms", "now_ms is 4503599627370502, must be from 0"),
    ],
)
def test_a_manual_clock_that_is_told_wrong_stands_where_it_stood(
    move: Any, kind: type[Any], field: str, message: str
) -> None:
    clock = ManualClock(7)
    with pytest.raises(kind) as raised:
        move(clock)
    assert str(raised.value).startswith(message)
    told: Any = raised.value
    assert (told.field, clock.now_ms) == (field, 7)


def test_the_offset_of_wrong_text_is_told() -> None:
    with pytest.raises(ValueError, match=r"\(at offset 13\)$") as raised:
        Limiter("5/minute; 10/0s")
    told: Any = raised.value
    assert (told.code, told.name, told.field, told.offset) == (1, "out_of_range", "window_ms", 13)


def test_what_is_no_list_of_keys_is_refused() -> None:
    limiter = Limiter("1/day")
    wrong: list[Any] = ["abc", b"abc", bytearray(b"abc"), memoryview(b"abc"), 5, None]
    for keys in wrong:
        with pytest.raises(TypeError, match=r"^keys is \w+, must be a list of keys$"):
            limiter.check_many(keys)
    with pytest.raises(TypeError, match=r"^decision is int, must be a Decision$"):
        limiter.refund("ada", 5)


def test_keys_may_come_from_anything_that_gives_them_one_by_one() -> None:
    limiter = Limiter("1/day")
    assert [bool(one) for one in limiter.check_many(key for key in "aab")] == [True, False, True]

    def broken() -> Any:
        yield "c"
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        limiter.check_many(broken())
    assert len(limiter) == 2


def test_what_a_list_raises_itself_is_raised() -> None:
    class Lost:
        def __iter__(self) -> Any:
            raise LookupError("no more")

    for call in (Limiter, Limiter("1/day").check_many):
        with pytest.raises(LookupError, match="no more"):
            call(Lost())


def test_threads_on_one_key_are_granted_exactly_the_limit() -> None:
    limiter = Limiter("1000/day", clock=ManualClock())
    granted: list[int] = []
    start = threading.Barrier(8)

    def run() -> None:
        start.wait()
        granted.append(sum(limiter.allow("ada") for _ in range(500)))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sum(granted), len(granted)) == (1000, 8)
    assert limiter.stats() == (1000, 3000, 0, 0)


def test_no_thread_of_ours_exists() -> None:
    from pathlib import Path

    tasks = Path("/proc/self/task")
    before = len(list(tasks.iterdir())) if tasks.exists() else 0
    limiter = Limiter("1/second", max_identities=1_000)
    for key in range(2_000):
        limiter.check(str(key))
    limiter.sweep()
    assert (len(list(tasks.iterdir())) if tasks.exists() else 0) == before


def test_a_limiter_that_nobody_holds_is_collected() -> None:
    limiter = Limiter("1/day")
    gone = weakref.ref(limiter)
    del limiter
    gc.collect()
    assert gone() is None


def test_no_attribute_can_be_set() -> None:
    things: list[Any] = [Limiter("1/day"), Policy("1/day"), ManualClock(), Limiter("1/day").check("a")]
    for thing in things:
        with pytest.raises(AttributeError):
            thing.kind = "allowed"
        with pytest.raises(AttributeError):
            thing.anything = 1
