// The package as others install and build it, in empty projects.
import assert from "node:assert/strict";
import { build as esbuild } from "esbuild";
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { publint } from "publint";
import { build as vite } from "vite";
import webpack from "webpack";
import { archives, modules, project } from "./project.mjs";

const run = promisify(execFile);

const USE = `
  const limiter = new Limiter("2/day; bucket 5 + 1/s");
  const decisions = limiter.checkMany(["ada", "ada", "ada"]).map(({ kind }) => kind);
  console.log(JSON.stringify(decisions));
`;
const SAID = '["allowed","allowed","denied"]\n';
const IMPORT = `import { Limiter } from "ratelimit-rs";${USE}`;

test("it is imported and required, by name and by default, and is one and the same", async () => {
  const { node } = await project({
    "import.mjs": IMPORT,
    "require.cjs": `const { Limiter } = require("ratelimit-rs");${USE}`,
    "default.mjs": `import Limiter, * as all from "ratelimit-rs";
      if (Limiter !== all.Limiter) throw new Error("the default is another");${USE}`,
    "both.mjs": `import { createRequire } from "node:module";
      import { Limiter } from "ratelimit-rs";
      const required = createRequire(import.meta.url)("ratelimit-rs");
      if (required.Limiter !== Limiter || required.default !== Limiter) throw new Error("there are two");${USE}`,
    "wasm.mjs": `import { Limiter } from "ratelimit-rs/wasm";${USE}`,
    "wasm.cjs": `const { Limiter } = require("ratelimit-rs/wasm");${USE}`,
  });
  for (const program of ["import.mjs", "require.cjs", "default.mjs", "both.mjs", "wasm.mjs", "wasm.cjs"]) {
    const { stdout, stderr } = await node(program);
    assert.equal(stdout, SAID, program);
    assert.equal(stderr, "", `${program} warns of nothing`);
  }
});

test("without the addon it decides alike, and warns once, where the program wants it", async () => {
  const { node } = await project({
    "import.mjs": `${IMPORT} new Limiter("1/s");`,
    "handled.cjs": `const { Limiter, onWarning } = require("ratelimit-rs");
      onWarning(({ code, message }) => console.log(code, message.length > 20));${USE} new Limiter("1/s");`,
    "silent.mjs": `import { Limiter } from "ratelimit-rs/wasm";${USE}`,
    "unused.mjs": `import "ratelimit-rs";`,
  }, [archives.package]);
  const said = await node("import.mjs");
  assert.equal(said.stdout, SAID);
  assert.match(said.stderr, /^ratelimit-rs has no native addon here and uses wasm[^\n]*\n$/, "one line");
  const handled = await node("handled.cjs");
  assert.deepEqual([handled.stdout, handled.stderr], [`native_unavailable true\n${SAID}`, ""]);
  assert.deepEqual(await node("silent.mjs").then(({ stdout, stderr }) => [stdout, stderr]), [SAID, ""]);
  assert.equal((await node("unused.mjs")).stderr, "", "nothing is said before a limiter is made");
});

const TYPED = `
  import Default, { Limiter, ManualClock, fixedWindow, tokenBucket, slidingWindow, onWarning } from "ratelimit-rs";
  import type { Decision, Handle, Key, Kind, Options, Policy, Stats, Warning } from "ratelimit-rs";
  const clock: ManualClock = new ManualClock(5);
  const options: Options = { clock, maxIdentities: 10 };
  const policy: Policy = fixedWindow({ limit: 1, perSeconds: 60 });
  const limiter: Limiter = new Limiter([policy, tokenBucket({ capacity: 1, refillPerSecond: 1 })], options);
  const same: Default = new Default(slidingWindow({ limit: 3, windowMs: 1000 }), { clock: () => 5 });
  const keys: Key[] = ["a", new Uint8Array(1), ["a", new Uint8Array(1)]];
  const decision: Decision = limiter.check(keys[0]!, 2);
  const kind: Kind = decision.kind;
  const wait: number | null = decision.retryAfterMs;
  const many: Decision[] = same.checkMany(keys);
  const stats: Stats = limiter.stats();
  const handle: Handle = limiter.share();
  onWarning((warning: Warning) => console.log(warning.code, kind, wait, many, stats, handle));
  // @ts-expect-error a key is no number
  limiter.check(5);
  // @ts-expect-error a window has a length
  fixedWindow({ limit: 1 });
  // @ts-expect-error a bucket has one rate
  tokenBucket({ capacity: 1, refillPerSecond: 1, refill: 1, refillPeriodMs: 1 });
  tokenBucket({ ...tokenBucket({ capacity: 1, refillPerSecond: 1 }), capacity: 2 });
  // @ts-expect-error a decision is not changed
  decision.remaining = 5;
  { using ends = new Limiter("1/s"); ends.allow("a"); }
`;

