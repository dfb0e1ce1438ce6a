/* Replays the vectors of limits over HTTP through the C ABI; what must come out stands in vectors_http.inc. */
#include "vectors_http.h"
#include "vectors_http.inc"

#include <ratelimit.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

#define ROOM 32768

static char buffer[ROOM];

static ratelimit_part part(const struct vector_bytes *given) {
  return (ratelimit_part){.bytes = given->bytes, .length = given->length};
}

/* Copies parts to memory of their own, each byte string too, so that a read beyond one is seen. */
static ratelimit_part *parts(const struct vector_bytes *given, size_t count) {
  ratelimit_part *copies = calloc(count + 1, sizeof *copies);
  for (size_t i = 0; i < count; i++) {
    char *bytes = malloc(given[i].length);
    memcpy(bytes, given[i].bytes, given[i].length);
    copies[i] = (ratelimit_part){.bytes = bytes, .length = given[i].length};
  }
  return copies;
}

static void free_parts(ratelimit_part *copies, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free((void *)(uintptr_t)copies[i].bytes);
  }
  free(copies);
}

static bool fails(ratelimit_status status, const struct vector_error *error) {
  return (int)status == error->code && strcmp(ratelimit_last_error_field(), error->field) == 0 &&
         ratelimit_last_error_message()[0] != '\0';
}

static void judge(bool right, const char *file, const char *name, const char *why) {
  if (!EXPECT(right)) {
    fprintf(stderr, "%s %s: %s\n", file, name, why);
  }
}

/* Says whether the buffer holds this text, its NUL, and nothing behind it. */
static bool holds(const char *text, size_t length) {
  return length == strlen(text) && memcmp(buffer, text, length + 1) == 0 && buffer[length + 1] == '\xa5';
}

static bool is_client(const ratelimit_http_client_options *options, const struct vector_http_client *given) {
  ratelimit_part peer = part(&given->peer), *from = given->has_peer ? &peer : NULL;
  ratelimit_part *lines = parts(given->lines, given->line_count);
  size_t needed = SIZE_MAX, length = SIZE_MAX, count = given->line_count;
  bool untrusted = false, right;
  memset(buffer, 0xa5, sizeof buffer);
  ratelimit_status asked = ratelimit_http_client(options, from, lines, count, NULL, 0, &needed, NULL);
  if (given->error.code != 0) {
    ratelimit_status status = ratelimit_http_client(options, from, lines, count, buffer, ROOM, &length, &untrusted);
    right = asked == status && fails(status, &given->error) && length == SIZE_MAX && buffer[0] == '\xa5';
  } else {
    right = asked == RATELIMIT_OK && needed < 48 &&
            ratelimit_http_client(options, from, lines, count, buffer, needed, &length, &untrusted) ==
                RATELIMIT_BUFFER_TOO_SMALL &&
            length == SIZE_MAX && buffer[0] == '\xa5' &&
            ratelimit_http_client(options, from, lines, count, buffer, needed + 1, &length, &untrusted) ==
                RATELIMIT_OK &&
            length == needed && holds(given->key, length) && untrusted == (given->untrusted_field != 0);
  }
  free_parts(lines, count);
  return right;
}

static void find_client(const struct vector_http_client *given) {
  ratelimit_http_client_options options = RATELIMIT_HTTP_CLIENT_OPTIONS_INIT;
  ratelimit_part *networks = parts(given->networks, given->network_count);
  options.trusted_hops = given->hops;
  options.trusted_networks = networks;
  options.trusted_network_count = given->network_count;
  options.forwarding_field = given->field.bytes;
  options.forwarding_field_length = given->field.length;
  options.ipv6_prefix = given->ipv6_prefix;
  judge(is_client(&options, given), given->file, given->name, given->why);
  free_parts(networks, given->network_count);
}

/* An address is the key of a peer that nobody stands before. */
static void read_address(const struct vector_http_address *given) {
  ratelimit_http_client_options options = RATELIMIT_HTTP_CLIENT_OPTIONS_INIT;
  options.ipv6_prefix = given->ipv6_prefix;
  struct vector_http_client client = {.has_peer = 1, .peer = given->text, .key = given->key};
  bool right = is_client(&options, &client) && (strcmp(given->key, "unknown") == 0) == !given->is_address;
  judge(right, given->file, given->name, given->why);
}

static void read_header(const struct vector_http_header *given) {
  ratelimit_part *lines = parts(given->lines, given->line_count);
  size_t needed = SIZE_MAX, length = SIZE_MAX;
  memset(buffer, 0xa5, sizeof buffer);
  bool right = ratelimit_http_header_key(lines, given->line_count, NULL, 0, &needed) == RATELIMIT_OK &&
               ratelimit_http_header_key(lines, given->line_count, buffer, needed, &length) == RATELIMIT_OK &&
               needed == length && length == given->key.length && buffer[length] == '\xa5' &&
               (length == 0 || memcmp(buffer, given->key.bytes, length) == 0);
  judge(right, given->file, given->name, given->why);
  free_parts(lines, given->line_count);
}

static void join(const struct vector_http_parts *given) {
  ratelimit_part *list = parts(given->parts, given->part_count);
  size_t length = SIZE_MAX;
  memset(buffer, 0xa5, sizeof buffer);
  bool right = ratelimit_key_join(list, given->part_count, buffer, ROOM, &length) == RATELIMIT_OK &&
               length == given->joined.length && buffer[length] == '\xa5' &&
               memcmp(buffer, given->joined.bytes, length) == 0;
  judge(right, given->file, given->name, given->why);
  free_parts(list, given->part_count);
}

