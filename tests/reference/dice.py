"""Rolls numbers that are the same for the same seed on every Python.

Only Random.random is used: of the generator's methods it alone is promised to repeat.
"""

import random


class Dice:
    def __init__(self, seed, index):
        self._random = random.Random(seed * 2**32 + index).random

    def below(self, count):
        return int(self._random() * count)

    def between(self, least, most):
        return least + int(self._random() * (most - least + 1))

    def chance(self, of_a_hundred):
        return self._random() * 100 < of_a_hundred

    def one_of(self, choices):
        return choices[int(self._random() * len(choices))]

    def weighted(self, choices):
        """Picks from (choice, weight) pairs."""
        roll = self._random() * sum(weight for _, weight in choices)
        for choice, weight in choices:
            roll -= weight
            if roll < 0:
                return choice
        return choices[-1][0]

    def spread(self, least, most):
        """Picks a number whose length in bits is as likely as any other, so small ones come often."""
        bits = self.below((most - least + 1).bit_length() + 1)
        return min(most, least + self.below(2**bits))
