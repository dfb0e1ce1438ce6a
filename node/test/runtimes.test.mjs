// The vectors in the other runtimes, each of which picks the build by its own conditions.
import assert from "node:assert/strict";
import { EdgeRuntime } from "edge-runtime";
import { build } from "esbuild";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { Miniflare } from "miniflare";
import { chromium } from "playwright-core";
import { LEAST_STEPS, vectors } from "./builds.mjs";

const run = promisify(execFile);
const modules = join(import.meta.dirname, "node_modules");
// Beside the installed packages, so that a runtime finds them from here as it would from a project.
const folder = join(modules, ".programs");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
after(() => rmSync(folder, { recursive: true, force: true }));

writeFileSync(join(folder, "vectors.json"), JSON.stringify(vectors));
writeFileSync(join(folder, "replayed.mjs"), `
  import { replay } from "../../replay.mjs";
  import vectors from "./vectors.json";
  export const replayed = (api) => JSON.stringify(replay(api, vectors));
`);

/** Writes a program and bundles what it imports; the package is bundled too where conditions are given. */
async function bundle(name, program, conditions) {
  const entry = join(folder, `${name}.entry.mjs`);
  writeFileSync(entry, program);
  const outfile = join(folder, `${name}.mjs`);
  const external = conditions === undefined ? ["ratelimit-rs"] : ["*.wasm"];
  await build({
    entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "neutral", external, logLevel: "warning",
    ...(conditions === undefined ? {} : { conditions }),
  });
  return outfile;
}

function judge(context, said, native) {
  const { failures, warnings, ...ran } = JSON.parse(said);
  context.diagnostic(JSON.stringify(ran));
  assert.deepEqual(failures.slice(0, 10), []);
  assert.ok(ran.steps >= LEAST_STEPS, `${ran.steps} steps ran, of at least ${LEAST_STEPS}`);
  assert.equal(ran.native, native, native ? "the addon decides" : "wasm decides");
}

/** Says what ran, and whether the addon did: only there can a limiter be shared. */
const PROGRAM = `
  import * as api from "ratelimit-rs";
  import { replayed } from "./replayed.mjs";
  function native() {
    try { return Number.isInteger(new api.Limiter("1/s").share().ratelimit); }
    catch (error) { if (error.code !== "unsupported") throw error; return false; }
  }
  const said = () => JSON.stringify({ ...JSON.parse(replayed(api)), native: native() });
`;

for (const [name, native, ...command] of [
  ["Bun", true, "bun", "run"],
  // Without any permission: nothing is read and nothing is fetched.
  ["Deno", false, "deno", "run", "--no-prompt", "--node-modules-dir=manual"],
]) {
  test(`${name} gives every answer of the vectors`, async (context) => {
    const program = await bundle(name, `${PROGRAM}; console.log(said());`);
    const [runtime, ...flags] = command;
    const options = { maxBuffer: 1 << 26, cwd: folder };
    const { stdout } = await run(join(modules, ".bin", runtime), [...flags, program], options);
    judge(context, stdout, native);
  });
}

test("workerd gives every answer of the vectors, and a limiter is made while the worker loads", async (context) => {
  const worker = `${PROGRAM}
    const made = new api.Limiter("2/minute");
    let refused;
    // What needs the time says that there is none yet, and leaves the clock unread.
    try { made.checkMany(Array(100).fill("bob")); } catch (error) { refused = error.message; }
    export default {
      async fetch(request) {
        if (new URL(request.url).pathname === "/vectors") return new Response(said());
        const before = Date.now();
        const decisions = [1, 2, 3].map(() => made.check("ada"));
        return Response.json({ before, decisions, refused });
      },
    };
  `;
  const main = await bundle("worker", worker, ["workerd", "import"]);
  const wasm = join(modules, "ratelimit-rs/dist/ratelimit.wasm");
  const miniflare = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: readFileSync(main, "utf8") },
      { type: "CompiledWasm", path: "ratelimit.wasm", contents: readFileSync(wasm) },
    ],
    compatibilityDate: "2026-04-01", host: "127.0.0.1", port: 0, cf: false,
  });
  try {
    await miniflare.ready;
    const ask = async (path) => (await miniflare.dispatchFetch(`http://worker${path}`)).text();
    const { before, decisions, refused } = JSON.parse(await ask("/"));
    assert.match(refused, /global scope/);
    assert.ok(decisions.filter(({ allowed }) => allowed).length >= 2 && decisions[0].kind === "allowed");
    const { atMs } = decisions[0];
    assert.ok(Math.abs(atMs - before) < 60_000, `${atMs} is about the time of the request, ${before}`);
    judge(context, await ask("/vectors"), false);
  } finally {
    await miniflare.dispose();
  }
});

test("the edge runtime gives every answer of the vectors", async (context) => {
  // As its bundlers do: the import of a compiled module becomes one that the runtime has put there.
  const compiled = {
    name: "compiled",
    setup(build) {
      build.onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({ path, namespace: "compiled" }));
      build.onLoad({ filter: /.*/, namespace: "compiled" }, () => ({ contents: "export default compiledModule;" }));
    },
  };
  const bundled = await build({
    stdin: { contents: `${PROGRAM}; globalThis.said = said;`, resolveDir: folder },
    bundle: true, write: false, format: "iife", platform: "neutral", conditions: ["edge-light", "import"],
    plugins: [compiled], logLevel: "warning",
  });
  const runtime = new EdgeRuntime();
  // Of the runtime's own kind, which is not this process's.
  const Module = runtime.evaluate("WebAssembly.Module");
  runtime.context.compiledModule = new Module(readFileSync(join(modules, "ratelimit-rs/dist/ratelimit.wasm")));
  runtime.evaluate(bundled.outputFiles[0].text);
  judge(context, runtime.evaluate("said()"), false);
});

const browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

async function inChromium(context) {
  const page = await bundle("page", `${PROGRAM}; globalThis.said = said;`, ["browser", "import"]);
  const server = createServer((request, response) => {
    const script = request.url === "/page.mjs";
    response.setHeader("content-type", script ? "text/javascript" : "text/html");
    response.end(script ? readFileSync(page) : "<!doctype html><script type=module src=/page.mjs></script>");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
  const chrome = await chromium.launch({ executablePath: browser, args });
  try {
    const tab = await chrome.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction("globalThis.said !== undefined", undefined, { timeout: 120_000 });
    judge(context, await tab.evaluate("globalThis.said()"), false);
  } finally {
    await chrome.close();
    server.close();
  }
}

if (browser) test("Chromium gives every answer of the vectors", inChromium);
else console.error("not here, so what needs it will not run: chromium");
