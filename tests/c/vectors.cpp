// Replays every vector through the C ABI as a C++ program would: handles that free themselves, keys from views, a clock
// that is an object. Each world is run as checks, as peeks that foretell them, and as batches.
#include "vectors.h"
#include "vectors.inc"

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <ratelimit.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "expect.h"
#include "layouts.h"

namespace {

static_assert(std::is_trivially_copyable_v<ratelimit_decision> && std::is_standard_layout_v<ratelimit_config>);

enum class Way { check, peek_then_check, batch };
constexpr std::array ways{Way::check, Way::peek_then_check, Way::batch};

// What a call that failed says of itself.
struct Failure {
  ratelimit_status status;
  std::string field;
};

// Holds a decision, or a number, or why there is none.
template <typename T> struct Answer {
  std::optional<T> value;
  Failure failure;

  template <typename Call> static Answer of(Call call) {
    T value{};
    const ratelimit_status status = call(&value);
    if (status == RATELIMIT_OK) {
      return {value, {status, ""}};
    }
    return {std::nullopt, {status, ratelimit_last_error_field()}};
  }
};

struct Clock {
  std::uint64_t now_ms = 0;

  static std::uint64_t read(void *context) { return static_cast<Clock *>(context)->now_ms; }
};

struct Free {
  void operator()(ratelimit_limiter *limiter) const { EXPECT(ratelimit_free(limiter) == RATELIMIT_OK); }
};
using Handle = std::unique_ptr<ratelimit_limiter, Free>;

ratelimit_policy policy(const vector_policy &given) {
  return {static_cast<std::int32_t>(given.algorithm) + 1, given.limit, given.window_ms, given.refill};
}

// Makes a limiter, with a clock of the host if there is one.
Answer<Handle> make(const vector_policy *policies, std::size_t count, std::optional<std::uint64_t> cap, Clock *clock) {
  std::vector<ratelimit_policy> stack;
  for (std::size_t i = 0; i < count; i++) {
    stack.push_back(policy(policies[i]));
  }
  ratelimit_config config = RATELIMIT_CONFIG_INIT;
  config.policies = stack.data();
  config.policy_count = stack.size();
  config.max_identities = cap.value_or(RATELIMIT_DEFAULT_MAX_IDENTITIES);
  if (clock != nullptr) {
    config.clock = &Clock::read;
    config.clock_context = clock;
  }
  ratelimit_limiter *limiter = nullptr;
  const ratelimit_status status = ratelimit_new(&config, &limiter);
  if (status != RATELIMIT_OK) {
    return {std::nullopt, {status, ratelimit_last_error_field()}};
  }
  return {Handle(limiter), {status, ""}};
}

class Replay {
public:
  Replay(const vector_world &world, Way way) : world_(world), way_(way), decisions_(world.step_count) {
    const auto cap = world.has_max_identities ? std::optional(world.max_identities) : std::nullopt;
    auto made = make(world.policies, world.policy_count, cap, &clock_);
    if (!made.value) {
      throw std::runtime_error("a world's limiter is not made: " + made.failure.field);
    }
    limiter_ = std::move(*made.value);
  }

  // Returns whether all steps of the world went right, up to the first that did not.
  bool run() {
    for (std::size_t at = 0; at < world_.step_count; at++) {
      const vector_step &step = world_.steps[at];
      if (!EXPECT(is_right(step, decisions_[at]))) {
        std::fprintf(stderr, "%s %s, step %zu: %s\n", world_.file, world_.name, at, world_.why);
        return false;
      }
    }
    return true;
  }

private:
  ratelimit_key key(const vector_step &step) const {
    if (step.key >= world_.key_count) {
      return {nullptr, 0, RATELIMIT_KEY_PLAIN};
    }
    const vector_key &given = world_.keys[step.key];
    const std::string_view bytes(given.bytes.bytes, given.bytes.length);
    return {bytes.data(), bytes.size(), given.is_parts ? RATELIMIT_KEY_PARTS : RATELIMIT_KEY_PLAIN};
  }

  bool is_right(const vector_step &step, ratelimit_decision &decided) {
    // The greatest number is RATELIMIT_NOW; as a time that is out of range, the one below it does as well.
    const std::uint64_t now_ms = step.now_ms == RATELIMIT_NOW ? RATELIMIT_NOW - 1 : step.now_ms;
    const ratelimit_key who = key(step);
    ratelimit_limiter *const limiter = limiter_.get();
    switch (step.op) {
    case VECTOR_OP_CHECK:
      return check(step, who, now_ms, decided);
    case VECTOR_OP_PEEK:
      return decides(step, peek(step, who, now_ms), decided);
    case VECTOR_OP_REMAINING:
      return answers(step, Answer<std::uint32_t>::of([&](auto *out) {
                       return ratelimit_remaining(limiter, &who, now_ms, out);
                     }));
    case VECTOR_OP_REFUND: {
      const ratelimit_decision given = step.of < 0 ? decision(step.decision) : decisions_[std::size_t(step.of)];
      return answers(step, Answer<std::uint32_t>::of([&](auto *out) {
                       return ratelimit_refund(limiter, &who, &given, now_ms, out);
                     }));
    }
    case VECTOR_OP_RESET:
      return answers(step, Answer<bool>::of([&](auto *out) { return ratelimit_reset(limiter, &who, out); }));
    case VECTOR_OP_SWEEP:
      return answers(step, Answer<std::uint64_t>::of([&](auto *out) { return ratelimit_sweep(limiter, now_ms, out); }));
    case VECTOR_OP_LEN:
      return answers(step, Answer<std::uint64_t>::of([&](auto *out) { return ratelimit_len(limiter, out); }));
    case VECTOR_OP_STATS: {
      const auto got = Answer<ratelimit_stats_t>::of([&](auto *out) { return ratelimit_stats(limiter, out); });
      return got.value && got.value->allowed == step.answers[0] && got.value->denied == step.answers[1] &&
             got.value->saturated == step.answers[2] && got.value->exceeds_limit == step.answers[3];
    }
    case VECTOR_OP_CLEAR:
      return ratelimit_clear(limiter) == RATELIMIT_OK;
    }
    return false;
  }

