/* Hammers one limiter from several threads; what they took together must be exact, and no bound is ever passed.
 *
 *     threads [few]    fewer rounds, for machines that a program only plays
 */
#include <pthread.h>
#include <ratelimit.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

enum { THREADS = 4 };

static unsigned rounds = 20000;

/* The cap of the limiters: so large that their keys lie under several locks, and a part of the keys that are shown. */
static unsigned cap(void) {
  return rounds / 5;
}

/* One thread's part: the limiter that all share, its own number, and what it found. */
struct part {
  ratelimit_limiter *limiter;
  unsigned number;
  uint64_t taken, given_back, refused, wrong;
};

static ratelimit_key named(const char *name) {
  return (ratelimit_key){.bytes = name, .length = strlen(name), .kind = RATELIMIT_KEY_PLAIN};
}

/* A key of the thread's own, made of both numbers. */
static ratelimit_key numbered(unsigned (*pair)[2], unsigned number, unsigned round) {
  (*pair)[0] = number;
  (*pair)[1] = round;
  return (ratelimit_key){.bytes = *pair, .length = sizeof *pair, .kind = RATELIMIT_KEY_PLAIN};
}

static uint64_t tick(void *context) {
  return atomic_fetch_add((_Atomic uint64_t *)context, 1);
}

static ratelimit_limiter *make(ratelimit_policy policy, ratelimit_clock_fn clock, void *context) {
  ratelimit_config config = RATELIMIT_CONFIG_INIT;
  ratelimit_limiter *limiter = NULL;
  config.policies = &policy;
  config.policy_count = 1;
  config.max_identities = cap();
  config.clock = clock;
  config.clock_context = context;
  EXPECT(ratelimit_new(&config, &limiter) == RATELIMIT_OK);
  return limiter;
}

static ratelimit_policy fixed(uint64_t limit) {
  return (ratelimit_policy){.algorithm = RATELIMIT_FIXED_WINDOW, .limit = limit, .window_ms = 60000};
}

/* Runs a job on all threads at once and adds up what they found. */
static struct part together(void *(*job)(void *), ratelimit_limiter *limiter) {
  pthread_t threads[THREADS];
  struct part parts[THREADS], sum = {.limiter = limiter};
  for (unsigned i = 0; i < THREADS; i++) {
    parts[i] = (struct part){.limiter = limiter, .number = i};
    EXPECT(pthread_create(&threads[i], NULL, job, &parts[i]) == 0);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    EXPECT(pthread_join(threads[i], NULL) == 0);
    sum.taken += parts[i].taken;
    sum.given_back += parts[i].given_back;
    sum.refused += parts[i].refused;
    sum.wrong += parts[i].wrong;
  }
  EXPECT(sum.wrong == 0);
  return sum;
}

static void *take(void *argument) {
  struct part *part = argument;
  ratelimit_key key = named("one key");
  for (unsigned i = 0; i < rounds; i++) {
    ratelimit_decision decision;
    part->wrong += ratelimit_check(part->limiter, &key, 1, 1000, &decision) != RATELIMIT_OK;
    *(decision.kind == RATELIMIT_ALLOWED ? &part->taken : &part->refused) += 1;
  }
  return NULL;
}

static void one_key_is_granted_its_limit_and_no_more(void) {
  uint64_t limit = (uint64_t)rounds * THREADS / 2;
  ratelimit_limiter *limiter = make(fixed(limit), NULL, NULL);
  struct part sum = together(take, limiter);
  ratelimit_stats_t stats;
  EXPECT(sum.taken == limit);
  EXPECT(sum.taken + sum.refused == (uint64_t)rounds * THREADS);
  EXPECT(ratelimit_stats(limiter, &stats) == RATELIMIT_OK);
  EXPECT(stats.allowed == sum.taken && stats.denied == sum.refused);
  EXPECT(ratelimit_free(limiter) == RATELIMIT_OK);
}

