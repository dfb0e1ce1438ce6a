// The border between this package and the Rust below it, whichever build that is.
// `bindings/javascript/src/slots.rs` and `verb.rs` name the same places and count the same verbs.

/** Places of `slots`. */
export const ANSWER = 0;
export const LIMITER = 8;
export const COST = 9;
export const NOW = 10;
export const COUNT = 11;
export const LIST = 12;

/** Numbers of a decision and of a policy in the list; keys that one batch may have. */
export const DECISION_LENGTH = 8;
export const POLICY_LENGTH = 4;
export const BATCH = 64;
/** Policies that are written into the list; of more, only how many there are is told. */
export const MOST_POLICIES = 4;

/** Does what its name says with the numbers in the slots and a key, if it takes one. */
export type Verb = (key?: string | Uint8Array) => void;

export const VERBS = [
  "check",
  "peek",
  "remaining",
  "refund",
  "reset",
  "checkMany",
  "sweep",
  "size",
  "stats",
  "clear",
  "make",
  "makeFromText",
  "policies",
  "maxIdentities",
  "free",
  "now",
  "share",
  "open",
  "refuse",
  "policiesText",
  "makeClient",
  "client",
  "header",
  "makeTerms",
  "fields",
  "refusal",
  "refunds",
  "freeHttp",
] as const;

export type Verbs = Record<(typeof VERBS)[number], Verb>;

/** Checks each of at most so many keys as a batch may have. */
export type CheckMany = (keys: readonly (string | Uint8Array)[]) => void;

/**
 * Holds limiters by number. A call writes its numbers into `slots`, which may be another array after each verb, and
 * reads the answer there; -1 is a failure, which `failure` then tells. A time that is NaN is read from the system, a
 * count below 0 says that the key is a plain one.
 */
export interface Engine extends Omit<Verbs, "checkMany"> {
  readonly slots: Float64Array;
  /** The same memory, where decisions are packed. */
  readonly integers: Int32Array;
  readonly checkMany: CheckMany;
  failure(): string;
  text(): string;
}

/**
 * Runs the limiters of this module. One object from the beginning, whose members are set once: so compiled code takes
 * them for constants, and knows where the slots lie and how many there are.
 */
export const engine = {} as Engine;

/** Sets the engine: each entry point does it once, before anything else runs. */
export function install(installed: Engine): void {
  Object.assign(engine, installed);
}
