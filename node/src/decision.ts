import { DECISION_LENGTH, LIST, engine } from "./engine.js";
import { integer, wrongType } from "./error.js";

/** How kinds are counted in the slots. */
const KINDS = ["allowed", "denied", "saturated", "exceeds_limit"] as const;

/** The four answers; only `allowed` took permits. */
export type Kind = (typeof KINDS)[number];

/**
 * Tells whether a call was allowed, what is left, and when to come back. A plain object: it can be logged, sent and
 * stored. Waits are in milliseconds and counted from the call's own time.
 */
export interface Decision {
  /**
   * `allowed`: the permits are taken. `denied`: too little is left now. `saturated`: a new key found no room.
   * `exceeds_limit`: more was asked for than the limit, so waiting never helps.
   */
  readonly kind: Kind;
  /** Whether `kind` is `allowed`. */
  readonly allowed: boolean;
  /** The limit of the policy that the decision speaks of. */
  readonly limit: number;
  /** Permits that could still be taken at once; the least over the policies. */
  readonly remaining: number;
  /** The least wait after which the same call succeeds, if nobody else takes permits; `null` if none helps. */
  readonly retryAfterMs: number | null;
  /** Time until `remaining` next goes up; 0 if it is full. */
  readonly resetAfterMs: number;
  /** Index of that policy in the limiter's policies. */
  readonly policy: number;
  /** Permits that were asked for. */
  readonly cost: number;
  /** The time that was used. */
  readonly atMs: number;
}

/** Reads the decision at a place of the list, as `bindings/javascript/src/decision.rs` has written it. */
export function read(index: number): Decision {
  const { slots, integers } = engine;
  const at = LIST + index * DECISION_LENGTH;
  const from = 2 * at;
  const policy = integers[from + 1] as number;
  const limit = integers[from + 2] as number;
  const remaining = integers[from + 3] as number;
  const cost = integers[from + 4] as number;
  const atMs = slots[at + 6] as number;
  if (integers[from + 7] === 1) {
    // A plain one. All is read before the object is made, and nothing has to be looked at: so an engine writes each
    // member once.
    const resetAfterMs = integers[from + 6] as number;
    return { kind: "allowed", allowed: true, limit, remaining, retryAfterMs: 0, resetAfterMs, policy, cost, atMs };
  }
  const kind = integers[from] as number;
  const retryAfterMs = slots[at + 5] as number;
  return {
    kind: KINDS[kind] as Kind,
    allowed: kind === 0,
    limit: limit >>> 0,
    remaining: remaining >>> 0,
    retryAfterMs: retryAfterMs < 0 ? null : small(retryAfterMs),
    resetAfterMs: small(slots[at + 4] as number),
    policy,
    cost: cost >>> 0,
    atMs,
  };
}

/** Returns the same number, in the form that engines keep without an allocation where it is a small integer. */
function small(number: number): number {
  const integer = number | 0;
  return integer === number ? integer : number;
}

/** Returns a decision as the engine reads it. */
export function numbers(decision: Decision): number[] {
  const { kind, policy, limit, remaining, cost, resetAfterMs, retryAfterMs, atMs } = decision;
  return [KINDS.indexOf(kind), policy, limit, remaining, cost, resetAfterMs, retryAfterMs ?? -1, atMs];
}

/** Returns what may be a decision, or throws. */
export function given(decision: Decision): Decision {
  if (typeof decision !== "object" || decision === null) wrongType("decision", decision, "what check returned");
  return decision;
}

/** Writes what a refund looks at. */
export function write(decision: Decision): void {
  const kind = KINDS.indexOf(decision.kind);
  if (kind < 0) wrongType("decision.kind", decision.kind, "what check returned");
  const cost = integer("cost", decision.cost);
  const atMs = integer("now_ms", decision.atMs);
  const { slots } = engine;
  slots[0] = kind;
  slots[4] = cost;
  slots[7] = atMs;
}
