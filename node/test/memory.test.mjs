// Limiters that nobody frees, counted by the process's memory. Each build runs in a process of its own.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const ROUNDS = 20;
const LIMITERS = 100_000 / ROUNDS;
/** Far below what the limiters of one round would keep, if they were kept. */
const GROWTH = 24 << 20;

const run = promisify(execFile);

/** Makes and drops limiters, and prints the process's memory after each round. */
const program = (build) => `
  import { Limiter } from ${JSON.stringify(build)};
  import { setImmediate } from "node:timers/promises";
  for (let round = 0; round < ${ROUNDS}; round++) {
    for (let made = 0; made < ${LIMITERS}; made++) new Limiter("5/second; sliding 10/minute").allow("ada");
    // What is collected is told in a task of its own, after the collection.
    gc();
    await setImmediate();
    await setImmediate();
    console.log(process.memoryUsage().rss);
  }
`;

for (const build of ["ratelimit-rs", "ratelimit-rs/wasm"]) {
  test(`${build}: a hundred thousand limiters that were made and dropped leave memory flat`, async (context) => {
    const flags = ["--expose-gc", "--input-type=module", "--eval", program(build)];
    const { stdout } = await run(process.execPath, flags, { cwd: import.meta.dirname });
    const rss = stdout.trim().split("\n").map(Number);
    context.diagnostic(`${rss.map((bytes) => bytes >> 20).join(" ")} MiB`);
    assert.equal(rss.length, ROUNDS);
    assert.ok(rss.at(-1) - rss[4] < GROWTH, `grew by ${(rss.at(-1) - rss[4]) >> 20} MiB`);
  });

  test(`${build}: a limiter keeps no process alive and starts nothing`, async () => {
    const program = `
      const { Limiter } = await import(${JSON.stringify(build)});
      const limiter = new Limiter("1/hour");
      limiter.check("ada");
      globalThis.kept = limiter;
      console.log(process.getActiveResourcesInfo().filter((name) => /Time|Immediate|Worker/.test(name)).length);
    `;
    const flags = ["--input-type=module", "--eval", program];
    const { stdout } = await run(process.execPath, flags, { cwd: import.meta.dirname, timeout: 60_000 });
    assert.equal(stdout.trim(), "0");
  });
}

test("wasm: a long key takes no more memory than its bytes and their copy, and leaves little behind", async () => {
  const program = `
    import { Limiter } from "ratelimit-rs/wasm";
    const limiter = new Limiter("9/day");
    const { rss } = process.memoryUsage();
    for (const key of ["x".repeat(4e7), new Uint8Array(4e7), ["x".repeat(1e7), "x"]]) limiter.check(key);
    gc();
    console.log((process.memoryUsage().rss - rss) >> 20);
  `;
  const flags = ["--expose-gc", "--input-type=module", "--eval", program];
  const { stdout } = await run(process.execPath, flags, { cwd: import.meta.dirname });
  assert.ok(Number(stdout) < 120, `${stdout} MiB`);
});

test("native: a limiter that was opened weighs as much as it is lighter by when it ends", async () => {
  // What weighs nothing the collector leaves, for it never comes. What ends and had no weight ends some engines.
  const program = `
    import { PerformanceObserver, constants } from "node:perf_hooks";
    import { setTimeout } from "node:timers/promises";
    import { Limiter } from "ratelimit-rs";
    const collections = [];
    new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ["gc"] });
    const handle = new Limiter("1/day").share();
    for (let opened = 0; opened < 10_000; opened++) Limiter.open(handle);
    for (let opened = 0; opened < 10_000; opened++) Limiter.open(handle)[Symbol.dispose]();
    await setTimeout(50);
    console.log(collections.filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length);
  `;
  const flags = ["--input-type=module", "--eval", program];
  const { stdout } = await run(process.execPath, flags, { cwd: import.meta.dirname });
  assert.ok(Number(stdout) > 0, "the collector came");
});

test("native: what a copy of the package made ends with it: test runners load one for each file", async (context) => {
  const program = `
    import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    import { setImmediate } from "node:timers/promises";
    import { createContext, runInContext } from "node:vm";
    const require = createRequire(import.meta.resolve("ratelimit-rs"));
    const source = readFileSync(require.resolve("ratelimit-rs"), "utf8");
    function addon(name) {
      const module = { exports: {} };
      process.dlopen(module, require.resolve(name));
      return module.exports;
    }
    function copy() {
      const globals = { performance, process, TextDecoder, TextEncoder };
      const load = runInContext("((module, exports, require) => {" + source + "\\n})", createContext(globals));
      const module = { exports: {} };
      load(module, module.exports, addon);
      return module.exports;
    }
    for (let round = 0; round < 60; round++) {
      const limiter = new (copy().Limiter)("1/day");
      for (let key = 0; key < 20_000; key++) limiter.allow("key-" + key);
      gc();
      await setImmediate();
      await setImmediate();
      if (round % 20 === 19) console.log(process.memoryUsage().rss >> 20);
    }
  `;
  const flags = ["--expose-gc", "--input-type=module", "--eval", program];
  const { stdout } = await run(process.execPath, flags, { cwd: import.meta.dirname });
  const rss = stdout.trim().split("\n").map(Number);
  context.diagnostic(`${rss.join(" ")} MiB`);
  assert.ok(rss[2] - rss[0] < 16, `grew by ${rss[2] - rss[0]} MiB`);
});

test("native: rows are kept outside of JavaScript's heap, and end with their limiter", async () => {
  const program = `
    import { Limiter } from "ratelimit-rs";
    const limiter = new Limiter("1/day", { maxIdentities: 1_000_000 });
    const [heap, rss] = [process.memoryUsage().heapUsed, process.memoryUsage().rss];
    for (let key = 0; key < 500_000; key++) limiter.allow("tenant-0001/route-000001/user-" + (1e9 + key));
    gc();
    const after = process.memoryUsage();
    limiter[Symbol.dispose]();
    console.log(JSON.stringify([after.heapUsed - heap, after.rss - rss, process.memoryUsage().rss - rss]));
  `;
  const flags = ["--expose-gc", "--input-type=module", "--eval", program];
  // What glibc's allocator gives back to the system depends on what was freed in which order, unless this is fixed:
  // then it is every large piece.
  const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: "65536" };
  const { stdout } = await run(process.execPath, flags, { cwd: import.meta.dirname, env });
  const [heap, held, left] = JSON.parse(stdout);
  assert.ok(heap < 2 << 20, `${heap} bytes of the heap`);
  assert.ok(held > 20 << 20, `${held} bytes held, so little cannot be all`);
  assert.ok(left < held / 2, `${left} bytes left of ${held}`);
});
