/* The declarations of ratelimit.h, for parsers that know no directives; its comments say what they mean.
 * RATELIMIT_NOW, RATELIMIT_NEVER and RATELIMIT_NO_OFFSET are the greatest values of their types. */

typedef enum {
  RATELIMIT_OK = 0,
  RATELIMIT_OUT_OF_RANGE = 1,
  RATELIMIT_NOT_WHOLE_MILLISECONDS = 2,
  RATELIMIT_BUCKET_TOO_LARGE = 3,
  RATELIMIT_SLIDING_LOG_TOO_LONG = 4,
  RATELIMIT_POLICY_COUNT = 5,
  RATELIMIT_POLICY_SYNTAX = 6,
  RATELIMIT_NOT_AN_INTEGER = 7,
  RATELIMIT_MALFORMED = 8,
  RATELIMIT_NULL_POINTER = 100,
  RATELIMIT_UNKNOWN_VALUE = 101,
  RATELIMIT_CONFIG_SIZE = 102,
  RATELIMIT_TOO_LONG = 103,
  RATELIMIT_BUFFER_TOO_SMALL = 104,
  RATELIMIT_FREED = 105,
  RATELIMIT_NOT_A_LIMITER = 106,
  RATELIMIT_PANICKED = 107,
} ratelimit_status;

typedef enum {
  RATELIMIT_FIXED_WINDOW = 1,
  RATELIMIT_TOKEN_BUCKET = 2,
  RATELIMIT_SLIDING_WINDOW = 3,
} ratelimit_algorithm;

typedef enum {
  RATELIMIT_KEY_PLAIN = 0,
  RATELIMIT_KEY_PARTS = 1,
} ratelimit_key_kind;

typedef enum {
  RATELIMIT_ALLOWED = 0,
  RATELIMIT_DENIED = 1,
  RATELIMIT_SATURATED = 2,
  RATELIMIT_EXCEEDS_LIMIT = 3,
} ratelimit_kind;

typedef enum {
  RATELIMIT_WARNING_FORKED = 1,
} ratelimit_warning;

typedef enum {
  RATELIMIT_HTTP_STANDARD = 0,
  RATELIMIT_HTTP_LEGACY = 1,
  RATELIMIT_HTTP_OFF = 2,
} ratelimit_http_style;

typedef struct ratelimit_limiter ratelimit_limiter;

typedef struct {
  int32_t algorithm;
  uint64_t limit;
  uint64_t window_ms;
  uint64_t refill;
} ratelimit_policy;

typedef uint64_t (*ratelimit_clock_fn)(void *context);

typedef void (*ratelimit_warning_fn)(void *context, int32_t warning, const char *message);

typedef struct {
  size_t size;
  const ratelimit_policy *policies;
  size_t policy_count;
  uint64_t max_identities;
  ratelimit_clock_fn clock;
  void *clock_context;
  ratelimit_warning_fn warning;
  void *warning_context;
} ratelimit_config;

typedef struct {
  const void *bytes;
  size_t length;
  int32_t kind;
} ratelimit_key;

typedef struct {
  int32_t kind;
  uint32_t policy;
  uint32_t limit;
  uint32_t remaining;
  uint32_t cost;
  uint32_t reserved;
  uint64_t reset_after_ms;
  uint64_t retry_after_ms;
  uint64_t at_ms;
} ratelimit_decision;

typedef struct {
  uint64_t allowed;
  uint64_t denied;
  uint64_t saturated;
  uint64_t exceeds_limit;
} ratelimit_stats_t;

typedef struct {
  const void *bytes;
  size_t length;
} ratelimit_part;

typedef struct {
  size_t size;
  uint64_t trusted_hops;
  const ratelimit_part *trusted_networks;
  size_t trusted_network_count;
  const char *forwarding_field;
  size_t forwarding_field_length;
  uint64_t ipv6_prefix;
} ratelimit_http_client_options;

typedef struct {
  size_t size;
  const ratelimit_policy *policies;
  size_t policy_count;
  const ratelimit_part *names;
  size_t name_count;
  int32_t fields;
  uint32_t saturated_status;
  const ratelimit_decision *decision;
} ratelimit_http_limit;

