/* Calls everything wrong: each mistake is a status, nothing crashes, and what a failed call could have written is as it
 * was. The mistakes are those of one who has the header and no care; pointers that nobody can judge are not among them.
 */
#include <limits.h>
#include <ratelimit.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

/* Everything that calls write to; before each call it is filled with a pattern, and after it looked at. */
static struct {
  ratelimit_limiter *limiter;
  ratelimit_decision decisions[3];
  ratelimit_policy policies[RATELIMIT_MAX_POLICIES];
  ratelimit_stats_t stats;
  uint64_t number;
  uint32_t permits;
  size_t length;
  char text[300];
  bool had_row;
} out, pattern;

static const ratelimit_key ada = {"ada", 3, RATELIMIT_KEY_PLAIN};
static ratelimit_limiter *limiter;

/* Fills the outputs, so that FAILS can tell whether the call that comes next leaves them. */
static void fill(void) {
  memset(&pattern, 0xa5, sizeof pattern);
  memcpy(&out, &pattern, sizeof out);
}

static bool untouched(void) {
  return memcmp(&out, &pattern, sizeof out) == 0;
}

/* The call fails with this status, says something of this field, and writes nothing. */
#define FAILS(expected, field, call)                                                                        \
  do {                                                                                                      \
    fill();                                                                                                 \
    ratelimit_status status_ = (call);                                                                      \
    bool says_ = strcmp(ratelimit_last_error_field(), field) == 0 && *ratelimit_last_error_message() != '\0'; \
    if (!expect(status_ == (expected) && says_ && untouched(), __FILE__, __LINE__, #call)) {                \
      fprintf(stderr, "  status %d (%s), field \"%s\", message \"%s\"\n", (int)status_,                     \
              ratelimit_status_text((int32_t)status_), ratelimit_last_error_field(), ratelimit_last_error_message()); \
    }                                                                                                       \
  } while (0)

static ratelimit_policy one_a_second(void) {
  return (ratelimit_policy){.algorithm = RATELIMIT_FIXED_WINDOW, .limit = 1, .window_ms = 1000};
}

static ratelimit_config config_of(const ratelimit_policy *policies, size_t count) {
  ratelimit_config config = RATELIMIT_CONFIG_INIT;
  config.policies = policies;
  config.policy_count = count;
  return config;
}

static void before_the_first_failure_there_is_no_message(void) {
  EXPECT(ratelimit_last_error_message()[0] == '\0');
  EXPECT(ratelimit_last_error_field()[0] == '\0');
  EXPECT(ratelimit_last_error_offset() == RATELIMIT_NO_OFFSET);
}

static void a_config_that_is_wrong_makes_nothing(void) {
  const ratelimit_policy policy = one_a_second();
  const ratelimit_policy five[5] = {policy, policy, policy, policy, policy};
  ratelimit_config config = config_of(&policy, 1);
  FAILS(RATELIMIT_NULL_POINTER, "config", ratelimit_new(NULL, &out.limiter));
  FAILS(RATELIMIT_NULL_POINTER, "limiter", ratelimit_new(&config, NULL));

  const size_t sizes[] = {0, 1, sizeof config - 1, sizeof config + 1, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    config.size = sizes[i];
    FAILS(RATELIMIT_CONFIG_SIZE, "config.size", ratelimit_new(&config, &out.limiter));
  }

  config = config_of(NULL, 1);
  FAILS(RATELIMIT_NULL_POINTER, "config.policies", ratelimit_new(&config, &out.limiter));
  const size_t counts[] = {0, 5, SIZE_MAX / sizeof policy, SIZE_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    config = config_of(five, counts[i]);
    FAILS(RATELIMIT_POLICY_COUNT, "policies", ratelimit_new(&config, &out.limiter));
  }

  const uint64_t caps[] = {0, UINT64_C(1) << 32, UINT64_MAX};
  for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
    config = config_of(&policy, 1);
    config.max_identities = caps[i];
    FAILS(RATELIMIT_OUT_OF_RANGE, "max_identities", ratelimit_new(&config, &out.limiter));
  }
}