  Answer<ratelimit_decision> peek(const vector_step &step, const ratelimit_key &who, std::uint64_t now_ms) const {
    return Answer<ratelimit_decision>::of(
        [&](auto *out) { return ratelimit_peek(limiter_.get(), &who, step.cost, now_ms, out); });
  }

  bool check(const vector_step &step, const ratelimit_key &who, std::uint64_t now_ms, ratelimit_decision &decided) {
    if (way_ == Way::peek_then_check && !decides(step, peek(step, who, now_ms), decided)) {
      return false;
    }
    clock_.now_ms = now_ms;
    const std::uint64_t at_ms = now_ms < std::uint64_t{1} << 52 ? RATELIMIT_NOW : now_ms;
    return decides(step, Answer<ratelimit_decision>::of([&](auto *out) {
                     return way_ == Way::batch ? ratelimit_check_many(limiter_.get(), &who, 1, step.cost, at_ms, out)
                                               : ratelimit_check(limiter_.get(), &who, step.cost, at_ms, out);
                   }),
                   decided);
  }

  static ratelimit_decision decision(const vector_decision &given) {
    ratelimit_decision made{};
    made.kind = static_cast<std::int32_t>(given.kind);
    made.policy = given.policy;
    made.limit = given.limit;
    made.remaining = given.remaining;
    made.cost = given.cost;
    made.reset_after_ms = given.reset_after_ms;
    made.retry_after_ms = given.retry_after_ms;
    made.at_ms = given.at_ms;
    return made;
  }

  static bool fails(const vector_error &expected, const Failure &failure) {
    return static_cast<int>(failure.status) == expected.code && failure.field == expected.field;
  }

  static bool decides(const vector_step &step, const Answer<ratelimit_decision> &got, ratelimit_decision &decided) {
    if (!got.value) {
      return fails(step.error, got.failure);
    }
    decided = *got.value;
    const ratelimit_decision expected = decision(step.decision);
    return step.error.code == 0 && std::memcmp(&decided, &expected, sizeof expected) == 0;
  }

  template <typename T> static bool answers(const vector_step &step, const Answer<T> &got) {
    if (!got.value) {
      return fails(step.error, got.failure);
    }
    return step.error.code == 0 && std::uint64_t{*got.value} == step.answers[0];
  }

  const vector_world &world_;
  const Way way_;
  Clock clock_;
  Handle limiter_;
  std::vector<ratelimit_decision> decisions_;
};

bool config_is_right(const vector_config &config) {
  const auto cap = config.has_max_identities ? std::optional(config.max_identities) : std::nullopt;
  const auto made = make(config.policies, config.policy_count, cap, nullptr);
  return static_cast<int>(made.failure.status) == config.error.code && made.failure.field == config.error.field;
}

bool text_is_right(const vector_text &text) {
  std::array<ratelimit_policy, RATELIMIT_MAX_POLICIES> policies;
  const std::string_view given(text.text.bytes, text.text.length);
  std::size_t count = 0;
  const ratelimit_status status =
      ratelimit_policies_from_text(given.data(), given.size(), policies.data(), policies.size(), &count);
  if (status != RATELIMIT_OK) {
    return static_cast<int>(status) == text.error.code && text.error.offset == ratelimit_last_error_offset() &&
           std::string_view(text.error.field) == ratelimit_last_error_field();
  }
  std::string written(256, '\0');
  std::size_t length = 0;
  if (ratelimit_policies_to_text(policies.data(), count, written.data(), written.size(), &length) != RATELIMIT_OK) {
    return false;
  }
  written.resize(length);
  return text.error.code == 0 && count == text.policy_count && written == text.canonical;
}

} // namespace

int main() {
  for (const vector_world &world : vector_worlds) {
    for (const Way way : ways) {
      Replay(world, way).run();
    }
  }
  for (const vector_config &config : vector_configs) {
    if (!EXPECT(config_is_right(config))) {
      std::fprintf(stderr, "%s %s: %s\n", config.file, config.name, config.why);
    }
  }
  for (const vector_text &text : vector_texts) {
    if (!EXPECT(text_is_right(text))) {
      std::fprintf(stderr, "%s %s: %s\n", text.file, text.name, text.why);
    }
  }
  return expect_report(stdout, "vectors");
}