typedef struct {
  uint32_t first;
  uint32_t last;
} ratelimit_http_statuses;

ratelimit_status ratelimit_new(const ratelimit_config *config, ratelimit_limiter **limiter);

ratelimit_status ratelimit_new_from_text(const char *text, size_t length, ratelimit_limiter **limiter);

ratelimit_status ratelimit_free(ratelimit_limiter *limiter);

ratelimit_status ratelimit_check(ratelimit_limiter *limiter,
                                 const ratelimit_key *key,
                                 uint64_t cost,
                                 uint64_t now_ms,
                                 ratelimit_decision *decision);

ratelimit_status ratelimit_check_many(ratelimit_limiter *limiter,
                                      const ratelimit_key *keys,
                                      size_t count,
                                      uint64_t cost,
                                      uint64_t now_ms,
                                      ratelimit_decision *decisions);

ratelimit_status ratelimit_peek(const ratelimit_limiter *limiter,
                                const ratelimit_key *key,
                                uint64_t cost,
                                uint64_t now_ms,
                                ratelimit_decision *decision);

ratelimit_status ratelimit_remaining(const ratelimit_limiter *limiter,
                                     const ratelimit_key *key,
                                     uint64_t now_ms,
                                     uint32_t *remaining);

ratelimit_status ratelimit_refund(ratelimit_limiter *limiter,
                                  const ratelimit_key *key,
                                  const ratelimit_decision *decision,
                                  uint64_t now_ms,
                                  uint32_t *refunded);

ratelimit_status ratelimit_reset(ratelimit_limiter *limiter, const ratelimit_key *key, bool *had_row);

ratelimit_status ratelimit_sweep(ratelimit_limiter *limiter, uint64_t now_ms, uint64_t *removed);

ratelimit_status ratelimit_len(const ratelimit_limiter *limiter, uint64_t *len);

ratelimit_status ratelimit_stats(const ratelimit_limiter *limiter, ratelimit_stats_t *stats);

ratelimit_status ratelimit_clear(ratelimit_limiter *limiter);

ratelimit_status ratelimit_policies_from_text(const char *text,
                                              size_t length,
                                              ratelimit_policy *policies,
                                              size_t capacity,
                                              size_t *count);

ratelimit_status ratelimit_policies_to_text(const ratelimit_policy *policies,
                                            size_t count,
                                            char *buffer,
                                            size_t capacity,
                                            size_t *length);

ratelimit_status ratelimit_key_join(const ratelimit_part *parts,
                                    size_t count,
                                    void *buffer,
                                    size_t capacity,
                                    size_t *length);

ratelimit_status ratelimit_http_client(const ratelimit_http_client_options *options,
                                       const ratelimit_part *peer,
                                       const ratelimit_part *lines,
                                       size_t line_count,
                                       char *buffer,
                                       size_t capacity,
                                       size_t *length,
                                       bool *untrusted_field);

ratelimit_status ratelimit_http_header_key(const ratelimit_part *lines,
                                           size_t line_count,
                                           void *buffer,
                                           size_t capacity,
                                           size_t *length);

ratelimit_status ratelimit_http_fields(const ratelimit_http_limit *limits,
                                       size_t count,
                                       char *buffer,
                                       size_t capacity,
                                       size_t *length);

ratelimit_status ratelimit_http_refusal(const ratelimit_http_limit *limit,
                                        const ratelimit_part *accept,
                                        size_t accept_count,
                                        uint32_t *status,
                                        const char **content_type,
                                        char *buffer,
                                        size_t capacity,
                                        size_t *length);

ratelimit_status ratelimit_http_refunds(const ratelimit_http_statuses *ranges,
                                        size_t count,
                                        uint32_t status,
                                        bool *refunds);

const char *ratelimit_last_error_message(void);

const char *ratelimit_last_error_field(void);

size_t ratelimit_last_error_offset(void);

const char *ratelimit_status_text(int32_t status);

uint32_t ratelimit_abi_version(void);

const char *ratelimit_version(void);
