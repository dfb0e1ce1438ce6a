/// <reference lib="esnext.disposable" preserve="true" />
import { ManualClock, type Clock } from "./clock.js";
import { type Decision, given, read as readDecision, write as writeDecision } from "./decision.js";
import {
  ANSWER, BATCH, COST, COUNT, LIMITER, LIST, NOW, engine, type Verb,
} from "./engine.js";
import { answer, integer, judgeOptions, raise, wrongType } from "./error.js";
import { type Key, areText, encode, judge, read } from "./key.js";
import { type Policy, read as readPolicies, write as writePolicies } from "./policy.js";
import { tellWarnings } from "./warning.js";

/** Rows that a limiter may keep unless it is told otherwise. */
export const DEFAULT_MAX_IDENTITIES = 100_000;

/** What a limiter may be told beside its policies. */
export interface Options {
  /** Rows that may exist, 1 to 2^32 - 1. A new key beyond them is refused, none is forgotten for it. */
  readonly maxIdentities?: number | undefined;
  /** Where calls without a time of their own read it; the system's clock unless it is given. */
  readonly clock?: Clock | undefined;
}

/** Counts decisions by kind, since the limiter was made. Peeks count nothing. */
export interface Stats {
  readonly allowed: number;
  readonly denied: number;
  readonly saturated: number;
  readonly exceedsLimit: number;
}

/** Lets another thread of this process open a limiter; it can be sent to a worker as it is. */
export interface Handle {
  readonly ratelimit: number;
}

/** What is left of a limiter that was ended: the engine has none of this number. */
const ENDED = 0;

const collected = new FinalizationRegistry<number>((limiter) => free(limiter));

/**
 * Decides who may go on: one policy, or a stack of up to four that allow together or not at all, over at most
 * `maxIdentities` keys.
 *
 * Make one and share it; never one per request. A refusal is a decision, not an error: only arguments that make no
 * sense throw, a `RangeError` or `TypeError` whose `code` is the same word in every language, and whatever throws has
 * changed nothing. A limiter starts no timer and keeps no process alive, and nobody has to free it.
 *
 * A verb in `At` takes the caller's clock: milliseconds, 0 to 2^52 - 1. Time never goes back for a key, so a time far
 * in the future freezes keys until then; `clear` ends that.
 *
 * ```js
 * const limiter = new Limiter("5/second; 1000/day");
 * if (!limiter.allow("203.0.113.7")) console.log("slow down");
 * ```
 */
export class Limiter {
  #limiter = ENDED;
  #nowMs: (() => number) | undefined;

  /**
   * Makes a limiter of text such as `"100/minute"` or `"sliding 5/s; bucket 10 + 1/30s"`, of a policy, or of a list of
   * 1 to 4. Throws if the text cannot be read or a number is out of its range; the error names the field, the value and
   * the rule, and for text has an `offset`.
   */
  constructor(policies: string | Policy | readonly Policy[], options: Options = {}) {
    judgeOptions(options, "maxIdentities", "clock");
    // What may be a function of the caller's is read once, before the engine has a limiter that it could leave behind.
    const { maxIdentities, clock } = options;
    judgeClock(clock);
    if (policies instanceof Opened) {
      this.#hold(policies.limiter, clock);
      return;
    }
    tellWarnings();
    const most = maxIdentities === undefined ? NaN : integer("max_identities", maxIdentities);
    if (typeof policies === "string") {
      engine.slots[COST] = most;
      engine.makeFromText(policies);
    } else {
      const list = Array.isArray(policies) ? read(policies) : [policies];
      writePolicies(list);
      engine.slots[COST] = most;
      engine.slots[COUNT] = list.length;
      engine.make();
    }
    this.#hold(answer(), clock);
  }

  /**
   * Opens a limiter that another thread shares: the same rows, the same counts. Throws if the handle is of another
   * process. The clock is this thread's own.
   */
  static open(handle: Handle, options: Pick<Options, "clock"> = {}): Limiter {
    const number = handle?.ratelimit;
    if (!Number.isInteger(number)) wrongType("handle", handle, "what share returned");
    judgeOptions(options, "clock");
    const { clock } = options;
    judgeClock(clock);
    engine.slots[COUNT] = number;
    engine.open();
    return opened(answer(), { clock });
  }

