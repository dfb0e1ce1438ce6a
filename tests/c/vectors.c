/* Replays every vector through the C ABI, each world in five ways; what must come out stands in vectors.inc. */
#include "vectors.h"
#include "vectors.inc"

#include <ratelimit.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "layouts.h"

enum way { AS_CHECK, AS_PEEK_THEN_CHECK, AS_BATCH_OF_ONE, AS_BATCH_OF_MANY, DOUBLED, WAYS };
static const char *const way_names[WAYS] = {"check", "peek then check", "batch of one", "batch of many", "doubled"};

/* A clock of the host, which counts how often it is read. */
struct clock {
  uint64_t now_ms;
  unsigned long reads;
};

static uint64_t read_clock(void *context) {
  struct clock *clock = context;
  clock->reads++;
  return clock->now_ms;
}

/* A world under way: its limiter, and for each step that is done the decision that it made. */
struct run {
  const struct vector_world *world;
  enum way way;
  struct clock clock;
  ratelimit_limiter *limiter;
  ratelimit_decision *decisions;
};

static ratelimit_policy policy(const struct vector_policy *given) {
  return (ratelimit_policy){
      .algorithm = (int32_t)given->algorithm + 1,
      .limit = given->limit,
      .window_ms = given->window_ms,
      .refill = given->refill,
  };
}

static ratelimit_key key(const struct run *run, const struct vector_step *step) {
  static const struct vector_key none = VECTOR_PLAIN("", 0);
  const struct vector_key *given = run->world->key_count == 0 ? &none : &run->world->keys[step->key];
  return (ratelimit_key){
      .bytes = given->bytes.bytes,
      .length = given->bytes.length,
      .kind = given->is_parts ? RATELIMIT_KEY_PARTS : RATELIMIT_KEY_PLAIN,
  };
}

static ratelimit_decision decision(const struct vector_decision *given) {
  return (ratelimit_decision){
      .kind = (int32_t)given->kind,
      .policy = given->policy,
      .limit = given->limit,
      .remaining = given->remaining,
      .cost = given->cost,
      .reset_after_ms = given->reset_after_ms,
      .retry_after_ms = given->retry_after_ms,
      .at_ms = given->at_ms,
  };
}

/* The greatest uint64_t is RATELIMIT_NOW; as a time that is out of range, the one below it does as well. */
static uint64_t now(const struct vector_step *step) {
  return step->now_ms == RATELIMIT_NOW ? RATELIMIT_NOW - 1 : step->now_ms;
}

/* Makes a limiter of the policies, `times` over. */
static ratelimit_status make(const struct vector_policy *policies, size_t count, size_t times, const uint64_t *cap,
                             struct clock *clock, ratelimit_limiter **limiter) {
  ratelimit_policy stack[2 * (RATELIMIT_MAX_POLICIES + 1)];
  size_t length = 0;
  for (size_t i = 0; i < count * times && length < sizeof stack / sizeof *stack; i++) {
    stack[length++] = policy(&policies[i % count]);
  }
  ratelimit_config config = RATELIMIT_CONFIG_INIT;
  config.policies = stack;
  config.policy_count = length;
  if (cap != NULL) {
    config.max_identities = *cap;
  }
  config.clock = clock == NULL ? NULL : read_clock;
  config.clock_context = clock;
  return ratelimit_new(&config, limiter);
}

static bool fails(ratelimit_status status, const struct vector_error *error) {
  return (int)status == error->code && strcmp(ratelimit_last_error_field(), error->field) == 0 &&
         ratelimit_last_error_message()[0] != '\0';
}

static bool same_decision(const ratelimit_decision *got, const struct vector_decision *given) {
  ratelimit_decision expected = decision(given);
  return memcmp(got, &expected, sizeof expected) == 0;
}

/* Holds what a call wrote, or did not write, to what the step expects. */
static bool decided(const struct vector_step *step, ratelimit_status status, const ratelimit_decision *got) {
  if (step->error.code == 0) {
    return status == RATELIMIT_OK && same_decision(got, &step->decision);
  }
  ratelimit_decision untouched;
  memset(&untouched, 0xa5, sizeof untouched);
  return fails(status, &step->error) && memcmp(got, &untouched, sizeof untouched) == 0;
}

