"""Every vector holds from Python, in every way of asking."""

from collections.abc import Callable
from typing import Any

import pytest
from subject import failure, make, plain_policy
from world import WAYS, World, cases, fits

import ratelimit

WORLDS = [(f"{name} ({way})", case, way) for name, case in cases("world") for way in WAYS if fits(way, case)]
CONFIGS, TEXTS = dict(cases("config")), dict(cases("text"))


@pytest.mark.parametrize(("case", "way"), [pytest.param(case, way, id=name) for name, case, way in WORLDS])
def test_a_world_comes_out_as_its_vector_says(case: dict[str, Any], way: str) -> None:
    assert World(case, way).run() == len(case["steps"]), case["why"]


def outcome(make_it: Callable[[], Any]) -> Any:
    try:
        return make_it()
    except (TypeError, ValueError) as raised:
        return {"error": failure(raised)}


@pytest.mark.parametrize("case", CONFIGS.values(), ids=CONFIGS)
def test_a_configuration_is_accepted_or_refused_as_its_vector_says(case: dict[str, Any]) -> None:
    def accepted() -> Any:
        make(case["policies"], case.get("max_identities"))
        return {"accepted": True}

    assert outcome(accepted) == case["expect"], case["why"]


@pytest.mark.parametrize("case", TEXTS.values(), ids=TEXTS)
def test_a_text_is_read_as_its_vector_says(case: dict[str, Any]) -> None:
    def read(text: str) -> Any:
        policies = ratelimit.Limiter(text).policies
        return {"policies": list(map(plain_policy, policies)), "canonical": "; ".join(map(str, policies))}

    assert outcome(lambda: read(case["text"])) == case["expect"], case["why"]
    if "canonical" in case["expect"]:
        assert read(case["expect"]["canonical"]) == case["expect"]
