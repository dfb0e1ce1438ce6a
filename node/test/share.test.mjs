import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { Limiter, ManualClock } from "ratelimit-rs";

const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { Limiter, ManualClock } = require("ratelimit-rs");
  const limiter = Limiter.open(workerData.handle, { clock: new ManualClock(0) });
  let granted = 0;
  for (let call = 0; call < workerData.calls; call++) granted += limiter.allow("ada") ? 1 : 0;
  parentPort.postMessage(granted);
`;

/** Runs a program in a thread that finds the packages that this one finds. */
function thread(workerData) {
  const paths = `module.paths.unshift(${JSON.stringify(`${import.meta.dirname}/node_modules`)});\n`;
  return new Worker(paths + program, { eval: true, workerData });
}

test("threads that opened one limiter are granted its limit together, exactly", async () => {
  const limiter = new Limiter("30000/day", { clock: new ManualClock(0) });
  const handle = limiter.share();
  assert.deepEqual(limiter.share(), handle, "a limiter has one handle");
  const threads = Array.from({ length: 4 }, () => thread({ handle, calls: 20_000 }));
  const granted = (await Promise.all(threads.map((thread) => once(thread, "message")))).flat();
  assert.equal(granted.reduce((sum, grants) => sum + grants, 0), 30_000, `${granted}`);
  assert.deepEqual(limiter.stats(), { allowed: 30_000, denied: 50_000, saturated: 0, exceedsLimit: 0 });
  assert.equal(limiter.remainingAt("ada", 0), 0);
  await Promise.all(threads.map((thread) => thread.terminate()));
});

test("a limiter that its maker disposed of lives on where it was opened", () => {
  const limiter = new Limiter("1/day");
  const opened = Limiter.open(limiter.share());
  limiter.check("ada");
  limiter[Symbol.dispose]();
  assert.equal(opened.check("ada").kind, "denied");
  assert.equal(String(opened), "fixed 1/day");
});

test("a handle that no limiter of this process has is refused", () => {
  assert.throws(() => Limiter.open({ ratelimit: 12345 }), { name: "Error", code: "not_shared", field: "handle" });
  for (const wrong of [undefined, null, 5, {}, { ratelimit: "1" }, { ratelimit: -1 }, { ratelimit: 0.5 }]) {
    assert.throws(() => Limiter.open(wrong), ({ code }) => ["wrong_type", "not_shared"].includes(code));
  }
});

test("a thread that ends takes its limiters with it and no others", async () => {
  const kept = new Limiter("1/day");
  const program = `
    const { Limiter } = require("ratelimit-rs");
    for (let made = 0; made < 1000; made++) new Limiter("1/day").check("ada");
  `;
  for (let round = 0; round < 3; round++) {
    const paths = `module.paths.unshift(${JSON.stringify(`${import.meta.dirname}/node_modules`)});\n`;
    const [status] = await once(new Worker(paths + program, { eval: true }), "exit");
    assert.equal(status, 0);
  }
  assert.ok(kept.allow("ada"));
});