static void a_policy_that_is_wrong_makes_nothing(void) {
  static const int32_t algorithms[] = {0, 4, -1, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
    const ratelimit_policy policies[2] = {one_a_second(), {algorithms[i], 1, 1000, 1}};
    const ratelimit_config config = config_of(policies, 2);
    FAILS(RATELIMIT_UNKNOWN_VALUE, "policy.algorithm", ratelimit_new(&config, &out.limiter));
    FAILS(RATELIMIT_UNKNOWN_VALUE, "policy.algorithm",
          ratelimit_policies_to_text(policies, 2, out.text, sizeof out.text, &out.length));
  }
  static const ratelimit_policy policies[] = {
      {RATELIMIT_FIXED_WINDOW, UINT64_MAX, 1000, 0},          {RATELIMIT_FIXED_WINDOW, 1, 0, 0},
      {RATELIMIT_SLIDING_WINDOW, 1, UINT64_MAX, 0},           {RATELIMIT_TOKEN_BUCKET, 1, 1000, 0},
      {RATELIMIT_TOKEN_BUCKET, UINT64_MAX, 1000, 1},          {RATELIMIT_TOKEN_BUCKET, 1, UINT64_MAX, 1},
      {RATELIMIT_TOKEN_BUCKET, 1, 1000, UINT64_MAX},
  };
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
    const ratelimit_config config = config_of(&policies[i], 1);
    fill();
    EXPECT(ratelimit_new(&config, &out.limiter) == RATELIMIT_OUT_OF_RANGE && untouched());
    EXPECT(ratelimit_policies_to_text(&policies[i], 1, out.text, sizeof out.text, NULL) == RATELIMIT_OUT_OF_RANGE);
    EXPECT(untouched());
  }
  const ratelimit_policy large = {RATELIMIT_TOKEN_BUCKET, UINT32_MAX, UINT64_C(31622400000), 1};
  const ratelimit_config of_large = config_of(&large, 1);
  fill();
  EXPECT(ratelimit_new(&of_large, &out.limiter) == RATELIMIT_BUCKET_TOO_LARGE && untouched());
  const ratelimit_policy long_log = {RATELIMIT_SLIDING_WINDOW, 100001, 100001, 0};
  const ratelimit_config of_long_log = config_of(&long_log, 1);
  FAILS(RATELIMIT_SLIDING_LOG_TOO_LONG, "limit", ratelimit_new(&of_long_log, &out.limiter));
}

