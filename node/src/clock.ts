import { integer, refuse } from "./error.js";

/** Tells a limiter the time in milliseconds, an integer from 0 to 2^52 - 1. */
export type Clock = ManualClock | (() => number);

/**
 * Stands still until it is told to move: the clock for tests. Times are integers of milliseconds, 0 to 2^52 - 1; any
 * other value throws and moves nothing. Several limiters may share one clock.
 *
 * ```js
 * const clock = new ManualClock(0);
 * const limiter = new Limiter("1/second", { clock });
 * assert.deepEqual([limiter.allow("ada"), limiter.allow("ada")], [true, false]);
 * clock.advance(1000);
 * assert.equal(limiter.allow("ada"), true);
 * ```
 */
export class ManualClock {
  #nowMs: number;

  /** Stands at `nowMs`. */
  constructor(nowMs = 0) {
    this.#nowMs = judged("now_ms", nowMs);
  }

  /** Returns the time. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Sets the time, forwards or back. */
  set(nowMs: number): void {
    this.#nowMs = judged("now_ms", nowMs);
  }

  /** Moves the time on by so many milliseconds. */
  advance(ms: number): void {
    this.#nowMs = judged("now_ms", this.#nowMs + judged("ms", ms));
  }
}

function judged(field: "now_ms" | "ms", value: number): number {
  const ms = integer(field, value);
  return ms >= 0 && ms < 2 ** 52 ? ms : refuse(field, ms);
}

/** Held, for in Node.js the name is that of a getter, which costs as much as the clock. */
const { performance } = globalThis;

let offsetMs: number | undefined;

/**
 * Reads Unix time, fixed when it is first asked for (a worker that loads has none) and carried on by the monotonic
 * clock: setting the machine's clock changes nothing.
 */
export function systemMs(): number {
  const monotonicMs = performance.now();
  offsetMs ??= Date.now() - monotonicMs;
  return Math.max(0, Math.floor(offsetMs + monotonicMs));
}
