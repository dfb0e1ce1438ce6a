"""Holds the model to numbers that were worked out by hand, at the rules that are easiest to get wrong."""

import unittest

import policy_text
from identity import identity, joined
from model import Limiter
from refusal import Refused


def fixed(limit, window_ms):
    return {"algorithm": "fixed_window", "limit": limit, "window_ms": window_ms}


def sliding(limit, window_ms):
    return {"algorithm": "sliding_window", "limit": limit, "window_ms": window_ms}


def bucket(capacity, refill, refill_period_ms=1000):
    return {"algorithm": "token_bucket", "capacity": capacity, "refill": refill, "refill_period_ms": refill_period_ms}


A, B, C = {"text": "a"}, {"text": "b"}, {"text": "c"}


class Decisions(unittest.TestCase):
    def expect(self, made, kind, policy, remaining, reset, retry, at_ms):
        got = (made["kind"], made["policy"], made["remaining"])
        got += (made["reset_after_ms"], made["retry_after_ms"], made["at_ms"])
        self.assertEqual(got, (kind, policy, remaining, reset, retry, at_ms))


class RowAhead(Decisions):
    def test_a_fixed_window_counts_an_older_call_into_the_window_of_its_row(self):
        limiter = Limiter([fixed(2, 1000)])
        self.expect(limiter.check(A, 1500), "allowed", 0, 1, 500, 0, 1500)
        self.expect(limiter.check(A, 900), "allowed", 0, 0, 1100, 0, 1500)
        self.expect(limiter.check(A, 900), "denied", 0, 0, 1100, 1100, 1500)
        self.expect(limiter.check(A, 1999), "denied", 0, 0, 1, 1, 1999)
        self.expect(limiter.check(A, 2000), "allowed", 0, 1, 1000, 0, 2000)

    def test_a_bucket_gains_nothing_from_an_older_call(self):
        limiter = Limiter([bucket(10, 1)])
        self.expect(limiter.check(A, 10_000, 10), "allowed", 0, 0, 1000, 0, 10_000)
        self.expect(limiter.check(A, 9_000), "denied", 0, 0, 2000, 2000, 10_000)
        self.expect(limiter.check(A, 10_999), "denied", 0, 0, 1, 1, 10_999)
        self.expect(limiter.check(A, 11_000), "allowed", 0, 0, 1000, 0, 11_000)
        self.expect(limiter.check(A, 11_000), "denied", 0, 0, 1000, 1000, 11_000)

    def test_a_sliding_log_merges_an_older_call_into_its_newest_entry(self):
        limiter = Limiter([sliding(3, 1000)])
        limiter.check(A, 500)
        self.expect(limiter.check(A, 100), "allowed", 0, 1, 1400, 0, 500)
        self.expect(limiter.check(A, 600, 2), "denied", 0, 1, 900, 900, 600)
        self.expect(limiter.check(A, 1500, 3), "allowed", 0, 0, 1000, 0, 1500)

    def test_a_sweep_of_a_later_time_freezes_every_key_and_clear_ends_that(self):
        limiter = Limiter([fixed(1, 1000)])
        self.assertEqual(limiter.sweep(10_000), 0)
        self.expect(limiter.check(A, 100), "allowed", 0, 0, 10_900, 0, 10_000)
        self.expect(limiter.check(B, 100), "allowed", 0, 0, 10_900, 0, 10_000)
        limiter.clear()
        self.expect(limiter.check(A, 100), "allowed", 0, 0, 900, 0, 100)


class Bucket(Decisions):
    def test_a_wait_counts_the_part_that_has_flowed_back_and_rounds_up(self):
        limiter = Limiter([bucket(1, 3)])  # full is 1000 units, 3 a millisecond
        limiter.check(A, 0)
        self.expect(limiter.check(A, 1), "denied", 0, 0, 333, 333, 1)  # 997 units are missing
        self.expect(limiter.check(A, 333), "denied", 0, 0, 1, 1, 333)  # 1 unit is missing
        self.expect(limiter.check(A, 334), "allowed", 0, 0, 334, 0, 334)  # full again: it was cut at 1000

    def test_a_refund_leaves_out_what_has_flowed_back_by_itself(self):
        limiter = Limiter([bucket(10, 3)])  # full is 10 000 units
        first = limiter.check(A, 0, 4)  # 6 000 left
        limiter.check(A, 100, 3)  # 6 300 - 3 000 = 3 300 left
        # At 200 the level is 3 600, and 4 000 - 200 * 3 = 3 400 units are still owed for the first call.
        self.assertEqual(limiter.refund(A, first, 200), 3)
        self.assertEqual(limiter.remaining(A, 200), 7)
        # Again: the level is 7 000, so only 3 000 more fit.
        self.assertEqual(limiter.refund(A, first, 200), 3)
        self.assertEqual(limiter.remaining(A, 200), 10)
        self.assertEqual(limiter.refund(A, first, 200), 0)

    def test_a_refund_does_not_move_the_clock_of_the_row(self):
        limiter = Limiter([bucket(10, 3)])
        given = limiter.check(A, 0, 4)
        self.assertEqual(limiter.refund(A, given, 500), 2)  # 4 000 - 1 500 = 2 500 units
        self.expect(limiter.peek(A, 0, 9), "denied", 0, 8, 167, 167, 0)  # 8 500 units at time 0: 500 are missing