/* Each text with the place at which it is wrong. */
static void a_text_that_is_no_policy_makes_nothing(void) {
  static const struct {
    const char *bytes;
    size_t length, offset;
    ratelimit_status status;
  } texts[] = {
      {"", 0, 0, RATELIMIT_POLICY_SYNTAX},
      {NULL, 0, 0, RATELIMIT_POLICY_SYNTAX},
      {"1/s\0", 4, 3, RATELIMIT_POLICY_SYNTAX},
      {"1\0/s", 4, 1, RATELIMIT_POLICY_SYNTAX},
      {"1/\xff", 3, 2, RATELIMIT_POLICY_SYNTAX},
      {"\x80\x80\x80\x80", 4, 0, RATELIMIT_POLICY_SYNTAX},
      {"1/s; \xc3(", 7, 5, RATELIMIT_POLICY_SYNTAX},
      {"1/s\xf0\x9f\x92", 6, 3, RATELIMIT_POLICY_SYNTAX},
      {"\xed\xa0\x80", 3, 0, RATELIMIT_POLICY_SYNTAX},
      {"%s%s%n/s", 8, 0, RATELIMIT_POLICY_SYNTAX},
      {"1/s;1/s;1/s;1/s;1/s", 19, 16, RATELIMIT_POLICY_COUNT},
      {"99999999999999999999999/s", 25, 0, RATELIMIT_OUT_OF_RANGE},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *bytes = texts[i].bytes;
    size_t length = texts[i].length;
    fill();
    EXPECT(ratelimit_new_from_text(bytes, length, &out.limiter) == texts[i].status && untouched());
    EXPECT(ratelimit_last_error_offset() == texts[i].offset);
    EXPECT(ratelimit_policies_from_text(bytes, length, out.policies, 4, &out.length) == texts[i].status);
    EXPECT(ratelimit_last_error_offset() == texts[i].offset && untouched());
  }
  FAILS(RATELIMIT_NULL_POINTER, "text", ratelimit_new_from_text(NULL, 1, &out.limiter));
  FAILS(RATELIMIT_NULL_POINTER, "limiter", ratelimit_new_from_text("1/s", 3, NULL));
  FAILS(RATELIMIT_TOO_LONG, "length", ratelimit_new_from_text("1/s", SIZE_MAX, &out.limiter));
  FAILS(RATELIMIT_TOO_LONG, "length",
        ratelimit_policies_from_text("1/s", (size_t)PTRDIFF_MAX + 1, out.policies, 4, &out.length));
  FAILS(RATELIMIT_NULL_POINTER, "text", ratelimit_policies_from_text(NULL, 3, out.policies, 4, &out.length));
  FAILS(RATELIMIT_NULL_POINTER, "policies", ratelimit_policies_from_text("1/s", 3, NULL, 4, &out.length));
  FAILS(RATELIMIT_NULL_POINTER, "count", ratelimit_policies_from_text("1/s", 3, out.policies, 4, NULL));
  FAILS(RATELIMIT_BUFFER_TOO_SMALL, "capacity",
        ratelimit_policies_from_text("1/s;2/s", 7, out.policies, 1, &out.length));
  FAILS(RATELIMIT_BUFFER_TOO_SMALL, "capacity", ratelimit_policies_from_text("1/s", 3, NULL, 0, &out.length));
  FAILS(RATELIMIT_TOO_LONG, "capacity", ratelimit_policies_from_text("1/s", 3, out.policies, SIZE_MAX, &out.length));
}

static void a_text_of_any_length_is_read_to_its_end(void) {
  const size_t length = 1 << 20;
  char *text = malloc(length);
  if (EXPECT(text != NULL)) {
    static const char fillers[] = {'9', ' ', ';', '\xff', '\0'};
    for (size_t i = 0; i < sizeof fillers; i++) {
      memset(text, fillers[i], length);
      fill();
      EXPECT(ratelimit_new_from_text(text, length, &out.limiter) != RATELIMIT_OK && untouched());
      EXPECT(strlen(ratelimit_last_error_message()) < 1024);
    }
    free(text);
  }
}

static void policies_are_written_to_room_enough_only(void) {
  const ratelimit_policy policies[5] = {one_a_second(), one_a_second(), one_a_second(), one_a_second(), one_a_second()};
  const size_t needed = strlen("fixed 1/second") + 1;
  FAILS(RATELIMIT_POLICY_COUNT, "policies", ratelimit_policies_to_text(policies, 0, out.text, 300, &out.length));
  FAILS(RATELIMIT_POLICY_COUNT, "policies", ratelimit_policies_to_text(NULL, 0, out.text, 300, &out.length));
  FAILS(RATELIMIT_POLICY_COUNT, "policies", ratelimit_policies_to_text(policies, 5, out.text, 300, &out.length));
  FAILS(RATELIMIT_POLICY_COUNT, "policies", ratelimit_policies_to_text(policies, SIZE_MAX, out.text, 300, &out.length));
  FAILS(RATELIMIT_NULL_POINTER, "policies", ratelimit_policies_to_text(NULL, 1, out.text, 300, &out.length));
  FAILS(RATELIMIT_NULL_POINTER, "buffer", ratelimit_policies_to_text(policies, 1, NULL, 300, &out.length));
  FAILS(RATELIMIT_BUFFER_TOO_SMALL, "capacity", ratelimit_policies_to_text(policies, 1, NULL, 0, &out.length));
  for (size_t capacity = 0; capacity < needed; capacity++) {
    FAILS(RATELIMIT_BUFFER_TOO_SMALL, "capacity",
          ratelimit_policies_to_text(policies, 1, out.text, capacity, &out.length));
  }
  fill();
  EXPECT(ratelimit_policies_to_text(policies, 1, out.text, needed, NULL) == RATELIMIT_OK);
  EXPECT(strcmp(out.text, "fixed 1/second") == 0 && out.text[needed] == pattern.text[needed]);
}

