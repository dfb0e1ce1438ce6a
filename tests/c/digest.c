/* Makes the calls that it reads and writes each decision as the canonical line of docs/decisions-format.md.
 *
 *     digest LIMIT MAX_IDENTITIES < calls > lines
 *
 * A call is `COST AT_MS plain HEX` or `COST AT_MS parts COUNT HEX...`, with `-` where there are no bytes. The counts of
 * expect.h go to the standard error.
 */
#include <inttypes.h>
#include <ratelimit.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

enum { LONGEST = 8192, MOST_PARTS = 16 };

static const char *const kinds[] = {"allowed", "denied", "saturated", "exceeds_limit"};

/* One call: the key's parts in hex, a plain key's being one, and their bytes. */
struct call {
  uint64_t cost, at_ms;
  bool is_parts;
  size_t count;
  char hex[MOST_PARTS][2 * LONGEST];
  unsigned char bytes[MOST_PARTS][LONGEST];
  ratelimit_part parts[MOST_PARTS];
};

static ratelimit_limiter *make(const char *limit, const char *max_identities) {
  ratelimit_policy policies[RATELIMIT_MAX_POLICIES];
  ratelimit_config config = RATELIMIT_CONFIG_INIT;
  ratelimit_limiter *limiter = NULL;
  EXPECT(ratelimit_policies_from_text(limit, strlen(limit), policies, RATELIMIT_MAX_POLICIES, &config.policy_count) ==
         RATELIMIT_OK);
  config.policies = policies;
  config.max_identities = strtoull(max_identities, NULL, 10);
  EXPECT(ratelimit_new(&config, &limiter) == RATELIMIT_OK);
  return limiter;
}

/* Reads one part's hex and makes its bytes; says whether there was one. */
static bool read_part(struct call *call, size_t part) {
  char *hex = call->hex[part];
  if (scanf("%16383s", hex) != 1) {
    return false;
  }
  if (strcmp(hex, "-") == 0) {
    *hex = '\0';
  }
  size_t length = strlen(hex) / 2;
  for (size_t i = 0; i < length; i++) {
    const char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
    call->bytes[part][i] = (unsigned char)strtoul(digits, NULL, 16);
  }
  call->parts[part] = (ratelimit_part){.bytes = call->bytes[part], .length = length};
  return true;
}

/* Reads the next call; says whether there was one. */
static bool read_call(struct call *call) {
  char kind[8];
  if (scanf("%" SCNu64 " %" SCNu64 " %7s", &call->cost, &call->at_ms, kind) != 3) {
    return false;
  }
  call->is_parts = strcmp(kind, "parts") == 0;
  call->count = 1;
  if (call->is_parts && !EXPECT(scanf("%zu", &call->count) == 1 && call->count <= MOST_PARTS)) {
    return false;
  }
  for (size_t part = 0; part < call->count; part++) {
    if (!EXPECT(read_part(call, part))) {
      return false;
    }
  }
  return true;
}

static void write_line(const struct call *call, const ratelimit_decision *decision) {
  printf("{\"key\":%s", call->is_parts ? "[" : "");
  for (size_t part = 0; part < call->count; part++) {
    printf("%s\"%s\"", part == 0 ? "" : ",", call->hex[part]);
  }
  printf("%s,\"cost\":%" PRIu32 ",\"at_ms\":%" PRIu64 ",\"kind\":\"%s\"", call->is_parts ? "]" : "", decision->cost,
         decision->at_ms, kinds[decision->kind]);
  printf(",\"limit\":%" PRIu32 ",\"remaining\":%" PRIu32 ",\"reset_after_ms\":%" PRIu64, decision->limit,
         decision->remaining, decision->reset_after_ms);
  if (decision->retry_after_ms == RATELIMIT_NEVER) {
    printf(",\"retry_after_ms\":null");
  } else {
    printf(",\"retry_after_ms\":%" PRIu64, decision->retry_after_ms);
  }
  printf(",\"policy\":%" PRIu32 "}\n", decision->policy);
}

int main(int count, char **arguments) {
  static struct call call;
  static unsigned char joined[MOST_PARTS * (LONGEST + 21)];
  if (count != 3) {
    fprintf(stderr, "usage: digest LIMIT MAX_IDENTITIES < calls > lines\n");
    return 2;
  }
  ratelimit_limiter *limiter = make(arguments[1], arguments[2]);
  while (read_call(&call)) {
    ratelimit_key key = {.bytes = call.bytes[0], .length = call.parts[0].length, .kind = RATELIMIT_KEY_PLAIN};
    if (call.is_parts) {
      key.bytes = joined;
      key.kind = RATELIMIT_KEY_PARTS;
      EXPECT(ratelimit_key_join(call.parts, call.count, joined, sizeof joined, &key.length) == RATELIMIT_OK);
    }
    ratelimit_decision decision;
    if (EXPECT(ratelimit_check(limiter, &key, call.cost, call.at_ms, &decision) == RATELIMIT_OK)) {
      write_line(&call, &decision);
    }
  }
  EXPECT(ratelimit_free(limiter) == RATELIMIT_OK);
  return expect_report(stderr, "digest");
}
