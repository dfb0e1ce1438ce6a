/* What vectors.inc is written in. Include this first, then vectors.inc, in one C11 or C++17 file:
 *
 *     #include "vectors.h"
 *     #include "vectors.inc"
 *
 *     for (size_t i = 0; i < VECTOR_WORLD_COUNT; i++) run(&vector_worlds[i]);
 *
 * vectors.inc then defines three arrays and their counts: vector_worlds (limiters and timed steps),
 * vector_configs (limiters that are or are not made) and vector_texts (policies as text). They mean
 * what vectors/schema.json says of the same cases; VECTOR_LEFT_OUT_COUNT cases have numbers that no
 * uint64_t holds and are not among them. A pointer with a count of 0 is NULL. A string that is not
 * given with its length ends in '\0' and is UTF-8.
 */
#ifndef RATELIMIT_VECTORS_H
#define RATELIMIT_VECTORS_H

#include <stddef.h>
#include <stdint.h>

enum vector_algorithm { VECTOR_FIXED_WINDOW, VECTOR_TOKEN_BUCKET, VECTOR_SLIDING_WINDOW };

enum vector_kind { VECTOR_ALLOWED, VECTOR_DENIED, VECTOR_SATURATED, VECTOR_EXCEEDS_LIMIT };

enum vector_op {
  VECTOR_OP_CHECK,     /* key, cost, now_ms: expects decision */
  VECTOR_OP_PEEK,      /* key, cost, now_ms: expects decision */
  VECTOR_OP_REMAINING, /* key, now_ms: expects answers[0] permits */
  VECTOR_OP_REFUND,    /* key, now_ms, of or decision: expects answers[0] permits */
  VECTOR_OP_RESET,     /* key: expects answers[0], 1 if there was a row */
  VECTOR_OP_SWEEP,     /* now_ms: expects answers[0] rows removed */
  VECTOR_OP_LEN,       /* expects answers[0] rows */
  VECTOR_OP_STATS,     /* expects answers: allowed, denied, saturated, exceeds_limit */
  VECTOR_OP_CLEAR
};

/* retry_after_ms where waiting never helps. */
#define VECTOR_NEVER UINT64_MAX

struct vector_bytes {
  const char *bytes;
  size_t length;
};

/* limit is a bucket's capacity, window_ms its refill_period_ms; refill is 0 for the windows. */
struct vector_policy {
  enum vector_algorithm algorithm;
  uint64_t limit;
  uint64_t window_ms;
  uint64_t refill;
};

/* bytes are the key's bytes; those of a list of parts are the joined parts, which are also given one by one. */
struct vector_key {
  int is_parts;
  struct vector_bytes bytes;
  const struct vector_bytes *parts;
  size_t part_count;
};

struct vector_decision {
  enum vector_kind kind;
  uint32_t policy;
  uint32_t limit;
  uint32_t remaining;
  uint32_t cost;
  uint64_t reset_after_ms;
  uint64_t retry_after_ms;
  uint64_t at_ms;
};

/* code 0 stands for success; offset is that of a policy text and 0 for everything else. */
struct vector_error {
  int code;
  const char *name;
  const char *field;
  size_t offset;
};

/* key is a place in the world's keys. If error.code is not 0 the step fails and nothing else is expected.
   A refund gives back the decision of the step numbered `of`, or, where that is -1, `decision`. */
struct vector_step {
  enum vector_op op;
  size_t key;
  uint64_t cost;
  uint64_t now_ms;
  int of;
  struct vector_decision decision;
  uint64_t answers[4];
  struct vector_error error;
};

/* Without has_max_identities the limiter has the default cap. */
struct vector_world {
  const char *file;
  const char *name;
  const char *why;
  const struct vector_policy *policies;
  size_t policy_count;
  int has_max_identities;
  uint64_t max_identities;
  const struct vector_key *keys;
  size_t key_count;
  const struct vector_step *steps;
  size_t step_count;
};

struct vector_config {
  const char *file;
  const char *name;
  const char *why;
  const struct vector_policy *policies;
  size_t policy_count;
  int has_max_identities;
  uint64_t max_identities;
  struct vector_error error;
};

/* If error.code is 0 the text means the policies, and canonical is how they are written. */
struct vector_text {
  const char *file;
  const char *name;
  const char *why;
  struct vector_bytes text;
  const struct vector_policy *policies;
  size_t policy_count;
  const char *canonical;
  struct vector_error error;
};

#define VECTOR_BYTES(bytes, length) {bytes, length}
#define VECTOR_PLAIN(bytes, length) {0, {bytes, length}, NULL, 0}
#define VECTOR_PARTS(bytes, length, parts, count) {1, {bytes, length}, parts, count}
#define VECTOR_ERROR(code, name, field, offset) {code, name, field, offset}
#define VECTOR_NO_ERROR {0, "", "", 0}
#define VECTOR_DECISION(kind, policy, limit, remaining, cost, reset, retry, at) \
  {kind, policy, limit, remaining, cost, reset, retry, at}
#define VECTOR_NO_DECISION {VECTOR_ALLOWED, 0, 0, 0, 0, 0, 0, 0}

#define VECTOR_DECIDES(op, key, cost, now, kind, policy, limit, remaining, asked, reset, retry, at) \
  {op, key, cost, now, -1, {kind, policy, limit, remaining, asked, reset, retry, at}, {0, 0, 0, 0}, VECTOR_NO_ERROR}
#define VECTOR_FAILS(op, key, cost, now, error) {op, key, cost, now, -1, VECTOR_NO_DECISION, {0, 0, 0, 0}, error}
#define VECTOR_ANSWERS(op, key, cost, now, answer) \
  {op, key, cost, now, -1, VECTOR_NO_DECISION, {answer, 0, 0, 0}, VECTOR_NO_ERROR}
#define VECTOR_COUNTS(op, key, cost, now, allowed, denied, saturated, exceeds) \
  {op, key, cost, now, -1, VECTOR_NO_DECISION, {allowed, denied, saturated, exceeds}, VECTOR_NO_ERROR}
#define VECTOR_REFUND(op, key, cost, now, of, given, back, error) \
  {op, key, cost, now, of, given, {back, 0, 0, 0}, error}

#endif
