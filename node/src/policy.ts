import { LIST, MOST_POLICIES, POLICY_LENGTH, engine } from "./engine.js";
import { integer, judgeOptions, wrongType } from "./error.js";

/** At most `limit` permits in each window; windows are aligned to the clock. */
export interface FixedWindow {
  readonly algorithm: "fixed_window";
  /** Permits per window, 0 to 2^32 - 1. */
  readonly limit: number;
  /** Length of a window, 1 to 31 622 400 000 (366 days). */
  readonly windowMs: number;
}

/** A bucket that starts full and gains `refill` permits every `refillPeriodMs`, spread evenly. */
export interface TokenBucket {
  readonly algorithm: "token_bucket";
  /** Permits that the bucket holds, 0 to 2^32 - 1. */
  readonly capacity: number;
  /** Permits gained each period, 1 to 2^32 - 1. */
  readonly refill: number;
  /** Length of a period, 1 to 31 622 400 000 (366 days). */
  readonly refillPeriodMs: number;
}

/** At most `limit` permits in any span of `windowMs`, exactly. */
export interface SlidingWindow {
  readonly algorithm: "sliding_window";
  /** Permits per window, 0 to 2^32 - 1; of it and `windowMs` the smaller is at most 100 000. */
  readonly limit: number;
  /** Length of the window, 1 to 31 622 400 000 (366 days). */
  readonly windowMs: number;
}

/** States how many permits a key may take. Plain data: nothing is judged before a limiter is made of it. */
export type Policy = FixedWindow | TokenBucket | SlidingWindow;

/** A length of time, in one unit or the other. */
export type Window =
  | { readonly perSeconds: number; readonly windowMs?: never }
  | { readonly windowMs: number; readonly perSeconds?: never };

/**
 * Builds a fixed window: at most `limit` permits in each window.
 *
 * ```js
 * const policy = fixedWindow({ limit: 100, perSeconds: 60 });
 * assert.equal(new Limiter(policy).toString(), "fixed 100/minute");
 * ```
 */
export function fixedWindow(options: { readonly limit: number } & Window): FixedWindow {
  return windowed("fixed_window", options);
}

/**
 * Builds a token bucket: `capacity` permits at once, then `refillPerSecond` a second, or `refill` every
 * `refillPeriodMs`, spread evenly.
 *
 * ```js
 * const policy = tokenBucket({ capacity: 10, refillPerSecond: 1 });
 * assert.equal(new Limiter(policy).toString(), "bucket 10 + 1/second");
 * ```
 */
export function tokenBucket(
  options: { readonly capacity: number } & (
    | { readonly refillPerSecond: number; readonly refill?: never; readonly refillPeriodMs?: never }
    | { readonly refill: number; readonly refillPeriodMs: number; readonly refillPerSecond?: never }
  ),
): TokenBucket {
  judgeOptions(options, "capacity", "refillPerSecond", "refill", "refillPeriodMs", "algorithm");
  const { capacity, refillPerSecond, refill, refillPeriodMs } = options;
  const algorithm = "token_bucket";
  if (refillPerSecond === undefined) return { algorithm, capacity, refill, refillPeriodMs };
  if (refill !== undefined || refillPeriodMs !== undefined) {
    wrongType("refillPerSecond", refillPerSecond, "left out where refill or refillPeriodMs is given");
  }
  return { algorithm, capacity, refill: refillPerSecond, refillPeriodMs: 1000 };
}

/**
 * Builds a sliding window: at most `limit` permits in any span of the window, exact to the millisecond.
 *
 * ```js
 * const policy = slidingWindow({ limit: 3, windowMs: 3_600_000 });
 * assert.equal(new Limiter(policy).toString(), "sliding 3/hour");
 * ```
 */
export function slidingWindow(options: { readonly limit: number } & Window): SlidingWindow {
  return windowed("sliding_window", options);
}

/** Builds a policy of a window. A policy may be handed back as options, so its algorithm may stand among them. */
function windowed<A>(algorithm: A, options: { readonly limit: number } & Window) {
  judgeOptions(options, "limit", "perSeconds", "windowMs", "algorithm");
  const { limit, perSeconds, windowMs } = options;
  if (perSeconds === undefined) return { algorithm, limit, windowMs: windowMs as number };
  if (windowMs !== undefined) wrongType("windowMs", windowMs, "left out where perSeconds is given");
  if (typeof perSeconds !== "number") wrongType("perSeconds", perSeconds, "a number");
  return { algorithm, limit, windowMs: milliseconds(perSeconds) };
}

/** Returns seconds as milliseconds; of thousandths, which no number is exactly, as many as are written. */
function milliseconds(seconds: number): number {
  const whole = Math.round(seconds * 1000);
  return whole / 1000 === seconds ? whole : seconds * 1000;
}

/** How algorithms are counted in the slots, and where their numbers stand. */
const SHAPES = [
  ["fixed_window", [["limit", "limit"], ["windowMs", "window_ms"]]],
  ["token_bucket", [["capacity", "capacity"], ["refill", "refill"], ["refillPeriodMs", "refill_period_ms"]]],
  ["sliding_window", [["limit", "limit"], ["windowMs", "window_ms"]]],
] as const;

/** Writes policies into the list; none, if they are more than any limiter takes: that is judged first. */
export function write(policies: readonly Policy[]): void {
  if (policies.length > MOST_POLICIES) return;
  const numbers = policies.flatMap((policy) => {
    const algorithm = SHAPES.findIndex(([name]) => name === policy?.algorithm);
    const shape = SHAPES[algorithm] ?? wrongType("policies", policy, "text, a policy or a list of policies");
    const members = policy as unknown as Record<string, unknown>;
    const values = shape[1].map(([name, field]) => {
      const value = members[name];
      // A length of time with a fraction has an error of its own.
      return field.endsWith("_ms") && isFraction(value) ? value : integer(field, value);
    });
    return [algorithm, ...values, 0].slice(0, POLICY_LENGTH);
  });
  engine.slots.set(numbers, LIST);
}

function isFraction(value: unknown): value is number {
  return Number.isFinite(value) && !Number.isInteger(value) && (value as number) > 0;
}

/** Reads as many policies from the list. */
export function read(count: number): Policy[] {
  return Array.from({ length: count }, (_, index) => {
    const [algorithm, ...numbers] = engine.slots.subarray(LIST + index * POLICY_LENGTH);
    const [name, fields] = SHAPES[algorithm as 0 | 1 | 2];
    const members = fields.map(([member], at) => [member, numbers[at]]);
    return Object.freeze({ algorithm: name, ...Object.fromEntries(members) }) as Policy;
  });
}