static bool check(struct run *run, const struct vector_step *step, ratelimit_decision *got) {
  ratelimit_key who = key(run, step);
  ratelimit_decision foretold = *got;
  ratelimit_stats_t before, after;
  switch (run->way) {
    case AS_PEEK_THEN_CHECK:
      if (ratelimit_stats(run->limiter, &before) != RATELIMIT_OK ||
          !decided(step, ratelimit_peek(run->limiter, &who, step->cost, now(step), &foretold), &foretold) ||
          ratelimit_stats(run->limiter, &after) != RATELIMIT_OK || memcmp(&before, &after, sizeof after) != 0) {
        return false;
      }
      break;
    case AS_BATCH_OF_ONE: {
      unsigned long reads = run->clock.reads;
      bool readable = step->now_ms < UINT64_C(1) << 52;
      run->clock.now_ms = step->now_ms;
      uint64_t at = readable ? RATELIMIT_NOW : now(step);
      bool right = decided(step, ratelimit_check_many(run->limiter, &who, 1, step->cost, at, got), got);
      /* A cost that is out of range may be found before the clock is read. */
      return right && run->clock.reads - reads == (readable && step->error.code == 0);
    }
    default:
      break;
  }
  return decided(step, ratelimit_check(run->limiter, &who, step->cost, now(step), got), got);
}

/* Checks as many steps as can be one batch, after an empty batch, which does nothing; returns how many, 0 if wrong. */
static size_t check_batch(struct run *run, size_t first) {
  const struct vector_step *steps = run->world->steps + first;
  size_t count = 1, wrong = 0;
  while (first + count < run->world->step_count && steps[count].op == VECTOR_OP_CHECK &&
         steps[count].cost == steps->cost && steps[count].now_ms == steps->now_ms) {
    count++;
  }
  ratelimit_key *keys = calloc(count, sizeof *keys);
  if (keys == NULL || ratelimit_check_many(run->limiter, NULL, 0, 1, 0, NULL) != RATELIMIT_OK) {
    free(keys);
    return 0;
  }
  for (size_t i = 0; i < count; i++) {
    keys[i] = key(run, &steps[i]);
  }
  ratelimit_decision *got = run->decisions + first;
  ratelimit_status status = ratelimit_check_many(run->limiter, keys, count, steps->cost, now(steps), got);
  for (size_t i = 0; i < count; i++) {
    wrong += !decided(&steps[i], status, &got[i]);
  }
  free(keys);
  return wrong == 0 ? count : 0;
}

static bool answers(const struct vector_step *step, ratelimit_status status, uint64_t got) {
  if (step->error.code == 0) {
    return status == RATELIMIT_OK && got == step->answers[0];
  }
  return fails(status, &step->error) && (uint32_t)got == UINT32_MAX;
}

static bool counts(struct run *run, const struct vector_step *step) {
  ratelimit_stats_t got = {0, 0, 0, 0};
  return ratelimit_stats(run->limiter, &got) == RATELIMIT_OK && got.allowed == step->answers[0] &&
         got.denied == step->answers[1] && got.saturated == step->answers[2] && got.exceeds_limit == step->answers[3];
}

/* Does everything that is not a decision. */
static bool keep_house(struct run *run, const struct vector_step *step) {
  ratelimit_limiter *limiter = run->limiter;
  ratelimit_key who = key(run, step);
  ratelimit_status status;
  uint64_t number = UINT64_MAX;
  uint32_t permits = UINT32_MAX;
  bool had_row = false;
  switch (step->op) {
    case VECTOR_OP_REMAINING:
      status = ratelimit_remaining(limiter, &who, now(step), &permits);
      return answers(step, status, permits);
    case VECTOR_OP_REFUND: {
      ratelimit_decision given = step->of < 0 ? decision(&step->decision) : run->decisions[step->of];
      status = ratelimit_refund(limiter, &who, &given, now(step), &permits);
      return answers(step, status, permits);
    }
    case VECTOR_OP_RESET:
      status = ratelimit_reset(limiter, &who, &had_row);
      return answers(step, status, had_row);
    case VECTOR_OP_SWEEP:
      status = ratelimit_sweep(limiter, now(step), &number);
      return answers(step, status, number);
    case VECTOR_OP_LEN:
      status = ratelimit_len(limiter, &number);
      return answers(step, status, number);
    case VECTOR_OP_STATS:
      return counts(run, step);
    default:
      return step->op == VECTOR_OP_CLEAR && ratelimit_clear(limiter) == RATELIMIT_OK;
  }
}

/* Does the next step, or the next few where they are one batch; returns how many, 0 if one is wrong. */
static size_t proceed(struct run *run, size_t at) {
  const struct vector_step *step = &run->world->steps[at];
  ratelimit_key who = key(run, step);
  ratelimit_decision *got = &run->decisions[at];
  switch (step->op) {
    case VECTOR_OP_CHECK:
      return run->way == AS_BATCH_OF_MANY ? check_batch(run, at) : check(run, step, got);
    case VECTOR_OP_PEEK:
      return decided(step, ratelimit_peek(run->limiter, &who, step->cost, now(step), got), got);
    default:
      return keep_house(run, step);
  }
}

