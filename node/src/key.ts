import { wrongType } from "./error.js";

/**
 * Names the identity that is limited: text, bytes, or a list of parts.
 *
 * Text is its UTF-8; a lone surrogate counts as U+FFFD, as everywhere on the web. A list is a key of a kind of its own:
 * no two lists meet, and no list meets text, whatever the parts contain.
 */
export type Key = string | Uint8Array | readonly (string | Uint8Array)[];

const WANTED = "a string, a Uint8Array or a list of these";

/** Returns the bytes of a key that is not text; of a list of parts, packed. Good until the next call. */
export function encode(key: Exclude<Key, string>): Uint8Array {
  return Array.isArray(key) ? pack(key) : bytes(key);
}

/** Returns what can be judged and used with nobody's code in between, who may have given a list that runs some. */
export function read<T>(given: T): T {
  return Array.isArray(given) ? ([...given] as T) : given;
}

/** Throws if this is no key; a place of a list that is empty is no part. */
export function judge(key: unknown): void {
  if (Array.isArray(key)) for (const run of key) bytesOrText(run);
  else bytesOrText(key);
}

/** Says whether all of these are text; a place that is empty is not. */
export function areText(runs: readonly unknown[]): boolean {
  for (let index = 0; index < runs.length; index++) if (typeof runs[index] !== "string") return false;
  return true;
}

function bytesOrText(run: unknown): void {
  if (typeof run !== "string") bytes(run);
}

/** Reads what all arrays of numbers have, past what an array of the caller's may answer instead. */
function own<T>(name: PropertyKey): (array: unknown) => T {
  const all = Object.getPrototypeOf(Uint8Array.prototype);
  const { get } = Object.getOwnPropertyDescriptor(all, name) as { get: () => T };
  return (array) => get.call(array);
}

/** Tells what array something is, of any frame or test runner; undefined if it only calls itself one. */
const kindOf = own<string | undefined>(Symbol.toStringTag);
const bufferOf = own<ArrayBufferLike>("buffer");
/** Tells how many bytes an array has. */
export const lengthOf = own<number>("length");

const NONE = new Uint8Array();

function bytes(key: unknown): Uint8Array {
  if (kindOf(key) !== "Uint8Array") wrongType("key", key, WANTED);
  const array = key as Uint8Array;
  // Where its buffer was given away it has no bytes left, but cannot be copied from.
  if (lengthOf(array) === 0) return NONE;
  // What other threads can write is read once.
  return bufferOf(array) instanceof ArrayBuffer ? array : new Uint8Array(array);
}

const encoder = new TextEncoder();
/** Room that is kept for the next list, at most. */
const KEPT = 1 << 16;
let kept = new Uint8Array(8192);

/** Packs texts and bytes into one: the length of each in four bytes, then all of them. Good until the next call. */
export function pack(runs: readonly unknown[]): Uint8Array {
  const start = 4 * runs.length;
  if (areText(runs)) {
    const text = runs.join("");
    const room = reserve(start + 3 * text.length);
    const { written } = encoder.encodeInto(text, room.subarray(start));
    if (written === text.length) {
      // Each character is one byte, so the lengths are known.
      const lengths = new Uint32Array(room.buffer, 0, runs.length);
      for (let index = 0; index < runs.length; index++) lengths[index] = (runs[index] as string).length;
      return room.subarray(0, start + written);
    }
  }
  const pieces = Array.from(runs, (run) => (typeof run === "string" ? encoder.encode(run) : bytes(run)));
  const room = reserve(start + pieces.reduce((sum, piece) => sum + lengthOf(piece), 0));
  const lengths = new Uint32Array(room.buffer, 0, runs.length);
  let end = start;
  pieces.forEach((piece, index) => {
    lengths[index] = lengthOf(piece);
    room.set(piece, end);
    end += lengthOf(piece);
  });
  return room.subarray(0, end);
}

function reserve(length: number): Uint8Array<ArrayBuffer> {
  if (length <= kept.length) return kept;
  const room = new Uint8Array(length);
  if (length <= KEPT) kept = room;
  return room;
}