test("strict TypeScript takes its types, as a module and not, resolved as Node.js and as bundlers do", async () => {
  const { folder, node } = await project({
    "module.mts": TYPED,
    "common.cts": TYPED,
    "bundled.ts": TYPED,
    "required.cts": 'import ratelimit = require("ratelimit-rs"); new ratelimit.Limiter("1/s").allow("a");',
    "wasm.mts": 'import { Limiter } from "ratelimit-rs/wasm"; new Limiter("1/s").allow("a");',
  });
  const tsc = join(modules, "typescript/bin/tsc");
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false", "--types", "",
    "--target", "es2022", "--lib", "es2022,dom"];
  const node16 = ["--module", "node16", "--moduleResolution", "node16"];
  const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];
  for (const [file, ...flags] of [
    ["module.mts", ...node16], ["common.cts", ...node16], ["required.cts", ...node16], ["wasm.mts", ...node16],
    ["module.mts", "--module", "nodenext"], ["bundled.ts", ...bundler],
  ]) {
    const failed = await node(tsc, ...strict, ...flags, join(folder, file)).then(() => "", ({ stdout }) => stdout);
    assert.equal(failed, "", `${file} ${flags}`);
  }
});

test("esbuild, vite and webpack bundle it for browsers, and the bundles decide", async () => {
  const { folder, node } = await project({ "main.mjs": IMPORT });
  const entry = join(folder, "main.mjs");
  const outputs = {};
  outputs.esbuild = join(folder, "esbuild.mjs");
  await esbuild({ entryPoints: [entry], outfile: outputs.esbuild, bundle: true, format: "esm", platform: "browser" });
  outputs.vite = join(folder, "vite/main.mjs");
  const rollup = { input: entry, output: { entryFileNames: "main.mjs" } };
  await vite({
    root: folder, configFile: false, logLevel: "silent", build: { outDir: "vite", rollupOptions: rollup },
  });
  outputs.webpack = join(folder, "webpack/main.mjs");
  const stats = await promisify(webpack)({
    context: folder, entry, mode: "production", target: ["web", "es2022"], experiments: { outputModule: true },
    output: { path: join(folder, "webpack"), filename: "main.mjs", module: true },
  });
  assert.equal(stats.hasErrors(), false, stats.toString());
  for (const [name, output] of Object.entries(outputs)) {
    const { stdout, stderr } = await node(output);
    assert.deepEqual([stdout, stderr], [SAID, ""], name);
  }
});

test("a bundle for Node.js that leaves the addon behind goes on with wasm", async () => {
  const { folder, node } = await project({ "main.mjs": IMPORT });
  const outfile = join(folder, "alone.mjs");
  await esbuild({ entryPoints: [join(folder, "main.mjs")], outfile, bundle: true, format: "esm", platform: "node" });
  rmSync(join(folder, "node_modules"), { recursive: true });
  const { stdout, stderr } = await node(outfile);
  assert.equal(stdout, SAID);
  assert.match(stderr, /uses wasm/);
});

test("publint and arethetypeswrong find nothing to say", async () => {
  const { messages } = await publint({ pkgDir: join(modules, "ratelimit-rs"), strict: true, pack: false });
  assert.deepEqual(messages.map(({ code, args }) => [code, args]), []);
  const attw = join(modules, ".bin/attw");
  const { stdout } = await run(attw, ["--format", "json", "--no-definitely-typed", archives.package]);
  const { analysis } = JSON.parse(stdout);
  assert.deepEqual(Object.keys(analysis.entrypoints).sort(), [".", "./package.json", "./wasm"]);
  assert.deepEqual(analysis.problems, []);
});

