import { ANSWER, COST, COUNT, engine } from "./engine.js";

/** Fields as the errors of every language name them. `bindings/javascript/src/engine.rs` counts them alike. */
const FIELDS = [
  "limit",
  "capacity",
  "window_ms",
  "refill",
  "refill_period_ms",
  "cost",
  "now_ms",
  "max_identities",
  "policies",
  "ms",
] as const;

export type Field = (typeof FIELDS)[number];

/** What each error that this package throws has beside its message. */
export interface Details {
  /** The error's word, stable and the same in every language: `out_of_range`, `policy_syntax` … */
  code: string;
  /** The error's number, the same in every language; 0 for those that only this package has. */
  number: number;
  /** What it speaks of. */
  field: string;
  /** Where it begins in the text that was read; `null` if the value did not come from text. */
  offset: number | null;
}

type Constructor = new (message: string) => Error;

/** Throws what the engine's last failure says. */
export function raise(kind: Constructor = RangeError): never {
  const [number, code = "", field = "", offset, ...message] = engine.failure().split("\n");
  const details = { code, number: Number(number), field, offset: offset === "" ? null : Number(offset) };
  throw Object.assign(new (details.number === 0 ? Error : kind)(message.join("\n")), details satisfies Details);
}

/** Returns the engine's answer, or throws. */
export function answer(): number {
  const answer = engine.slots[ANSWER] as number;
  return answer < 0 ? raise() : answer;
}

/** Returns a number that the engine may judge, or throws the engine's error about what is none. */
export function integer(field: Field, value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : refuse(field, value);
}

/** Throws the engine's error about a number that is none, or out of its field's range. */
export function refuse(field: Field, value: unknown): never {
  const whole = Number.isInteger(value);
  engine.slots[COUNT] = FIELDS.indexOf(field);
  engine.slots[COST] = whole ? 1 : 0;
  engine.refuse(whole ? BigInt(value as number).toString() : show(value));
  raise(typeof value === "number" ? RangeError : TypeError);
}

/** Throws that an argument is of a type that it may not be. */
export function wrongType(field: string, value: unknown, wanted: string): never {
  mistaken(field, show(value), wanted);
}

/** Throws if these are no options, or if one has a name that none has. What is undefined is not given. */
export function judgeOptions(options: unknown, ...names: string[]): void {
  if (typeof options !== "object" || options === null) wrongType("options", options, "an object");
  const above = Object.getPrototypeOf(options);
  // An object of a class may hold what it likes beside them; a plain one, of whichever realm, is written as options.
  if (above !== null && Object.getPrototypeOf(above) !== null) return;
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !names.includes(name)) mistaken(name, "no option", `one of ${names.join(", ")}`);
  }
}

function mistaken(field: string, is: string, wanted: string): never {
  const details: Details = { code: "wrong_type", number: 0, field, offset: null };
  throw Object.assign(new TypeError(`${field} is ${is}, must be ${wanted}`), details);
}

/** Writes a value as its program would. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