static void replay(const struct vector_world *world, enum way way) {
  struct run run = {.world = world, .way = way};
  const uint64_t *cap = world->has_max_identities ? &world->max_identities : NULL;
  size_t times = way == DOUBLED ? 2 : 1;
  ratelimit_status made = make(world->policies, world->policy_count, times, cap, &run.clock, &run.limiter);
  run.decisions = malloc((world->step_count + 1) * sizeof *run.decisions);
  if (!EXPECT(made == RATELIMIT_OK && run.decisions != NULL)) {
    return;
  }
  memset(run.decisions, 0xa5, (world->step_count + 1) * sizeof *run.decisions);
  for (size_t at = 0, done; at < world->step_count; at += done) {
    done = proceed(&run, at);
    expect_passed += done;
    if (!done) {
      expect_failed++;
      fprintf(stderr, "%s %s, as %s, step %zu: %s\n", world->file, world->name, way_names[way], at, world->why);
      break;
    }
  }
  EXPECT(way == AS_BATCH_OF_ONE || run.clock.reads == 0);
  EXPECT(ratelimit_free(run.limiter) == RATELIMIT_OK);
  free(run.decisions);
}

/* Makes the limiter, once and, where it has one policy, of that twice. */
static void configure(const struct vector_config *config) {
  const uint64_t *cap = config->has_max_identities ? &config->max_identities : NULL;
  for (size_t times = 1; times <= (config->policy_count == 1 ? 2U : 1U); times++) {
    ratelimit_limiter *untouched = (ratelimit_limiter *)(void *)&expect_passed, *limiter = untouched;
    ratelimit_status status = make(config->policies, config->policy_count, times, cap, NULL, &limiter);
    bool right = config->error.code == 0 ? status == RATELIMIT_OK && limiter != untouched
                                         : fails(status, &config->error) && limiter == untouched;
    if (!EXPECT(right)) {
      fprintf(stderr, "%s %s: %s\n", config->file, config->name, config->why);
    }
    if (limiter != untouched) {
      EXPECT(ratelimit_free(limiter) == RATELIMIT_OK);
    }
  }
}

/* Reads a text; policies, count and canonical text must be those that are given. */
static bool reads(const char *text, size_t length, const struct vector_text *expected) {
  ratelimit_policy got[RATELIMIT_MAX_POLICIES];
  size_t count = SIZE_MAX;
  char canonical[256];
  ratelimit_status status = ratelimit_policies_from_text(text, length, got, RATELIMIT_MAX_POLICIES, &count);
  if (expected->error.code != 0) {
    return fails(status, &expected->error) && ratelimit_last_error_offset() == expected->error.offset &&
           count == SIZE_MAX;
  }
  if (status != RATELIMIT_OK || count != expected->policy_count) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    ratelimit_policy given = policy(&expected->policies[i]);
    if (got[i].algorithm != given.algorithm || got[i].limit != given.limit || got[i].window_ms != given.window_ms ||
        got[i].refill != given.refill) {
      return false;
    }
  }
  return ratelimit_policies_to_text(got, count, canonical, sizeof canonical, &length) == RATELIMIT_OK &&
         strcmp(canonical, expected->canonical) == 0 && length == strlen(canonical);
}

static void read_text(const struct vector_text *text) {
  bool right = reads(text->text.bytes, text->text.length, text);
  if (right && text->error.code == 0) {
    ratelimit_limiter *limiter = NULL;
    right = reads(text->canonical, strlen(text->canonical), text) &&
            ratelimit_new_from_text(text->text.bytes, text->text.length, &limiter) == RATELIMIT_OK &&
            ratelimit_free(limiter) == RATELIMIT_OK;
  }
  if (!EXPECT(right)) {
    fprintf(stderr, "%s %s: %s\n", text->file, text->name, text->why);
  }
}

int main(void) {
  for (size_t i = 0; i < VECTOR_WORLD_COUNT; i++) {
    for (enum way way = AS_CHECK; way < WAYS; way++) {
      if (way != DOUBLED || vector_worlds[i].policy_count == 1) {
        replay(&vector_worlds[i], way);
      }
    }
  }
  for (size_t i = 0; i < VECTOR_CONFIG_COUNT; i++) {
    configure(&vector_configs[i]);
  }
  for (size_t i = 0; i < VECTOR_TEXT_COUNT; i++) {
    read_text(&vector_texts[i]);
  }
  return expect_report(stdout, "vectors");
}
