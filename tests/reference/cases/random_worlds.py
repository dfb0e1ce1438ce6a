from case import bucket, fixed, sliding
from random_world import LENGTHS, LIMITS, random_world, small_policy

NAME = "random-worlds"
PROBES = "A few random worlds of each algorithm and of stacks, for runners that cannot start the stream of them."


def one_fixed_window(dice):
    return [fixed(dice.one_of(LIMITS), dice.one_of(LENGTHS))]


def one_token_bucket(dice):
    return [bucket(dice.one_of(LIMITS), dice.between(1, 9), dice.one_of(LENGTHS))]


def one_sliding_window(dice):
    return [sliding(dice.one_of(LIMITS), dice.one_of(LENGTHS))]


def a_stack(dice):
    return [small_policy(dice) for _ in range(dice.between(2, 4))]


def cases():
    for seed, make in enumerate((one_fixed_window, one_token_bucket, one_sliding_window, a_stack), 1):
        for index in range(5):
            yield random_world(seed, index, make, most_steps=120)