/* Takes from two keys in a batch and gives half of it back; peeks, counts and sweeps in between. */
static void *take_and_give_back(void *argument) {
  struct part *part = argument;
  const ratelimit_key keys[2] = {named("one key"), named("another")};
  for (unsigned i = 0; i < rounds; i++) {
    ratelimit_decision decisions[2], peeked;
    uint32_t remaining, refunded = 0;
    uint64_t length, removed;
    part->wrong += ratelimit_check_many(part->limiter, keys, 2, 2, 1000, decisions) != RATELIMIT_OK;
    for (unsigned which = 0; which < 2; which++) {
      bool allowed = decisions[which].kind == RATELIMIT_ALLOWED;
      *(allowed ? &part->taken : &part->refused) += 2;
      if (allowed && i % 2 == 0) {
        const ratelimit_decision *given = &decisions[which];
        part->wrong += ratelimit_refund(part->limiter, &keys[which], given, 1000, &refunded) != RATELIMIT_OK;
        part->wrong += refunded != 2;
        part->given_back += refunded;
      }
    }
    part->wrong += ratelimit_peek(part->limiter, &keys[0], 1, 1000, &peeked) != RATELIMIT_OK;
    part->wrong += ratelimit_remaining(part->limiter, &keys[1], 1000, &remaining) != RATELIMIT_OK;
    part->wrong += remaining > peeked.limit || peeked.remaining > peeked.limit;
    if (i % 64 == part->number) {
      part->wrong += ratelimit_len(part->limiter, &length) != RATELIMIT_OK || length > 2;
      part->wrong += ratelimit_sweep(part->limiter, 1000, &removed) != RATELIMIT_OK || removed > 2;
    }
  }
  return NULL;
}

static void what_is_taken_less_what_is_given_back_is_gone_and_no_more(void) {
  uint64_t limit = (uint64_t)rounds * THREADS * 4;
  ratelimit_limiter *limiter = make(fixed(limit), NULL, NULL);
  struct part sum = together(take_and_give_back, limiter);
  uint64_t left = 0;
  const char *names[2] = {"one key", "another"};
  for (unsigned which = 0; which < 2; which++) {
    ratelimit_key key = named(names[which]);
    uint32_t remaining = 0;
    EXPECT(ratelimit_remaining(limiter, &key, 1000, &remaining) == RATELIMIT_OK);
    left += remaining;
  }
  EXPECT(sum.given_back > 0 && sum.refused == 0);
  EXPECT(left == 2 * limit - (sum.taken - sum.given_back));
  EXPECT(ratelimit_free(limiter) == RATELIMIT_OK);
}

/* Shows a new key each time; looks at the number of keys as it goes. */
static void *mint(void *argument) {
  struct part *part = argument;
  for (unsigned i = 0; i < rounds; i++) {
    unsigned pair[2];
    ratelimit_key key = numbered(&pair, part->number, i);
    ratelimit_decision decision;
    uint64_t length;
    part->wrong += ratelimit_check(part->limiter, &key, 1, 1000, &decision) != RATELIMIT_OK;
    part->wrong += decision.kind != RATELIMIT_ALLOWED && decision.kind != RATELIMIT_SATURATED;
    *(decision.kind == RATELIMIT_ALLOWED ? &part->taken : &part->refused) += 1;
    part->wrong += ratelimit_len(part->limiter, &length) != RATELIMIT_OK || length > cap();
  }
  return NULL;
}

static void so_many_keys_as_the_cap_says_find_room(void) {
  ratelimit_limiter *limiter = make(fixed(1), NULL, NULL);
  struct part sum = together(mint, limiter);
  uint64_t length = 0;
  EXPECT(sum.taken == cap());
  EXPECT(sum.refused == (uint64_t)rounds * THREADS - cap());
  EXPECT(ratelimit_len(limiter, &length) == RATELIMIT_OK && length == cap());
  EXPECT(ratelimit_free(limiter) == RATELIMIT_OK);
}

/* Waits until all threads have come here `turn` times. */
static void meet(unsigned turn) {
  static atomic_uint arrived;
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < turn * THREADS) {
    sched_yield();
  }
}

/* Shows a new key when all others do, where one slot is free; whoever gets it gives it back. */
static void *race_for_the_last_slot(void *argument) {
  struct part *part = argument;
  for (unsigned i = 0; i < rounds / 10; i++) {
    unsigned pair[2];
    ratelimit_key key = numbered(&pair, part->number, i);
    ratelimit_decision decision;
    meet(2 * i + 1);
    part->wrong += ratelimit_check(part->limiter, &key, 1, 1000, &decision) != RATELIMIT_OK;
    meet(2 * i + 2);
    if (decision.kind == RATELIMIT_ALLOWED) {
      part->taken++;
      part->wrong += ratelimit_reset(part->limiter, &key, NULL) != RATELIMIT_OK;
    }
  }
  return NULL;
}