class Refund(unittest.TestCase):
    def test_a_fixed_window_gives_back_only_within_its_own_window(self):
        limiter = Limiter([fixed(2, 1000)])
        given = limiter.check(A, 900, 2)
        self.assertEqual(limiter.refund(A, given, 1000), 0)
        self.assertEqual(limiter.refund(A, given, 999), 2)
        self.assertEqual(limiter.refund(A, given, 999), 0)

    def test_a_sliding_window_gives_back_from_the_entry_of_that_time(self):
        limiter = Limiter([sliding(5, 1000)])
        given = limiter.check(A, 0, 2)
        limiter.check(A, 500, 3)
        self.assertEqual(limiter.refund(A, given, 1000), 0)
        self.assertEqual(limiter.refund(A, given, 999), 2)
        self.assertEqual(limiter.refund(A, given, 999), 0)
        self.assertEqual(limiter.remaining(A, 999), 2)

    def test_a_stack_gives_back_the_most_that_one_policy_got(self):
        limiter = Limiter([fixed(4, 1000), sliding(4, 5000), bucket(4, 1)])
        given = limiter.check(A, 900, 3)
        # The window has turned; the entry stays until 5900; 3 000 - 100 units are owed, of which 2 whole permits.
        self.assertEqual(limiter.refund(A, given, 1000), 3)
        self.assertEqual(limiter.remaining(A, 1000), 4)  # the fixed window is fresh, the log empty, the bucket full

    def test_other_kinds_larger_costs_and_absent_rows_give_back_nothing(self):
        limiter = Limiter([fixed(2, 1000), fixed(5, 1000)])
        given = limiter.check(A, 0)
        limiter.check(A, 0)
        denied = limiter.check(A, 0)
        self.assertEqual(denied["kind"], "denied")
        self.assertEqual(limiter.refund(A, denied, 0), 0)
        self.assertEqual(limiter.refund(A, dict(given, cost=3), 0), 0)
        self.assertEqual(limiter.refund(B, given, 0), 0)
        self.assertEqual(limiter.refund(A, given, 0), 1)


class Stack(Decisions):
    def test_an_allowed_decision_breaks_a_tie_by_the_longest_reset_then_the_lowest_index(self):
        limiter = Limiter([fixed(5, 1000), sliding(5, 3000), sliding(5, 3000)])
        self.expect(limiter.check(A, 100), "allowed", 1, 4, 3000, 0, 100)

    def test_a_denied_decision_speaks_of_the_longest_retry_but_resets_with_the_scarcest(self):
        limiter = Limiter([fixed(4, 1000), sliding(10, 5000)])
        limiter.check(A, 900, 4)
        limiter.check(A, 1000, 3)  # fixed has 1 left, sliding 3
        # Cost 4: both refuse; fixed waits 900, sliding until 4 are free: the first entry (4 permits) is out at 5900.
        self.expect(limiter.check(A, 1100, 4), "denied", 1, 1, 900, 4800, 1100)
        # Cost 2: only fixed refuses.
        self.expect(limiter.check(A, 1100, 2), "denied", 0, 1, 900, 900, 1100)

    def test_if_one_refuses_none_is_charged(self):
        limiter = Limiter([fixed(30, 60_000), fixed(1, 60_000)])
        self.expect(limiter.check(A, 0), "allowed", 1, 0, 60_000, 0, 0)
        self.expect(limiter.check(A, 0), "denied", 1, 0, 60_000, 60_000, 0)
        self.assertEqual(limiter.rows[identity(A)].states, [1, 1])

    def test_exceeds_limit_names_the_first_policy_that_is_exceeded(self):
        limiter = Limiter([fixed(9, 1000), bucket(3, 1), fixed(2, 1000)])
        made = limiter.check(A, 77, 4)
        self.expect(made, "exceeds_limit", 1, 0, 0, None, 77)
        self.assertEqual(made["limit"], 3)
        self.assertEqual(limiter.len(), 0)
        self.assertIsNone(limiter.t0)


