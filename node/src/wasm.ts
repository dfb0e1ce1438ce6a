import { systemMs } from "./clock.js";
import { ANSWER, COUNT, NOW, VERBS, engine, type Engine, type Verb, type Verbs } from "./engine.js";
import { lengthOf, pack } from "./key.js";

/** What `bindings/wasm` exports. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  slots(): number;
  buffer(length: number): number;
  seed(own: bigint, shared: bigint): void;
  run(verb: number, length: number): void;
  failure(): number;
  text(): number;
}

/** Numbers in the slots, as `bindings/javascript` has it. */
const SLOTS = 524;
/** Bytes that the buffer has room for between calls; text of a third of it fits whatever it is. */
const ROOM = 4096;
/** Room that a longer key leaves for the next: so much memory at most is kept for nothing. */
const KEPT = 1 << 16;

/** The verb that has to be quick. */
const CHECK = VERBS.indexOf("check");
const FREE = VERBS.indexOf("free");
/** Verbs whose time the engine reads where it is not given. */
const TIMED: readonly string[] = ["check", "checkMany", "peek", "remaining", "refund", "sweep"];
/** Verbs that come to rows, for which the hash needs its seed. */
const SEEDED: readonly string[] = [...TIMED, "reset"];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes an engine of the module. Nothing here needs time or random numbers, which a worker that loads has not. */
export function instantiate(module: WebAssembly.Module): Engine {
  const exports = new WebAssembly.Instance(module).exports as unknown as Exports;
  const { memory } = exports;
  const at = exports.slots();
  let room = ROOM;
  let start = exports.buffer(room);
  let bytes = new Uint8Array(memory.buffer, start, room);
  let slots = new Float64Array(memory.buffer, at, SLOTS);
  let seeded = false;
  /** Whether the module is in a call; between calls, whether one did not come back. */
  let busy = false;

  /** Looks at the memory anew: when it grows, what was looked at before is empty. */
  function look(): void {
    bytes = new Uint8Array(memory.buffer, start, room);
    slots = new Float64Array(memory.buffer, at, SLOTS);
    Object.assign(engine, { slots, integers: integers() });
  }

  function integers(): Int32Array {
    return new Int32Array(memory.buffer, at, 2 * SLOTS);
  }

  /** Asks the module where something lies. What does not come back leaves it busy. */
  function enter(ask: () => number): number {
    busy = true;
    const at = ask() >>> 0;
    busy = false;
    return at;
  }

  /** Makes room for so many bytes; without memory for them all stays as it is. */
  function reserve(length: number): boolean {
    // A number that the module cannot count would come to it as another.
    const at = length < 2 ** 32 ? enter(() => exports.buffer(length)) : 0;
    if (at === 0) return false;
    [start, room] = [at, length];
    look();
    return true;
  }

  /** Writes a key or text to the buffer and returns its length. */
  function write(key: string | Uint8Array): number {
    if (typeof key === "string") {
      const most = 3 * key.length;
      if (most <= bytes.length || (most <= KEPT && reserve(most))) return encoder.encodeInto(key, bytes).written;
    }
    const given = typeof key === "string" ? encoder.encode(key) : key;
    const length = lengthOf(given);
    if (length > bytes.length && !reserve(length)) {
      const message = `wasm has no memory for a key of ${length} bytes`;
      throw Object.assign(new RangeError(message), { code: "unsupported", number: 0, field: "key", offset: null });
    }
    bytes.set(given);
    return length;
  }

  /** Runs a verb with a key or text of any length. */
  function runWith(verb: number, key: string | Uint8Array): void {
    run(verb, write(key));
    if (room > KEPT) reserve(ROOM);
  }

  /** Draws the seed of the hash, so that nobody can choose keys that collide. */
  function seed(): void {
    const [own, shared] = crypto.getRandomValues(new BigUint64Array(2));
    exports.seed(own as bigint, shared as bigint);
    seeded = true;
  }

  /** Ends the engine: what did not come back has left its memory as it was in the middle of a call. */
  function fail(cause: unknown): never {
    const message = "the wasm module trapped or was cut short, and no limiter of it can be used any more";
    throw Object.assign(new Error(message, { cause }), { code: "bug", number: 0, field: "", offset: null });
  }

  /**
   * Runs a verb with the first bytes of the buffer. It may not come back: it traps, or the stack ends in it, or, unseen
   * by any `catch`, the time that `node:vm` gave.
   */
  function run(verb: number, length: number): void {
    busy = true;
    try {
      exports.run(verb, length);
    } catch (error) {
      fail(error);
    }
    busy = false;
    if (slots.length === 0) look();
  }

  function verb(name: string, number: number): Verb {
    const timed = TIMED.includes(name);
    const seeds = SEEDED.includes(name);
    return (key) => {
      if (busy) fail(undefined);
      if (seeds && !seeded) seed();
      if (timed && Number.isNaN(slots[NOW])) slots[NOW] = systemMs();
      if (key === undefined) run(number, 0);
      else runWith(number, key);
    };
  }

  /** Does what `verb` makes of it, in a function of its own: with nothing to ask but what a check depends on. */
  function check(key?: string | Uint8Array): void {
    if (busy) fail(undefined);
    if (!seeded) seed();
    const now = slots[NOW] as number;
    if (now !== now) slots[NOW] = systemMs();
    if (typeof key === "string" && key.length <= ROOM / 3) run(CHECK, encoder.encodeInto(key, bytes).written);
    else runWith(CHECK, key as string | Uint8Array);
  }

  function checkMany(keys: readonly (string | Uint8Array)[]): void {
    slots[COUNT] = keys.length;
    verbs.checkMany(pack(keys));
  }

  function read(at: number): string {
    if (slots.length === 0) look();
    return decoder.decode(new Uint8Array(memory.buffer, at, slots[ANSWER]));
  }

  const verbs = Object.fromEntries(VERBS.map((name, number) => [name, verb(name, number)])) as Verbs;
  return {
    ...verbs,
    check,
    checkMany,
    slots,
    integers: integers(),
    // No more is lost by a limiter of a module that is of no use, and nobody would catch what its collection throws.
    free: () => {
      if (!busy) run(FREE, 0);
    },
    now: () => {
      // First: a worker that loads has neither, but only this says so, and the clock would stand wrong ever after.
      if (!seeded) seed();
      slots[ANSWER] = systemMs();
    },
    failure: () => read(enter(exports.failure)),
    text: () => read(enter(exports.text)),
  };
}