/* Gives one wrong key to everything that takes one. */
static void refuse_key(const ratelimit_key *key, ratelimit_status status, const char *field) {
  const ratelimit_decision given = {.kind = RATELIMIT_ALLOWED, .limit = 1, .cost = 1};
  FAILS(status, field, ratelimit_check(limiter, key, 1, 0, out.decisions));
  FAILS(status, field, ratelimit_peek(limiter, key, 1, 0, out.decisions));
  FAILS(status, field, ratelimit_remaining(limiter, key, 0, &out.permits));
  FAILS(status, field, ratelimit_refund(limiter, key, &given, 0, &out.permits));
  FAILS(status, field, ratelimit_reset(limiter, key, &out.had_row));
}

static void a_key_that_is_wrong_decides_nothing(void) {
  static const struct {
    ratelimit_key key;
    ratelimit_status status;
    const char *field;
  } wrong[] = {
      {{NULL, 1, RATELIMIT_KEY_PLAIN}, RATELIMIT_NULL_POINTER, "key.bytes"},
      {{"a", SIZE_MAX, RATELIMIT_KEY_PLAIN}, RATELIMIT_TOO_LONG, "key.length"},
      {{"a", (size_t)PTRDIFF_MAX + 1, RATELIMIT_KEY_PARTS}, RATELIMIT_TOO_LONG, "key.length"},
      {{"a", 1, -1}, RATELIMIT_UNKNOWN_VALUE, "key.kind"},
      {{"a", 1, 2}, RATELIMIT_UNKNOWN_VALUE, "key.kind"},
      {{"a", 1, INT32_MAX}, RATELIMIT_UNKNOWN_VALUE, "key.kind"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const ratelimit_key keys[3] = {ada, wrong[i].key, ada};
    refuse_key(&wrong[i].key, wrong[i].status, wrong[i].field);
    FAILS(wrong[i].status, wrong[i].field, ratelimit_check_many(limiter, keys, 3, 1, 0, out.decisions));
  }
  refuse_key(NULL, RATELIMIT_NULL_POINTER, "key");
}

static void keys_of_no_bytes_and_of_very_many_are_keys(void) {
  static const ratelimit_key empty[] = {{NULL, 0, RATELIMIT_KEY_PLAIN}, {"", 0, RATELIMIT_KEY_PARTS}};
  for (size_t i = 0; i < 2; i++) {
    EXPECT(ratelimit_check(limiter, &empty[i], 1, 0, out.decisions) == RATELIMIT_OK);
    EXPECT(out.decisions[0].kind == RATELIMIT_ALLOWED);
  }
  const size_t length = 4 << 20;
  ratelimit_key large = {calloc(length, 1), length, RATELIMIT_KEY_PLAIN};
  for (int32_t kind = RATELIMIT_ALLOWED; kind <= RATELIMIT_DENIED; kind++) {
    EXPECT(ratelimit_check(limiter, &large, 1, 0, out.decisions) == RATELIMIT_OK && out.decisions[0].kind == kind);
  }
  free((void *)(uintptr_t)large.bytes);
}

static void numbers_out_of_range_decide_nothing(void) {
  const ratelimit_decision given = {.kind = RATELIMIT_ALLOWED, .limit = 1, .cost = 1};
  const uint64_t costs[] = {0, UINT64_C(1) << 32, UINT64_MAX};
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    FAILS(RATELIMIT_OUT_OF_RANGE, "cost", ratelimit_check(limiter, &ada, costs[i], 0, out.decisions));
    FAILS(RATELIMIT_OUT_OF_RANGE, "cost", ratelimit_check(limiter, &ada, costs[i], RATELIMIT_NOW, out.decisions));
    FAILS(RATELIMIT_OUT_OF_RANGE, "cost", ratelimit_peek(limiter, &ada, costs[i], 0, out.decisions));
    FAILS(RATELIMIT_OUT_OF_RANGE, "cost", ratelimit_check_many(limiter, &ada, 1, costs[i], 0, out.decisions));
  }
  const uint64_t times[] = {UINT64_C(1) << 52, UINT64_MAX - 1};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    FAILS(RATELIMIT_OUT_OF_RANGE, "now_ms", ratelimit_check(limiter, &ada, 1, times[i], out.decisions));
    FAILS(RATELIMIT_OUT_OF_RANGE, "now_ms", ratelimit_peek(limiter, &ada, 1, times[i], out.decisions));
    FAILS(RATELIMIT_OUT_OF_RANGE, "now_ms", ratelimit_check_many(limiter, &ada, 1, 1, times[i], out.decisions));
    FAILS(RATELIMIT_OUT_OF_RANGE, "now_ms", ratelimit_check_many(limiter, NULL, 0, 1, times[i], out.decisions));
    FAILS(RATELIMIT_OUT_OF_RANGE, "now_ms", ratelimit_remaining(limiter, &ada, times[i], &out.permits));
    FAILS(RATELIMIT_OUT_OF_RANGE, "now_ms", ratelimit_refund(limiter, &ada, &given, times[i], &out.permits));
    FAILS(RATELIMIT_OUT_OF_RANGE, "now_ms", ratelimit_sweep(limiter, times[i], &out.number));
  }
}

