"""Arrays of keys in, arrays of fields out, nothing copied; and lists without numpy."""

from typing import Any

import numpy as np
import pytest
from interpreter import said

from ratelimit import KINDS, NEVER, Decision, Limiter, ManualClock, _ratelimit

FIELDS = ("policy", "limit", "remaining", "reset_after_ms", "at_ms")


def twins(text: str = "2/minute; 3/hour", **options: Any) -> tuple[Limiter, Limiter]:
    return Limiter(text, clock=ManualClock(15_000), **options), Limiter(text, clock=ManualClock(15_000), **options)


@pytest.mark.parametrize(("cost", "cap"), [(1, 10), (2, 10), (3, 10), (1, 2)])
def test_an_array_of_keys_is_decided_as_a_list_of_them(cost: int, cap: int) -> None:
    keys = [b"ada", b"bob", b"ada", b"ada", b"cy", b"", b"a\0b", b"longer than all the others"]
    by_array, by_list = twins(max_identities=cap)
    many = by_array.check_many(np.array(keys), cost)
    one_by_one = by_list.check_many(keys, cost)
    assert (len(many), many.cost) == (len(keys), cost)
    for name in FIELDS:
        assert getattr(many, name).tolist() == [getattr(one, name) for one in one_by_one], name
    assert many.allowed.tolist() == [bool(one) for one in one_by_one]
    assert [KINDS[kind] for kind in many.kind] == [one.kind for one in one_by_one]
    never = [NEVER if one.retry_after_ms is None else one.retry_after_ms for one in one_by_one]
    assert many.retry_after_ms.tolist() == never
    assert by_array.stats() == by_list.stats()
    assert [by_array.remaining(key) for key in keys] == [by_list.remaining(key) for key in keys], "one and the same key"


def test_fields_come_in_the_types_that_they_say() -> None:
    many = twins()[0].check_many(np.array([b"a"]))
    types = {name: str(getattr(many, name).dtype) for name in (*FIELDS, "allowed", "kind", "retry_after_ms")}
    small = {"allowed": "bool", "kind": "uint8", "policy": "uint8", "limit": "uint32", "remaining": "uint32"}
    assert types == small | dict.fromkeys(("reset_after_ms", "retry_after_ms", "at_ms"), "uint64")


@pytest.mark.parametrize("order", ["<u8", ">u8"])
def test_a_number_is_the_key_of_its_eight_bytes_least_first(order: str) -> None:
    numbers = [0, 1, 2**64 - 1, 0x61, 1]
    by_array, by_list = twins()
    many = by_array.check_many(np.array(numbers, dtype=order))
    same = by_list.check_many([number.to_bytes(8, "little") for number in numbers])
    assert many.remaining.tolist() == [one.remaining for one in same]
    assert by_array.remaining((1).to_bytes(8, "little")) == 0
    assert by_array.remaining(b"a") == 2


@pytest.mark.parametrize("keys", [np.array([b"ada", b"bobby"]), np.arange(5, dtype=np.uint64)])
def test_keys_are_read_where_they_lie(keys: Any) -> None:
    assert _ratelimit._address_of(keys) == keys.__array_interface__["data"][0]
    assert _ratelimit._address_of(keys[1:]) == keys.__array_interface__["data"][0] + keys.itemsize


def test_a_field_is_one_array_that_is_not_made_again() -> None:
    many = twins()[0].check_many(np.arange(9, dtype=np.uint64))
    for name in (*FIELDS, "allowed", "kind", "retry_after_ms"):
        field = getattr(many, name)
        assert field is getattr(many, name)
        assert not field.flags.owndata, "the memory is the one that was written"


def test_arrays_with_gaps_are_decided_too() -> None:
    keys = np.array([b"a", b"x", b"b", b"x", b"a", b"x"])
    many = twins()[0].check_many(keys[::2])
    assert many.remaining.tolist() == [1, 1, 0]
    assert twins()[0].check_many(keys[::-2]).remaining.tolist() == [1, 0, 0]


def test_an_array_without_keys_gives_no_decisions() -> None:
    for kind in ("S5", "u8"):
        many = twins()[0].check_many(np.array([], dtype=kind))
        assert (len(many), many.allowed.tolist()) == (0, [])
        assert _ratelimit._address_of(np.array([], dtype=kind)) is None


@pytest.mark.parametrize("keys", [np.array(["text"]), np.array([1, 2]), np.array([1.5]), np.array([b"a", None])])
def test_arrays_of_other_types_are_refused_in_words(keys: Any) -> None:
    with pytest.raises(TypeError, match=r"^keys is an array of dtype \S+, must be of one dimension and of dtype S or"):
        twins()[0].check_many(keys)


def test_arrays_of_other_shapes_are_refused_in_words() -> None:
    wrong: list[Any] = [np.array([[b"a"]]), np.array(b"a")]
    for keys in wrong:
        with pytest.raises(ValueError, match=r"^keys is an array of shape \(.*\), must be of one dimension"):
            twins()[0].check_many(keys)


def test_a_wrong_cost_touches_nothing() -> None:
    limiter, _ = twins()
    with pytest.raises(ValueError, match="cost is 0"):
        limiter.check_many(np.array([b"a"]), 0)
    assert len(limiter) == 0


def test_numpys_numbers_are_numbers() -> None:
    limiter, _ = twins()
    assert isinstance(limiter.check("ada", np.int32(2)), Decision)  # type: ignore[arg-type]
    wrong: list[Any] = [np.float64(1)]
    if np.lib.NumpyVersion(np.__version__) >= "2.3.0":  # Before, a truth value was an index, and numpy warned.
        wrong.append(np.bool_(True))
    for cost in wrong:
        with pytest.raises(TypeError, match="must be an integer"):
            limiter.check("ada", cost)


def test_numpy_is_not_needed() -> None:
    program = """
        import sys
        sys.modules["numpy"] = None
        import ratelimit
        limiter = ratelimit.Limiter("1/day")
        print([bool(one) for one in limiter.check_many(iter(["a", "a"]))])
    """
    assert said(program) == "[True, False]\n"


def test_a_cost_that_moves_the_keys_while_it_is_read_does_no_harm() -> None:
    program = """
        import numpy as np
        import ratelimit
        keys = np.array([b"key %06d" % number for number in range(200_000)])

        class Shrinks:
            def __index__(self):
                keys.resize((1,), refcheck=False)
                return 1

        limiter = ratelimit.Limiter("1/day", max_identities=1_000_000)
        print(len(limiter.check_many(keys, Shrinks())), limiter.remaining(b"key 000000"), len(limiter))
    """
    assert said(program) == "1 0 1\n"


def test_an_array_of_a_class_of_the_callers_is_what_numpy_knows_of_it() -> None:
    class Odd(np.ndarray[Any, Any]):
        itemsize = 3  # type: ignore[assignment]
        ndim = 1  # type: ignore[assignment]

    limiter, _ = twins()
    assert limiter.check_many(np.array([b"abcd", b"efgh"]).view(Odd)).remaining.tolist() == [1, 1]
    assert [limiter.remaining(key) for key in (b"abcd", b"efgh", b"abc")] == [1, 1, 2]
    with pytest.raises(ValueError, match=r"^keys is an array of shape \(1, 1\)"):
        limiter.check_many(np.array([[b"a"]]).view(Odd))


def test_while_numpy_is_being_imported_there_is_no_array() -> None:
    program = """
        import sys, types
        import ratelimit
        sys.modules["numpy"] = types.ModuleType("numpy")
        print([bool(one) for one in ratelimit.Limiter("1/day").check_many(("a", "a"))])
    """
    assert said(program) == "[True, False]\n"