  #hold(limiter: number, clock: Clock | undefined): void {
    this.#nowMs = clock instanceof ManualClock ? () => clock.nowMs : clock;
    this.#limiter = limiter;
    collected.register(this, limiter, this);
  }

  /** Reads the limiter's own clock; NaN if that is the engine's. */
  #now(): number {
    return this.#nowMs === undefined ? NaN : integer("now_ms", this.#nowMs());
  }

  /**
   * Writes what a call on a key begins with, and returns the key's bytes. What may run a caller's code comes before the
   * first slot is written.
   */
  #begin(key: Key, nowMs: number, cost = 1, decision?: Decision): string | Uint8Array {
    // Text is asked for by itself and first: a check of it has nothing else to ask.
    const own = typeof key === "string" ? key : read(key);
    if (decision !== undefined) writeDecision(decision);
    const bytes = typeof own === "string" ? own : encode(own);
    if (!Number.isSafeInteger(cost)) integer("cost", cost);
    const { slots } = engine;
    slots[LIMITER] = this.#limiter;
    slots[COST] = cost;
    slots[NOW] = nowMs;
    slots[COUNT] = typeof own !== "string" && Array.isArray(own) ? own.length : -1;
    return bytes;
  }

  /** Runs a verb that takes no key. */
  #plain(verb: Verb, nowMs = NaN): number {
    engine.slots[LIMITER] = this.#limiter;
    engine.slots[NOW] = nowMs;
    verb();
    return answer();
  }

  /** Decides now, and takes `cost` permits if allowed. `cost` is 1 to 2^32 - 1. */
  check(key: Key, cost = 1): Decision {
    engine.check(this.#begin(key, this.#now(), cost));
    return decision();
  }

  /** Decides at `nowMs`, and takes `cost` permits if allowed. */
  checkAt(key: Key, nowMs: number, cost = 1): Decision {
    engine.check(this.#begin(key, integer("now_ms", nowMs), cost));
    return decision();
  }

  /** Does what `check` does, and says only whether it was allowed. */
  allow(key: Key, cost = 1): boolean {
    engine.check(this.#begin(key, this.#now(), cost));
    return answer() === 0;
  }

  /** Returns what `check` would, and takes nothing. To take, call `check` and read its answer. */
  peek(key: Key, cost = 1): Decision {
    engine.peek(this.#begin(key, this.#now(), cost));
    return decision();
  }

  /** Returns what `checkAt` would, and takes nothing. */
  peekAt(key: Key, nowMs: number, cost = 1): Decision {
    engine.peek(this.#begin(key, integer("now_ms", nowMs), cost));
    return decision();
  }

  /** Checks each key in order at one reading of the clock, each on its own, repeats included. */
  checkMany(keys: readonly Key[], cost = 1): Decision[] {
    if (!Array.isArray(keys)) wrongType("keys", keys, "a list of keys");
    // The engine reads its clock once a batch, so for more than one it is read here.
    const nowMs = this.#nowMs === undefined && keys.length > BATCH ? this.#plain(engine.now) : this.#now();
    const own = read(keys);
    let runs = own as readonly (string | Uint8Array)[];
    if (!areText(own)) {
      const all = own.map(read);
      all.forEach(judge);
      if (all.some(Array.isArray)) {
        const at = Number.isNaN(nowMs) ? this.#plain(engine.now) : nowMs;
        // Not by `checkAt`, which a class that extends this one may have changed: so it would be in this case alone.
        return all.map((key) => {
          engine.check(this.#begin(key, at, cost));
          return decision();
        });
      }
      runs = (all as Exclude<Key, readonly unknown[]>[]).map((key) => (typeof key === "string" ? key : encode(key)));
    }
    integer("cost", cost);
    const decisions = new Array<Decision>(runs.length);
    let from = 0;
    do {
      const batch = runs.length > BATCH ? runs.slice(from, from + BATCH) : runs;
      this.#batch(batch, nowMs, cost, decisions, from);
      from += BATCH;
    } while (from < runs.length);
    return decisions;
  }

  /** Checks at most as many keys as a batch may have, and puts the decisions into a list, from a place on. */
  #batch(keys: readonly (string | Uint8Array)[], nowMs: number, cost: number, to: Decision[], from: number): void {
    const { slots } = engine;
    slots[LIMITER] = this.#limiter;
    slots[COST] = cost;
    slots[NOW] = nowMs;
    engine.checkMany(keys);
    answer();
    for (let index = 0; index < keys.length; index++) to[from + index] = readDecision(index);
  }

  /**
   * Returns the largest cost that a check would allow now; 0 if none, also for a new key that finds no room. A
   * snapshot: to take, call `check` and read its answer.
   */
  remaining(key: Key): number {
    engine.remaining(this.#begin(key, this.#now()));
    return answer();
  }

  /** Does what `remaining` does, at `nowMs`. */
  remainingAt(key: Key, nowMs: number): number {
    engine.remaining(this.#begin(key, integer("now_ms", nowMs)));
    return answer();
  }

  /**
   * Gives back what an allowed decision took, while its window, log entry or unrefilled level still holds it. Returns
   * the permits given back: 0 for any other decision, or when time has given them back already. Nothing ever rises
   * above its limit, however often a decision is given back.
   */
  refund(key: Key, decision: Decision): number {
    engine.refund(this.#begin(key, this.#now(), 1, given(decision)));
    return answer();
  }

  /** Does what `refund` does, at `nowMs`. */
  refundAt(key: Key, decision: Decision, nowMs: number): number {
    engine.refund(this.#begin(key, integer("now_ms", nowMs), 1, given(decision)));
    return answer();
  }

  /** Forgets a key, and all it owes; says whether it had a row. */
  reset(key: Key): boolean {
    engine.reset(this.#begin(key, NaN));
    return answer() === 1;
  }

  /** Removes every row that owes nothing any more, and returns how many. Sweeps also fall due by themselves. */
  sweep(): number {
    return this.#plain(engine.sweep, this.#now());
  }

  /** Does what `sweep` does, at `nowMs`: no key is decided at an earlier time after it. */
  sweepAt(nowMs: number): number {
    return this.#plain(engine.sweep, integer("now_ms", nowMs));
  }

  /** Forgets every key and every time seen; the counts of `stats` stay. */
  clear(): void {
    this.#plain(engine.clear);
  }

  /** Returns how many keys have a row. A sweep that has fallen due is finished first. */
  get size(): number {
    return this.#plain(engine.size);
  }

  /** Returns the decisions counted since the limiter was made. */
  stats(): Stats {
    this.#plain(engine.stats);
    const [allowed, denied, saturated, exceedsLimit] = engine.slots.subarray(LIST) as unknown as number[];
    return { allowed, denied, saturated, exceedsLimit } as Stats;
  }

  /** Returns the policies, in the order in which a decision's `policy` counts them. */
  get policies(): readonly Policy[] {
    return Object.freeze(readPolicies(this.#plain(engine.policies)));
  }

  /** Returns how many rows may exist. */
  get maxIdentities(): number {
    return this.#plain(engine.maxIdentities);
  }

  /** Returns the policies as text that makes the same limiter, the algorithm always named. */
  toString(): string {
    this.#plain(engine.policiesText);
    return engine.text();
  }

  /**
   * Gives a handle by which other threads of this process open this limiter. It then lives as long as the process.
   * Throws where there is no native addon: wasm has one thread.
   */
  share(): Handle {
    return { ratelimit: this.#plain(engine.share) };
  }

  /** Ends the limiter at once, where its memory should not wait to be collected. Every later call of it throws. */
  [Symbol.dispose](): void {
    free(this.#limiter);
    collected.unregister(this);
    this.#limiter = ENDED;
  }
}

/** Carries a limiter that the engine has already, past the constructor. */
class Opened {
  constructor(readonly limiter: number) {}
}

/** Makes the limiter of what was opened. A class that names itself in its body is renamed by the bundler. */
function opened(limiter: number, options: Options): Limiter {
  return new Limiter(new Opened(limiter) as never, options);
}

/** Throws if a clock can tell no time. */
function judgeClock(clock: unknown): void {
  const fits = clock === undefined || clock instanceof ManualClock || typeof clock === "function";
  if (!fits) wrongType("clock", clock, "a ManualClock or a function");
}

/** Returns the decision that the engine has answered with, or throws. */
function decision(): Decision {
  return (engine.slots[ANSWER] as number) < 0 ? raise() : readDecision(0);
}

function free(limiter: number): void {
  engine.slots[LIMITER] = limiter;
  engine.free();
}