static void a_call_without_room_for_its_answer_does_nothing(void) {
  const ratelimit_decision given = {.kind = RATELIMIT_ALLOWED, .limit = 1, .cost = 1};
  FAILS(RATELIMIT_NULL_POINTER, "decision", ratelimit_check(limiter, &ada, 1, 0, NULL));
  FAILS(RATELIMIT_NULL_POINTER, "decision", ratelimit_peek(limiter, &ada, 1, 0, NULL));
  FAILS(RATELIMIT_NULL_POINTER, "remaining", ratelimit_remaining(limiter, &ada, 0, NULL));
  FAILS(RATELIMIT_NULL_POINTER, "decision", ratelimit_refund(limiter, &ada, NULL, 0, &out.permits));
  FAILS(RATELIMIT_NULL_POINTER, "keys", ratelimit_check_many(limiter, NULL, 1, 1, 0, out.decisions));
  FAILS(RATELIMIT_NULL_POINTER, "decisions", ratelimit_check_many(limiter, &ada, 1, 1, 0, NULL));
  FAILS(RATELIMIT_TOO_LONG, "count", ratelimit_check_many(limiter, &ada, SIZE_MAX, 1, 0, out.decisions));
  FAILS(RATELIMIT_TOO_LONG, "count",
        ratelimit_check_many(limiter, &ada, SIZE_MAX / sizeof ada, 1, 0, out.decisions));
  FAILS(RATELIMIT_NULL_POINTER, "len", ratelimit_len(limiter, NULL));
  FAILS(RATELIMIT_NULL_POINTER, "stats", ratelimit_stats(limiter, NULL));
  /* These are answers that one may not want to know. */
  EXPECT(ratelimit_refund(limiter, &ada, &given, 0, NULL) == RATELIMIT_OK);
  EXPECT(ratelimit_reset(limiter, &ada, NULL) == RATELIMIT_OK);
  EXPECT(ratelimit_sweep(limiter, 0, NULL) == RATELIMIT_OK);
}

static void a_decision_that_no_check_wrote_gives_nothing_back(void) {
  static const int32_t kinds[] = {-1, 4, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const ratelimit_decision given = {.kind = kinds[i], .limit = 1, .cost = 1};
    FAILS(RATELIMIT_UNKNOWN_VALUE, "decision.kind", ratelimit_refund(limiter, &ada, &given, 0, &out.permits));
  }
  static const uint32_t policies[] = {4, 255, 256, UINT32_MAX};
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
    const ratelimit_decision given = {.kind = RATELIMIT_ALLOWED, .policy = policies[i], .limit = 1, .cost = 1};
    FAILS(RATELIMIT_UNKNOWN_VALUE, "decision.policy", ratelimit_refund(limiter, &ada, &given, 0, &out.permits));
  }
  ratelimit_decision large;
  memset(&large, 0xff, sizeof large);
  large.kind = RATELIMIT_ALLOWED;
  large.policy = 0;
  EXPECT(ratelimit_check(limiter, &ada, 1, 0, out.decisions) == RATELIMIT_OK);
  EXPECT(ratelimit_refund(limiter, &ada, &large, 0, &out.permits) == RATELIMIT_OK && out.permits == 0);
  EXPECT(ratelimit_reset(limiter, &ada, &out.had_row) == RATELIMIT_OK && out.had_row);
}