/* A limit with all that it points at. */
struct limit {
  ratelimit_policy policies[RATELIMIT_MAX_POLICIES];
  ratelimit_decision decision;
  ratelimit_part *names;
};

static ratelimit_http_limit fill(struct limit *limit, const struct vector_http_limit *given) {
  const struct vector_decision *made = &given->decision;
  for (size_t i = 0; i < given->policy_count; i++) {
    const struct vector_policy *policy = &given->policies[i];
    limit->policies[i] = (ratelimit_policy){
        .algorithm = (int32_t)policy->algorithm + 1,
        .limit = policy->limit,
        .window_ms = policy->window_ms,
        .refill = policy->refill,
    };
  }
  limit->decision = (ratelimit_decision){
      .kind = (int32_t)made->kind,
      .policy = made->policy,
      .limit = made->limit,
      .remaining = made->remaining,
      .cost = made->cost,
      .reset_after_ms = made->reset_after_ms,
      .retry_after_ms = made->retry_after_ms,
      .at_ms = made->at_ms,
  };
  limit->names = parts(given->names, given->name_count);
  ratelimit_http_limit filled = RATELIMIT_HTTP_LIMIT_INIT;
  filled.policies = limit->policies;
  filled.policy_count = given->policy_count;
  filled.names = given->name_count == 0 ? NULL : limit->names;
  filled.name_count = given->name_count;
  filled.fields = given->style;
  filled.saturated_status = given->saturated_status;
  filled.decision = &limit->decision;
  return filled;
}

static bool writes_fields(const ratelimit_http_limit *limits, const struct vector_http_answer *given) {
  size_t needed = SIZE_MAX, length = SIZE_MAX, count = given->limit_count;
  memset(buffer, 0xa5, sizeof buffer);
  ratelimit_status status = ratelimit_http_fields(limits, count, NULL, 0, &needed);
  if (given->error.code != 0) {
    return fails(status, &given->error) && needed == SIZE_MAX;
  }
  return status == RATELIMIT_OK &&
         ratelimit_http_fields(limits, count, buffer, needed, &length) == RATELIMIT_BUFFER_TOO_SMALL &&
         length == SIZE_MAX && buffer[0] == '\xa5' &&
         ratelimit_http_fields(limits, count, buffer, needed + 1, &length) == RATELIMIT_OK && length == needed &&
         holds(given->fields, length);
}

static bool refuses(const ratelimit_http_limit *limit, const struct vector_http_answer *given) {
  ratelimit_part *accept = parts(given->accept, given->accept_count);
  size_t count = given->accept_count, needed = SIZE_MAX, length = SIZE_MAX;
  uint32_t code = 7;
  const char *type = NULL;
  memset(buffer, 0xa5, sizeof buffer);
  ratelimit_status status = ratelimit_http_refusal(limit, accept, count, &code, &type, NULL, 0, &needed);
  bool right;
  if (given->error.code != 0) {
    right = fails(status, &given->error) && code == 7 && type == NULL && needed == SIZE_MAX;
  } else {
    right = status == RATELIMIT_OK &&
            ratelimit_http_refusal(limit, accept, count, &code, &type, buffer, needed + 1, &length) == RATELIMIT_OK &&
            length == needed && holds(given->body, length) && code == given->status &&
            strcmp(type, given->content_type) == 0;
  }
  free_parts(accept, count);
  return right;
}

static void answer(const struct vector_http_answer *given) {
  struct limit *inside = calloc(given->limit_count + 1, sizeof *inside);
  ratelimit_http_limit *limits = calloc(given->limit_count + 1, sizeof *limits);
  for (size_t i = 0; i < given->limit_count; i++) {
    limits[i] = fill(&inside[i], &given->limits[i]);
  }
  bool right = given->limit_count == 0
                   ? refuses(NULL, given)
                   : writes_fields(limits, given) && refuses(&limits[given->limit_count - 1], given);
  judge(right, given->file, given->name, given->why);
  for (size_t i = 0; i < given->limit_count; i++) {
    free_parts(inside[i].names, given->limits[i].name_count);
  }
  free(inside);
  free(limits);
}

static void refund(const struct vector_http_refund *given) {
  ratelimit_http_statuses ranges[8];
  for (size_t i = 0; i < given->range_count; i++) {
    ranges[i] = (ratelimit_http_statuses){.first = given->ranges[i].first, .last = given->ranges[i].last};
  }
  bool back = !given->refunds;
  ratelimit_status status = ratelimit_http_refunds(ranges, given->range_count, given->outcome, &back);
  bool right = given->error.code == 0 ? status == RATELIMIT_OK && back == (given->refunds != 0)
                                      : fails(status, &given->error) && back == !given->refunds;
  judge(right, given->file, given->name, given->why);
}

#define EACH(run, cases) \
  for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++) run(&(cases)[i])

int main(void) {
  EACH(read_address, vector_http_address_cases);
  EACH(find_client, vector_http_client_cases);
  EACH(read_header, vector_http_header_cases);
  EACH(join, vector_http_parts_cases);
  EACH(answer, vector_http_answer_cases);
  EACH(refund, vector_http_refund_cases);
  return expect_report(stdout, "http");
}
