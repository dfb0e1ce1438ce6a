// What is left of the wasm module after a call that did not come back: in a file of its own, and each time another copy
// of the module, since it is then of no more use.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const { Instance } = WebAssembly;
const bug = { name: "Error", code: "bug", message: /the wasm module trapped/ };

/** Loads a copy of the package, with its memory, and with what is done before it enters its module. */
async function load(copy, before) {
  let memory;
  WebAssembly.Instance = function (module) {
    const { exports } = new Instance(module);
    memory = exports.memory;
    return { exports: { ...exports, run: (...call) => (before(), exports.run(...call)) } };
  };
  const { Limiter } = await import(`${import.meta.resolve("ratelimit-rs/wasm")}?${copy}`);
  return { Limiter, memory };
}

test("a trap is an error that says so, and no later call goes on with what it left", async () => {
  const { Limiter, memory } = await load("trap", () => {});
  const limiter = new Limiter("1/day");
  assert.ok(limiter.allow("ada"));
  const before = new Uint8Array(memory.buffer).slice();
  new Uint8Array(memory.buffer).fill(0xff);
  assert.throws(() => limiter.check("bob"), bug);
  new Uint8Array(memory.buffer).set(before);
  assert.throws(() => limiter.check("bob"), bug, "though the memory is well again");
  assert.throws(() => new Limiter("1/day"), bug);
  assert.throws(() => limiter.size, bug);
});

for (const [name, cut, error] of [
  ["of which the stack ended", () => { throw new RangeError("Maximum call stack size exceeded"); }, bug],
  ["whose time ended", () => { for (;;); }, { code: "ERR_SCRIPT_EXECUTION_TIMEOUT" }],
]) {
  test(`a call ${name} is the last, and what is left can still be disposed of and collected`, async () => {
    let before = () => {};
    const { Limiter } = await load(name, () => before());
    const limiter = new Limiter("1/day");
    before = cut;
    assert.throws(() => runInNewContext('limiter.check("ada")', { limiter }, { timeout: 100 }), error);
    before = () => {};
    assert.throws(() => limiter.check("ada"), bug);
    assert.throws(() => limiter.size, bug);
    limiter[Symbol.dispose]();
  });
}