static void parts_are_joined_to_room_enough_only(void) {
  const ratelimit_part parts[] = {{"ann", 3}, {NULL, 0}}, none[] = {{NULL, 1}}, large[] = {{"a", SIZE_MAX}};
  FAILS(RATELIMIT_NULL_POINTER, "parts", ratelimit_key_join(NULL, 1, out.text, 300, &out.length));
  FAILS(RATELIMIT_TOO_LONG, "count", ratelimit_key_join(parts, SIZE_MAX, out.text, 300, &out.length));
  FAILS(RATELIMIT_NULL_POINTER, "part.bytes", ratelimit_key_join(none, 1, out.text, 300, &out.length));
  FAILS(RATELIMIT_TOO_LONG, "part.length", ratelimit_key_join(large, 1, out.text, 300, &out.length));
  FAILS(RATELIMIT_NULL_POINTER, "buffer", ratelimit_key_join(parts, 2, NULL, 300, &out.length));
  FAILS(RATELIMIT_TOO_LONG, "capacity", ratelimit_key_join(parts, 2, out.text, SIZE_MAX, &out.length));
  FAILS(RATELIMIT_NULL_POINTER, "length", ratelimit_key_join(parts, 2, out.text, 300, NULL));
  for (size_t capacity = 0; capacity < strlen("3:ann0:"); capacity++) {
    FAILS(RATELIMIT_BUFFER_TOO_SMALL, "capacity", ratelimit_key_join(parts, 2, out.text, capacity, &out.length));
  }
  fill();
  EXPECT(ratelimit_key_join(parts, 2, out.text, 7, &out.length) == RATELIMIT_OK && out.length == 7);
  EXPECT(memcmp(out.text, "3:ann0:", 7) == 0 && out.text[7] == pattern.text[7]);
  EXPECT(ratelimit_key_join(NULL, 0, NULL, 0, &out.length) == RATELIMIT_OK && out.length == 0);
}

/* Gives one wrong limiter to everything that takes one. */
static void refuse_limiter(ratelimit_limiter *wrong, ratelimit_status status) {
  const ratelimit_decision given = {.kind = RATELIMIT_ALLOWED, .limit = 1, .cost = 1};
  FAILS(status, "limiter", ratelimit_check(wrong, &ada, 1, 0, out.decisions));
  FAILS(status, "limiter", ratelimit_check_many(wrong, &ada, 1, 1, 0, out.decisions));
  FAILS(status, "limiter", ratelimit_peek(wrong, &ada, 1, 0, out.decisions));
  FAILS(status, "limiter", ratelimit_remaining(wrong, &ada, 0, &out.permits));
  FAILS(status, "limiter", ratelimit_refund(wrong, &ada, &given, 0, &out.permits));
  FAILS(status, "limiter", ratelimit_reset(wrong, &ada, &out.had_row));
  FAILS(status, "limiter", ratelimit_sweep(wrong, 0, &out.number));
  FAILS(status, "limiter", ratelimit_len(wrong, &out.number));
  FAILS(status, "limiter", ratelimit_stats(wrong, &out.stats));
  FAILS(status, "limiter", ratelimit_clear(wrong));
}

static void what_is_no_limiter_is_refused(void) {
  static uint64_t words[128];
  refuse_limiter(NULL, RATELIMIT_NULL_POINTER);
  refuse_limiter((ratelimit_limiter *)(void *)words, RATELIMIT_NOT_A_LIMITER);
  refuse_limiter((ratelimit_limiter *)(void *)((char *)words + 4), RATELIMIT_NOT_A_LIMITER);
  FAILS(RATELIMIT_NOT_A_LIMITER, "limiter", ratelimit_free((ratelimit_limiter *)(void *)words));
  EXPECT(ratelimit_free(NULL) == RATELIMIT_OK);
}