static void the_last_slot_is_given_once(void) {
  ratelimit_limiter *limiter = make(fixed(1), NULL, NULL);
  for (unsigned i = 0; i + 1 < cap(); i++) {
    unsigned pair[2];
    ratelimit_key key = numbered(&pair, THREADS, i);
    ratelimit_decision decision;
    EXPECT(ratelimit_check(limiter, &key, 1, 1000, &decision) == RATELIMIT_OK && decision.kind == RATELIMIT_ALLOWED);
  }
  EXPECT(together(race_for_the_last_slot, limiter).taken == rounds / 10);
  EXPECT(ratelimit_free(limiter) == RATELIMIT_OK);
}

/* Shows and forgets keys, twice as many as find room, on a clock that goes on with each reading: so slots come free all
   the time, by resets and by sweeps, and threads race for them. */
static void *show_and_forget(void *argument) {
  struct part *part = argument;
  for (unsigned i = 0; i < rounds; i++) {
    unsigned pair[2];
    ratelimit_key key = numbered(&pair, part->number, i * 2654435761U % (cap() / 2));
    ratelimit_decision decision;
    uint64_t length;
    bool had_row;
    part->wrong += ratelimit_check(part->limiter, &key, 1, RATELIMIT_NOW, &decision) != RATELIMIT_OK;
    *(decision.kind == RATELIMIT_ALLOWED ? &part->taken : &part->refused) += 1;
    part->wrong += ratelimit_len(part->limiter, &length) != RATELIMIT_OK || length > cap();
    switch (i % 8) {
      case 0:
        part->wrong += ratelimit_reset(part->limiter, &key, &had_row) != RATELIMIT_OK;
        break;
      case 1:
        part->wrong += ratelimit_sweep(part->limiter, RATELIMIT_NOW, NULL) != RATELIMIT_OK;
        break;
      case 2:
        part->wrong += i % 8192 == 2 && ratelimit_clear(part->limiter) != RATELIMIT_OK;
        break;
      default:
        break;
    }
  }
  return NULL;
}

static void keys_that_come_and_go_never_pass_the_cap(void) {
  const uint64_t window_ms = cap() * 4;
  const ratelimit_policy policies[] = {
      {.algorithm = RATELIMIT_FIXED_WINDOW, .limit = 3, .window_ms = window_ms},
      {.algorithm = RATELIMIT_TOKEN_BUCKET, .limit = 3, .window_ms = window_ms, .refill = 1},
      {.algorithm = RATELIMIT_SLIDING_WINDOW, .limit = 3, .window_ms = window_ms},
  };
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
    _Atomic uint64_t time = 1000;
    ratelimit_limiter *limiter = make(policies[i], tick, &time);
    struct part sum = together(show_and_forget, limiter);
    ratelimit_stats_t stats;
    EXPECT(ratelimit_stats(limiter, &stats) == RATELIMIT_OK);
    EXPECT(stats.allowed == sum.taken && stats.denied + stats.saturated == sum.refused);
    EXPECT(sum.taken > 0 && sum.refused > 0);
    EXPECT(atomic_load(&time) - 1000 == (uint64_t)rounds * THREADS * 9 / 8);
    EXPECT(ratelimit_free(limiter) == RATELIMIT_OK);
  }
}

/* Makes and frees limiters of its own, and fails in its own way: the message is this thread's. */
static void *make_and_fail(void *argument) {
  struct part *part = argument;
  char expected[64];
  snprintf(expected, sizeof expected, "cost is %llu,", (1ULL << 32) + part->number);
  ratelimit_key key = named("one key");
  for (unsigned i = 0; i < rounds / 10; i++) {
    ratelimit_limiter *own = NULL;
    ratelimit_decision decision;
    part->wrong += ratelimit_new_from_text("1/s", 3, &own) != RATELIMIT_OK;
    part->wrong += ratelimit_check(own, &key, (1ULL << 32) + part->number, 0, &decision) != RATELIMIT_OUT_OF_RANGE;
    part->wrong += strncmp(ratelimit_last_error_message(), expected, strlen(expected)) != 0;
    part->wrong += ratelimit_free(own) != RATELIMIT_OK;
    part->taken++;
  }
  return NULL;
}

static void each_thread_reads_its_own_message(void) {
  EXPECT(together(make_and_fail, NULL).taken == (uint64_t)(rounds / 10) * THREADS);
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "few") == 0) {
    rounds = 400;
  }
  one_key_is_granted_its_limit_and_no_more();
  what_is_taken_less_what_is_given_back_is_gone_and_no_more();
  so_many_keys_as_the_cap_says_find_room();
  the_last_slot_is_given_once();
  keys_that_come_and_go_never_pass_the_cap();
  each_thread_reads_its_own_message();
  return expect_report(stdout, "threads");
}
