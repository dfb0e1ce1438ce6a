// What is left of the wasm module after a bug in it: in a file of its own, since that module is then of no more use.
import assert from "node:assert/strict";
import { test } from "node:test";

const { Instance } = WebAssembly;
let memory;
WebAssembly.Instance = class extends Instance {
  constructor(module) {
    super(module);
    memory = this.exports.memory;
  }
};
const { Limiter } = await import("ratelimit-rs/wasm");

test("a trap is an error that says so, and no later call goes on with what it left", () => {
  const limiter = new Limiter("1/day");
  assert.ok(limiter.allow("ada"));
  const before = new Uint8Array(memory.buffer).slice();
  new Uint8Array(memory.buffer).fill(0xff);
  const bug = { name: "Error", code: "bug", message: /the wasm module trapped/ };
  assert.throws(() => limiter.check("bob"), bug);
  new Uint8Array(memory.buffer).set(before);
  assert.throws(() => limiter.check("bob"), bug, "though the memory is well again");
  assert.throws(() => new Limiter("1/day"), bug);
  assert.throws(() => limiter.size, bug);
});