class Cap(Decisions):
    def test_a_saturated_key_waits_until_the_next_epoch_begins(self):
        limiter = Limiter([fixed(1, 1000)], 1)
        limiter.check(A, 300)
        self.expect(limiter.check(B, 300), "saturated", 0, 0, 1000, 1000, 300)
        self.expect(limiter.check(B, 1299), "saturated", 0, 0, 1, 1, 1299)
        self.expect(limiter.check(B, 1300), "allowed", 0, 0, 700, 0, 1300)  # the sweep at 1300 took the row of a
        self.expect(limiter.check(A, 1300), "saturated", 0, 0, 1000, 1000, 1300)
        self.expect(limiter.check(A, 500), "saturated", 0, 0, 1800, 1800, 500)  # counted from the caller's time

    def test_an_older_epoch_starts_no_sweep_after_a_newer_one(self):
        limiter = Limiter([fixed(1, 1000)])
        limiter.check(A, 0)
        limiter.check(B, 5000)  # epoch 5
        self.assertEqual(limiter.len(), 1)
        self.expect(limiter.check(C, 3000), "allowed", 0, 0, 3000, 0, 5000)  # epoch 3 comes too late
        self.assertEqual((limiter.epoch, limiter.sweep_time, limiter.len()), (5, 5000, 2))
        limiter.check(A, 6000)  # epoch 6
        self.assertEqual((limiter.sweep_time, limiter.len()), (6000, 1))

    def test_a_row_that_is_ahead_of_the_sweep_stays_even_when_it_owes_nothing(self):
        limiter = Limiter([fixed(2, 10_000)])
        given = limiter.check(A, 9000)
        limiter.refund(A, given, 9000)
        self.assertEqual(limiter.sweep(8999), 0)
        self.assertEqual(limiter.sweep(9000), 1)

    def test_the_interval_is_the_shortest_and_at_most_a_minute(self):
        self.assertEqual(Limiter([fixed(1, 90_000)]).sweep_interval, 60_000)
        self.assertEqual(Limiter([fixed(1, 90_000), bucket(10, 3)]).sweep_interval, 3334)
        self.assertEqual(Limiter([bucket(0, 3)]).sweep_interval, 1)

    def test_remaining_sets_the_first_epoch_even_where_the_limit_is_zero(self):
        limiter = Limiter([fixed(0, 1000)])
        self.assertEqual(limiter.remaining(A, 700), 0)
        self.assertEqual(limiter.t0, 700)


class Arguments(unittest.TestCase):
    def refused(self, call):
        with self.assertRaises(Refused) as caught:
            call()
        return caught.exception.as_data()

    def test_time_is_judged_before_cost_and_neither_touches_anything(self):
        limiter = Limiter([fixed(1, 1000)])
        self.assertEqual(self.refused(lambda: limiter.check(A, 2**52, 0))["field"], "now_ms")
        self.assertEqual(self.refused(lambda: limiter.check(A, 2**52 - 1, 0))["field"], "cost")
        self.assertIsNone(limiter.t0)
        self.assertEqual(sum(limiter.stats().values()), 0)

    def test_a_configuration_is_judged_count_first_and_cap_last(self):
        self.assertEqual(self.refused(lambda: Limiter([], 0))["code"], 5)
        self.assertEqual(self.refused(lambda: Limiter([fixed(2**32, 0)], 0))["field"], "limit")
        self.assertEqual(self.refused(lambda: Limiter([fixed(1, 0)], 0))["field"], "window_ms")
        self.assertEqual(self.refused(lambda: Limiter([fixed(1, 1)], 0))["field"], "max_identities")
        self.assertEqual(self.refused(lambda: Limiter([bucket(2, 1, 2**52)]))["field"], "refill_period_ms")
        self.assertEqual(self.refused(lambda: Limiter([bucket(2**32 - 1, 1, 2**21)]))["code"], 3)
        self.assertEqual(self.refused(lambda: Limiter([sliding(100_001, 100_001)]))["code"], 4)
        Limiter([bucket(2**31, 1, 2**21)])
        Limiter([sliding(100_001, 100_000)])


class Keys(unittest.TestCase):
    def test_text_is_its_bytes_and_a_list_of_parts_is_never_plain(self):
        self.assertEqual(identity({"text": "é"}), identity({"hex": "c3a9"}))
        self.assertEqual(joined({"parts": ["6162", "", "63"]}), b"2:ab0:1:c")
        self.assertNotEqual(identity({"parts": ["61"]}), identity({"text": "1:a"}))
        self.assertNotEqual(identity({"parts": []}), identity({"text": ""}))


class Text(unittest.TestCase):
    def refusal(self, text):
        with self.assertRaises(Refused) as caught:
            policy_text.parse(text)
        return (caught.exception.code, caught.exception.field, caught.exception.offset)

    def test_a_text_reads_to_policies_and_writes_in_its_one_form(self):
        self.assertEqual(policy_text.parse("10per30s"), [fixed(10, 30_000)])
        self.assertEqual(policy_text.parse("Bucket 100/M"), [bucket(100, 100, 60_000)])
        self.assertEqual(policy_text.write([bucket(10, 1), sliding(5, 250)]), "bucket 10 + 1/second; sliding 5/250ms")
        self.assertEqual(policy_text.write([fixed(1, 48 * 3_600_000)]), "fixed 1/2d")

    def test_grammar_is_judged_before_the_number_of_parts_and_that_before_values(self):
        self.assertEqual(self.refusal("0/0s;1/s;1/s;1/s;1/s;"), (6, "policies", 21))
        self.assertEqual(self.refusal("0/0s;1/s;1/s;1/s; 1/s"), (5, "policies", 18))
        self.assertEqual(self.refusal("1/s; 0/0s; 4294967296/s"), (1, "window_ms", 7))


if __name__ == "__main__":
    unittest.main()