/* The header promises that a limiter is known for 1,024 more that are freed after it. */
static void a_limiter_that_was_freed_is_refused(void) {
  ratelimit_limiter *freed, *other;
  EXPECT(ratelimit_new_from_text("1/s", 3, &freed) == RATELIMIT_OK && ratelimit_free(freed) == RATELIMIT_OK);
  for (int i = 0; i < 1024; i++) {
    if (ratelimit_new_from_text("1/s", 3, &other) != RATELIMIT_OK || other == freed ||
        ratelimit_free(other) != RATELIMIT_OK) {
      EXPECT(other != freed && i < 0);
      return;
    }
  }
  refuse_limiter(freed, RATELIMIT_FREED);
  FAILS(RATELIMIT_FREED, "limiter", ratelimit_free(freed));
}

static uint64_t far_future(void *context) {
  (void)context;
  return UINT64_MAX;
}

static void a_clock_that_is_wrong_counts_as_the_end_of_time(void) {
  const ratelimit_policy policy = one_a_second();
  ratelimit_config config = config_of(&policy, 1);
  ratelimit_limiter *own = NULL;
  config.clock = far_future;
  EXPECT(ratelimit_new(&config, &own) == RATELIMIT_OK);
  EXPECT(ratelimit_check(own, &ada, 1, RATELIMIT_NOW, out.decisions) == RATELIMIT_OK);
  EXPECT(out.decisions[0].kind == RATELIMIT_ALLOWED && out.decisions[0].at_ms == (UINT64_C(1) << 52) - 1);
  EXPECT(ratelimit_free(own) == RATELIMIT_OK);
}

static void every_number_has_a_text(void) {
  for (int32_t status = -2; status < 200; status++) {
    EXPECT(ratelimit_status_text(status)[0] != '\0');
  }
  EXPECT(strcmp(ratelimit_status_text(INT32_MIN), ratelimit_status_text(INT32_MAX)) == 0);
  EXPECT(strcmp(ratelimit_status_text(RATELIMIT_OK), ratelimit_status_text(INT32_MAX)) != 0);
  EXPECT(strcmp(ratelimit_version(), RATELIMIT_VERSION) == 0);
  EXPECT(ratelimit_abi_version() == RATELIMIT_ABI_VERSION);
}

/* Whatever was called before, no row was made and nothing was counted. */
static void failed_calls_leave_no_trace(void) {
  ratelimit_stats_t stats;
  uint64_t length = UINT64_MAX;
  EXPECT(ratelimit_stats(limiter, &stats) == RATELIMIT_OK);
  EXPECT(stats.allowed == 0 && stats.denied == 0 && stats.saturated == 0 && stats.exceeds_limit == 0);
  EXPECT(ratelimit_len(limiter, &length) == RATELIMIT_OK && length == 0);
}

int main(void) {
  before_the_first_failure_there_is_no_message();
  EXPECT(ratelimit_new_from_text("1/s", 3, &limiter) == RATELIMIT_OK);
  a_config_that_is_wrong_makes_nothing();
  a_policy_that_is_wrong_makes_nothing();
  a_text_that_is_no_policy_makes_nothing();
  a_text_of_any_length_is_read_to_its_end();
  policies_are_written_to_room_enough_only();
  a_key_that_is_wrong_decides_nothing();
  numbers_out_of_range_decide_nothing();
  a_call_without_room_for_its_answer_does_nothing();
  parts_are_joined_to_room_enough_only();
  what_is_no_limiter_is_refused();
  failed_calls_leave_no_trace();
  a_decision_that_no_check_wrote_gives_nothing_back();
  keys_of_no_bytes_and_of_very_many_are_keys();
  a_limiter_that_was_freed_is_refused();
  a_clock_that_is_wrong_counts_as_the_end_of_time();
  every_number_has_a_text();
  EXPECT(ratelimit_free(limiter) == RATELIMIT_OK);
  return expect_report(stdout, "hostile");
}
