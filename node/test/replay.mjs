// Replays the vectors by public names only. Runs in every runtime, so it imports nothing.

const WAYS = ["check", "peek then check", "batch of one", "batch of many", "doubled"];

/**
 * Runs every case of the files in every way that fits it. Returns how much ran, and a sentence for each failure.
 */
export function replay(api, files) {
  const report = { worlds: 0, steps: 0, configs: 0, texts: 0, failures: [] };
  for (const { name: file, cases } of files) {
    for (const each of cases) {
      const place = `${file}/${each.name}`;
      const note = (failure) => report.failures.push(`${place}: ${failure}\n  ${each.why}`);
      if (each.type === "world") {
        for (const way of WAYS) {
          if (way === "doubled" && each.policies.length > 1) continue;
          runWorld(api, each, way, (failure) => note(`(${way}) ${failure}`));
          report.worlds += 1;
          report.steps += each.steps.length;
        }
      } else if (each.type === "config") {
        const { policies } = each;
        const stacks = policies.length === 1 ? [policies, [...policies, ...policies]] : [policies];
        for (const stack of stacks) {
          compare(note, each.expect, attempt(() => (make(api, stack, each.max_identities), { accepted: true })));
        }
        report.configs += 1;
      } else {
        runText(api, each, note);
        report.texts += 1;
      }
    }
  }
  return report;
}

function runText(api, { text, expect }, note) {
  const read = (text) =>
    attempt(() => {
      const limiter = new api.Limiter(text);
      return { policies: limiter.policies.map(snakeCased), canonical: limiter.toString() };
    });
  compare(note, expect, read(text));
  if (expect.canonical === undefined) return;
  compare(note, expect, read(expect.canonical));
  compare(note, expect.canonical, attempt(() => make(api, expect.policies).limiter.toString()));
}

function runWorld(api, world, way, note) {
  const policies = way === "doubled" ? [...world.policies, ...world.policies] : world.policies;
  const { limiter, clock } = make(api, policies, world.max_identities);
  const answers = [];
  while (answers.length < world.steps.length) {
    const at = answers.length;
    const step = world.steps[at];
    const say = (failure) => note(`step ${at}: ${failure}`);
    if (step.op === "check" && way === "batch of many") batch(limiter, clock, world.steps.slice(at), answers, say);
    else answers.push(runStep(limiter, clock, step, way, answers, say));
  }
}

/** Runs one step, compares, and returns the decision that it made, if it made one. */
function runStep(limiter, clock, step, way, answers, say) {
  const key = step.key === undefined ? undefined : keyOf(step.key);
  const [cost, now] = [number(step.cost), number(step.now_ms)];
  let decision;
  const plain = (name, run) => attempt(() => ({ [name]: run() }));
  const decided = (run) => attempt(() => snakeDecision((decision = run())));
  let got;
  switch (step.op) {
    case "check":
      if (way === "peek then check") {
        const before = limiter.stats();
        compare(say, step.expect, decided(() => limiter.peekAt(key, now, cost)));
        compare(say, before, limiter.stats());
      }
      got = decided(() => {
        if (way !== "batch of one") return limiter.checkAt(key, now, cost);
        clock.set(now);
        const [only, ...others] = limiter.checkMany([key], cost);
        return others.length === 0 ? only : undefined;
      });
      break;
    case "peek":
      got = decided(() => limiter.peekAt(key, now, cost));
      break;
    case "remaining":
      got = plain("remaining", () => limiter.remainingAt(key, now));
      break;
    case "refund": {
      const given = step.decision === undefined ? answers[step.of] : camelDecision(step.decision);
      got = plain("refunded", () => limiter.refundAt(key, given, now));
      break;
    }
    case "reset":
      got = plain("had_row", () => limiter.reset(key));
      break;
    case "sweep":
      got = plain("removed", () => limiter.sweepAt(now));
      break;
    case "len":
      got = plain("len", () => limiter.size);
      break;
    case "stats":
      got = plain("stats", () => snakeCased(limiter.stats()));
      break;
    case "clear":
      limiter.clear();
      got = step.expect;
      break;
    default:
      got = `no such step: ${step.op}`;
  }
  compare(say, step.expect, got);
  return decision;
}

/** Checks as many steps as can be one batch, after an empty one that must do nothing. */
function batch(limiter, clock, steps, answers, say) {
  const [{ cost, now_ms }] = steps;
  let length = steps.findIndex((step) => step.op !== "check" || step.cost !== cost || step.now_ms !== now_ms);
  if (length < 0) length = steps.length;
  const expected = steps.slice(0, length).map(({ expect }) => expect);
  const failure = expected.find(({ error }) => error !== undefined);
  let decisions = Array(length).fill(undefined);
  const got = attempt(() => {
    clock.set(number(now_ms));
    if (failure?.error.field !== "now_ms") compare(say, [], limiter.checkMany([], 1));
    decisions = limiter.checkMany(steps.slice(0, length).map(({ key }) => keyOf(key)), number(cost));
    return decisions.map(snakeDecision);
  });
  compare(say, failure ?? expected, got);
  answers.push(...decisions);
}

function make(api, policies, maxIdentities) {
  const clock = new api.ManualClock();
  const options = { clock, maxIdentities: maxIdentities === undefined ? undefined : number(maxIdentities) };
  const made = policies.map((policy) => {
    switch (policy.algorithm) {
      case "fixed_window":
        return api.fixedWindow({ limit: number(policy.limit), windowMs: number(policy.window_ms) });
      case "sliding_window":
        return api.slidingWindow({ limit: number(policy.limit), windowMs: number(policy.window_ms) });
      default: {
        const [refill, refillPeriodMs] = [number(policy.refill), number(policy.refill_period_ms)];
        return api.tokenBucket({ capacity: number(policy.capacity), refill, refillPeriodMs });
      }
    }
  });
  return { limiter: new api.Limiter(made, options), clock };
}

/** Numbers that no double holds are rounded, and stay out of every range. */
function number(value) {
  return typeof value === "string" ? Number(value) : value;
}

function keyOf({ text, hex, parts }) {
  if (text !== undefined) return text;
  return hex === undefined ? parts.map(bytesOf) : bytesOf(hex);
}

function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Returns what came out, or the error in the contract's words. */
function attempt(run) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError) || typeof error.number !== "number") throw error;
    const { number: code, code: name, field, offset } = error;
    return { error: offset === null ? { code, name, field } : { code, name, field, offset } };
  }
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function snakeCased(object) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [snake(name), value]));
}

function snakeDecision({ allowed, ...fields }) {
  if (allowed !== (fields.kind === "allowed")) return `allowed is ${allowed}, kind ${fields.kind}`;
  return snakeCased(fields);
}

function camelDecision(decision) {
  const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  const fields = Object.entries(decision).map(([name, value]) => [camel(name), value]);
  return { ...Object.fromEntries(fields), allowed: decision.kind === "allowed" };
}

function compare(say, expected, got) {
  const [wanted, found] = [sorted(expected), sorted(got)].map((value) => JSON.stringify(value));
  if (wanted !== found) say(`expected ${wanted}\n  got      ${found}`);
}

/** Puts the members of objects in one order. */
function sorted(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}
