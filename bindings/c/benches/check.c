/* The C side of the bench: makes a limiter and checks keys, as a program would; check.rs loads and times it. */
#include <ratelimit.h>

ratelimit_limiter *bench_make(void);
size_t bench_check_all(ratelimit_limiter *limiter, const char *keys, size_t length, size_t count);

/* Makes a limiter that allows everything asked of it here; NULL if it cannot. */
ratelimit_limiter *bench_make(void) {
  const ratelimit_policy policy = {.algorithm = RATELIMIT_FIXED_WINDOW, .limit = UINT32_MAX, .window_ms = 60000};
  ratelimit_config config = RATELIMIT_CONFIG_INIT;
  ratelimit_limiter *limiter = NULL;
  config.policies = &policy;
  config.policy_count = 1;
  config.max_identities = 2000000;
  return ratelimit_new(&config, &limiter) == RATELIMIT_OK ? limiter : NULL;
}

/* Checks `count` keys of one length, which lie one after the other; returns how many were allowed. */
size_t bench_check_all(ratelimit_limiter *limiter, const char *keys, size_t length, size_t count) {
  size_t allowed = 0;
  for (size_t i = 0; i < count; i++) {
    const ratelimit_key key = {.bytes = keys + i * length, .length = length, .kind = RATELIMIT_KEY_PLAIN};
    ratelimit_decision decision;
    if (ratelimit_check(limiter, &key, 1, RATELIMIT_NOW, &decision) == RATELIMIT_OK &&
        decision.kind == RATELIMIT_ALLOWED) {
      allowed++;
    }
  }
  return allowed;
}
