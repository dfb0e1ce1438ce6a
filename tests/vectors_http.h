/* What vectors_http.inc is written in. Include vectors.h first, then this, then vectors_http.inc:
 *
 * It then defines an array and its count for each type of case, such as vector_http_client_cases and
 * VECTOR_HTTP_CLIENT_COUNT. They mean what vectors/http-schema.json says of the same cases; a missing_key is an answer
 * to no limit. VECTOR_HTTP_LEFT_OUT_COUNT cases ask what C cannot ask, and are not among them.
 */
#ifndef RATELIMIT_VECTORS_HTTP_H
#define RATELIMIT_VECTORS_HTTP_H

#include "vectors.h"

/* The key of an address is "unknown" where it is none. */
struct vector_http_address {
  const char *file;
  const char *name;
  const char *why;
  struct vector_bytes text;
  uint64_t ipv6_prefix;
  const char *key;
  int is_address;
};

/* Without a forwarding field of its own the case has the default. */
struct vector_http_client {
  const char *file;
  const char *name;
  const char *why;
  uint64_t hops;
  const struct vector_bytes *networks;
  size_t network_count;
  struct vector_bytes field;
  uint64_t ipv6_prefix;
  int has_peer;
  struct vector_bytes peer;
  const struct vector_bytes *lines;
  size_t line_count;
  const char *key;
  int untrusted_field;
  struct vector_error error;
};

/* The key's bytes are NULL where there is none. */
struct vector_http_header {
  const char *file;
  const char *name;
  const char *why;
  const struct vector_bytes *lines;
  size_t line_count;
  struct vector_bytes key;
};

struct vector_http_parts {
  const char *file;
  const char *name;
  const char *why;
  const struct vector_bytes *parts;
  size_t part_count;
  struct vector_bytes joined;
};

/* style is 0 for standard, 1 for legacy, 2 for off. */
struct vector_http_limit {
  const struct vector_policy *policies;
  size_t policy_count;
  const struct vector_bytes *names;
  size_t name_count;
  int style;
  uint32_t saturated_status;
  struct vector_decision decision;
};

/* fields are lines that end in CR and LF; status is 0 where all limits allowed. */
struct vector_http_answer {
  const char *file;
  const char *name;
  const char *why;
  const struct vector_http_limit *limits;
  size_t limit_count;
  const struct vector_bytes *accept;
  size_t accept_count;
  const char *fields;
  uint32_t status;
  const char *content_type;
  const char *body;
  struct vector_error error;
};

struct vector_http_range {
  uint32_t first;
  uint32_t last;
};

/* outcome is a status; 0 for no response; UINT32_MAX where a limit further in refused. */
struct vector_http_refund {
  const char *file;
  const char *name;
  const char *why;
  const struct vector_http_range *ranges;
  size_t range_count;
  uint32_t outcome;
  int refunds;
  struct vector_error error;
};

#endif
