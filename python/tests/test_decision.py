"""What a limiter answers, as an object of Python."""

import copy
import gc
import pickle
from typing import Any

import pytest

from ratelimit import KINDS, Decision, Limiter, ManualClock, Policy, RateLimited

LIMITER = Limiter("2/minute; 5/hour", max_identities=1)
ALLOWED = LIMITER.check_at("ada", 15_000, 2)
DENIED = LIMITER.check_at("ada", 15_001)
SATURATED = LIMITER.check_at("bob", 15_001)
EXCEEDS_LIMIT = LIMITER.check_at("ada", 15_001, 3)
ALL = [ALLOWED, DENIED, SATURATED, EXCEEDS_LIMIT]


def test_a_decision_is_true_if_and_only_if_it_is_allowed() -> None:
    assert [bool(one) for one in ALL] == [one.allowed for one in ALL] == [True, False, False, False]
    assert [one.kind for one in ALL] == list(KINDS)


def test_the_garbage_collector_need_not_look_at_a_decision() -> None:
    """One holds numbers only, so no cycle goes through it. Tracked, each would take a fourth more memory and some 4 ns,
    and lists of them would have the collector run: a pyo3 that tracks what has no `__traverse__` brings that back."""
    assert [gc.is_tracked(one) for one in ALL] == [False] * 4
    assert not any(map(gc.is_tracked, LIMITER.check_many(["ada", "bob"])))


def test_seconds_are_the_milliseconds_by_a_thousand() -> None:
    assert (DENIED.retry_after_ms, DENIED.retry_after) == (44_999, 44.999)
    assert (DENIED.reset_after_ms, DENIED.reset_after) == (44_999, 44.999)
    assert (EXCEEDS_LIMIT.retry_after_ms, EXCEEDS_LIMIT.retry_after) == (None, None)
    assert (ALLOWED.retry_after_ms, ALLOWED.retry_after) == (0, 0.0)


@pytest.mark.parametrize("decision", ALL)
def test_the_text_of_a_decision_makes_it_again(decision: Decision) -> None:
    assert eval(repr(decision)) == decision


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("decision", ALL)
def test_a_decision_can_be_pickled_and_copied(decision: Decision, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(decision, protocol))
    assert again == decision
    assert hash(again) == hash(decision)
    assert copy.copy(decision) == copy.deepcopy(decision) == decision


def test_decisions_that_differ_are_not_equal() -> None:
    for one in ALL:
        assert [one == other for other in ALL].count(True) == 1
        assert one != repr(one)
    assert len(set(ALL)) == 4


def test_a_policy_can_be_pickled_and_compared() -> None:
    policy = Policy("bucket 10 + 3/7s")
    assert pickle.loads(pickle.dumps(policy)) == policy != Policy("bucket 10 + 3/8s")
    assert hash(policy) == hash(Policy("bucket 10+3 per 7000 ms"))
    assert copy.copy(policy) == copy.deepcopy(policy) == policy


def test_a_policy_that_no_limiter_can_be_made_of_says_so_where_it_is_pickled() -> None:
    for call in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(ValueError, match=r"^window_ms is 0, must be from 1 to 31622400000$"):
            call(Policy.fixed_window(5, window_ms=0))


def test_a_refusal_that_was_raised_can_be_pickled() -> None:
    raised = pickle.loads(pickle.dumps(RateLimited(DENIED, ("ada", b"x"))))
    assert (raised.decision, raised.key, str(raised)) == (DENIED, ("ada", b"x"), str(RateLimited(DENIED, "")))


def test_a_limiter_is_not_pickled_since_its_counts_would_be_two() -> None:
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(LIMITER)


def test_a_decision_can_be_matched() -> None:
    def advise(decision: Decision) -> str:
        match decision:
            case Decision("allowed", remaining):
                return f"{remaining} left"
            case Decision(kind="denied" | "saturated", retry_after=float(seconds)):
                return f"in {seconds} s"
            case Decision(retry_after=None):
                return "never"
        return "?"

    assert [advise(one) for one in ALL] == ["0 left", "in 44.999 s", "in 59.999 s", "never"]


def test_the_decisions_of_a_batch_are_read_as_a_list_of_them_is() -> None:
    limiter = Limiter("2/day", clock=ManualClock())
    decisions = limiter.check_many(["ada", "bob", "ada", "ada"])
    assert len(decisions) == 4
    listed = list(decisions)
    assert [one.remaining for one in listed] == [1, 1, 0, 0]
    assert [decisions[at] for at in range(-4, 4)] == listed + listed
    assert (decisions[1:3], decisions[::-1]) == (listed[1:3], listed[::-1])
    assert decisions == listed
    assert decisions != listed[:3]
    assert decisions != 5
    assert decisions == pickle.loads(pickle.dumps(decisions)) == copy.copy(decisions)
    assert limiter.check_many(["ada"]) == limiter.check_many(["ada"]) != limiter.check_many(["bob"])
    assert repr(limiter.check_many([])) == "Decisions([])"
    for wrong in (4, -5, 2**70):
        with pytest.raises(IndexError):
            decisions[wrong]
    with pytest.raises(TypeError):
        decisions["ada"]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        (
            {"kind": "perhaps"},
            ValueError,
            "kind is 'perhaps', must be one of allowed, denied, saturated, exceeds_limit",
        ),
        ({"kind": 0}, TypeError, "kind is int, must be str"),
        ({"policy": 4}, ValueError, "policy is 4, must be an integer from 0 to 3"),
        ({"remaining": -1}, ValueError, "remaining is -1, must be an integer from 0 to 4294967295"),
        ({"cost": 1.5}, TypeError, "cost is 1.5, must be an integer from 0 to 4294967295"),
        ({"at_ms": None}, TypeError, "at_ms is None, must be an integer from 0 to 18446744073709551615"),
    ],
)
def test_a_decision_that_no_limiter_makes_is_refused(wrong: dict[str, Any], kind: type[Any], message: str) -> None:
    fields = {
        "kind": "denied",
        "policy": 0,
        "limit": 1,
        "remaining": 0,
        "cost": 1,
        "reset_after_ms": 1,
        "retry_after_ms": None,
        "at_ms": 0,
    }
    make: Any = Decision
    assert make(**fields).retry_after is None
    with pytest.raises(kind) as raised:
        make(**{**fields, **wrong})
    assert str(raised.value) == message
