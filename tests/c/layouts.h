/* Holds what a program's compiler makes of the header to what the library was built with, on machines of 64 bits. */
#ifndef RATELIMIT_TESTS_LAYOUTS_H
#define RATELIMIT_TESTS_LAYOUTS_H

#include <assert.h>
#include <ratelimit.h>
#include <stddef.h>
#include <stdint.h>

#include "vectors.h"

#define LIES_AT(type, field, offset) static_assert(offsetof(type, field) == (offset), #type "." #field)

static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the numbers below are those of 64 bits");

static_assert(sizeof(ratelimit_decision) == 48, "ratelimit_decision");
LIES_AT(ratelimit_decision, kind, 0);
LIES_AT(ratelimit_decision, policy, 4);
LIES_AT(ratelimit_decision, limit, 8);
LIES_AT(ratelimit_decision, remaining, 12);
LIES_AT(ratelimit_decision, cost, 16);
LIES_AT(ratelimit_decision, reset_after_ms, 24);
LIES_AT(ratelimit_decision, retry_after_ms, 32);
LIES_AT(ratelimit_decision, at_ms, 40);

static_assert(sizeof(ratelimit_policy) == 32, "ratelimit_policy");
LIES_AT(ratelimit_policy, algorithm, 0);
LIES_AT(ratelimit_policy, limit, 8);
LIES_AT(ratelimit_policy, window_ms, 16);
LIES_AT(ratelimit_policy, refill, 24);

static_assert(sizeof(ratelimit_config) == 64, "ratelimit_config");
LIES_AT(ratelimit_config, size, 0);
LIES_AT(ratelimit_config, policies, 8);
LIES_AT(ratelimit_config, policy_count, 16);
LIES_AT(ratelimit_config, max_identities, 24);
LIES_AT(ratelimit_config, clock, 32);
LIES_AT(ratelimit_config, clock_context, 40);
LIES_AT(ratelimit_config, warning, 48);
LIES_AT(ratelimit_config, warning_context, 56);

static_assert(sizeof(ratelimit_key) == 24, "ratelimit_key");
LIES_AT(ratelimit_key, bytes, 0);
LIES_AT(ratelimit_key, length, 8);
LIES_AT(ratelimit_key, kind, 16);

static_assert(sizeof(ratelimit_part) == 16, "ratelimit_part");
LIES_AT(ratelimit_part, bytes, 0);
LIES_AT(ratelimit_part, length, 8);

static_assert(sizeof(ratelimit_stats_t) == 32, "ratelimit_stats_t");
LIES_AT(ratelimit_stats_t, allowed, 0);
LIES_AT(ratelimit_stats_t, denied, 8);
LIES_AT(ratelimit_stats_t, saturated, 16);
LIES_AT(ratelimit_stats_t, exceeds_limit, 24);

/* The vectors count kinds and algorithms in their own order; the programs here only add 1 or 0. */
static_assert(+RATELIMIT_ALLOWED == +VECTOR_ALLOWED, "kind");
static_assert(+RATELIMIT_DENIED == +VECTOR_DENIED, "kind");
static_assert(+RATELIMIT_SATURATED == +VECTOR_SATURATED, "kind");
static_assert(+RATELIMIT_EXCEEDS_LIMIT == +VECTOR_EXCEEDS_LIMIT, "kind");
static_assert(+RATELIMIT_FIXED_WINDOW == +VECTOR_FIXED_WINDOW + 1, "algorithm");
static_assert(+RATELIMIT_TOKEN_BUCKET == +VECTOR_TOKEN_BUCKET + 1, "algorithm");
static_assert(+RATELIMIT_SLIDING_WINDOW == +VECTOR_SLIDING_WINDOW + 1, "algorithm");
static_assert(RATELIMIT_NEVER == VECTOR_NEVER, "never");
static_assert(RATELIMIT_NOW == UINT64_MAX, "now");

#endif
