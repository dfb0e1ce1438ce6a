// The two builds that Node.js runs, and the vectors.
import { readFileSync } from "node:fs";

const folder = new URL("../../tests/vectors/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

export const vectors = read("index.json").files.map(({ file }) => read(file));

/** Steps of the vectors in every way that they are run in: no run may have fewer. */
export const LEAST_STEPS = vectors
  .flatMap(({ cases }) => cases)
  .filter(({ type }) => type === "world")
  .reduce((sum, { steps }) => sum + 4 * steps.length, 0);

export const builds = [
  ["native", await import("ratelimit-rs")],
  ["wasm", await import("ratelimit-rs/wasm")],
];
