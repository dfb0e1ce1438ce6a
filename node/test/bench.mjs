// Measures the package against its peers and prints `ratio NAME VALUE BOUND ok|short` for each promise.
//
// Two ways of doing a thing alternate in the rounds of one run; the value is the median of the rounds' ratios, ours to
// the peer's. Times are the processor's, the collector's among them: others use the machine too. Each pair runs in a
// process of its own, so that none is slow because of what another has left behind.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const self = fileURLToPath(import.meta.url);

const ROUNDS = Number(process.env.RATELIMIT_BENCH_ROUNDS ?? 7);
const WINDOW_MS = 3_600_000;
const [FEW, MANY] = [10_000, 1_000_000];
const CALLS = 400_000;

const [PREFIX, FIRST] = ["tenant-0001/route-000001/user-", 1_000_000_000];

/** A key of 40 bytes, made afresh as those that come with requests are: flat, and nothing is known of it yet. */
const keyOf = (number) => Buffer.from(PREFIX + (FIRST + number), "latin1").toString("latin1");

/** Each key once. */
const eachOf = (keys) => Array.from({ length: keys }, (_, number) => keyOf(number));

/**
 * Calls in an order of chance, the same in each run: in the order in which they first came a Map's keys lie one behind
 * the other in memory, and no service's requests come so.
 */
function callsOf(keys) {
  return Array.from({ length: CALLS }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return keyOf(Math.floor((seed / 2 ** 32) * keys));
  });
}
let seed = 1;

/** The last answer of a call. Every one is put here: an object that nobody could look at need not be made. */
export let answer;

/** Each way decides for each of the keys. */
const ways = {
  async native(verb = "check") {
    return limiterOf(await import("ratelimit-rs"), verb);
  },
  async wasm(verb = "check") {
    return limiterOf(await import("ratelimit-rs/wasm"), verb);
  },
  /** What one writes by hand: a Map of counters in one window, and the same object for an answer. */
  async map() {
    const rows = new Map();
    return (keys) => {
      for (const key of keys) answer = decide(key);
    };
    function decide(key) {
      const now = Date.now();
      let row = rows.get(key);
      if (row === undefined || now >= row.end) {
        row = { count: 0, end: now - (now % WINDOW_MS) + WINDOW_MS };
        rows.set(key, row);
      }
      const allowed = row.count < LIMIT;
      if (allowed) row.count += 1;
      const wait = row.end - now;
      return {
        kind: allowed ? "allowed" : "denied", allowed, limit: LIMIT, remaining: LIMIT - row.count,
        retryAfterMs: allowed ? 0 : wait, resetAfterMs: wait, policy: 0, cost: 1, atMs: now,
      };
    }
  },
  async hono() {
    const { MemoryStore } = await import("hono-rate-limiter");
    const store = new MemoryStore();
    store.init({ windowMs: WINDOW_MS });
    return (keys) => {
      for (const key of keys) answer = store.increment(key);
    };
  },
  async flexible() {
    const { RateLimiterMemory } = (await import("rate-limiter-flexible")).default;
    const limiter = new RateLimiterMemory({ points: LIMIT, duration: WINDOW_MS / 1000 });
    return async (keys) => {
      for (const key of keys) answer = await limiter.consume(key);
    };
  },
};

const LIMIT = 1_000_000_000;

function limiterOf({ Limiter, fixedWindow }, verb) {
  const limiter = new Limiter(fixedWindow({ limit: LIMIT, windowMs: WINDOW_MS }), { maxIdentities: 2 * MANY });
  if (verb === "allow") {
    return (keys) => {
      for (const key of keys) answer = limiter.allow(key);
    };
  }
  if (verb === "checkMany") {
    return (keys) => {
      for (let at = 0; at < keys.length; at += 64) answer = limiter.checkMany(keys.slice(at, at + 64));
    };
  }
  if (verb === "checkEach") {
    // The same lists of decisions as a batch gives.
    return (keys) => {
      for (let at = 0; at < keys.length; at += 64) {
        answer = keys.slice(at, at + 64).map((key) => limiter.check(key));
      }
    };
  }
  return (keys) => {
    for (const key of keys) answer = limiter.check(key);
  };
}

/** What is promised: ours, the peer, how many keys, and the bound of the ratio. */
const PROMISES = [
  ["native-check-10k-to-hono", ["native"], ["hono"], FEW, 0.65],
  ["native-check-10k-to-map", ["native"], ["map"], FEW, 0.65],
  ["native-check-10k-to-flexible", ["native"], ["flexible"], FEW, 0.2],
  ["native-check-1m-to-hono", ["native"], ["hono"], MANY, 0.5],
  ["native-check-1m-to-map", ["native"], ["map"], MANY, 0.5],
  ["native-check-1m-to-flexible", ["native"], ["flexible"], MANY, 0.25],
  ["wasm-check-10k-to-map", ["wasm"], ["map"], FEW, 1.0],
  ["wasm-check-1m-to-map", ["wasm"], ["map"], MANY, 0.7],
  ["native-allow-to-check", ["native", "allow"], ["native"], FEW, 1.0],
  ["native-check-many-to-check", ["native", "checkMany"], ["native", "checkEach"], FEW, 0.6],
];

/** Runs one pair in this process and prints what came of it. */
async function pair(index) {
  const [name, ours, peer, keys, bound] = PROMISES[index];
  const [run, other] = await Promise.all([ours, peer].map(([way, verb]) => ways[way](verb)));
  for (const each of [run, other]) {
    await each(eachOf(keys)); // every key is there
    await each(callsOf(keys)); // and the code is warm
  }
  const time = async (run) => {
    const fresh = callsOf(keys);
    // The keys of requests die young. These are all held at once, and to copy the new ones is the collector's work for
    // this bench, not for what it measures; after two passes it leaves them alone.
    for (const type of ["minor", "minor"]) gc({ type });
    const began = process.cpuUsage();
    await run(fresh);
    const { user, system } = process.cpuUsage(began);
    return ((user + system) * 1000) / CALLS;
  };
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Neither is always the one that runs after the other.
    if (round % 2 === 0) rounds.push([await time(run), await time(other)]);
    else rounds.push([await time(other), await time(run)].reverse());
  }
  const ratios = rounds.map(([ours, peer]) => ours / peer).sort((a, b) => a - b);
  const ns = [0, 1].map((side) => median(rounds.map((round) => round[side]).sort((a, b) => a - b)));
  const value = median(ratios);
  const spread = [ratios[0], ratios.at(-1)];
  console.log(JSON.stringify({ name, value, bound, ok: value <= bound, spread, rounds: ROUNDS, ns }));
}

function median(sorted) {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Prints a ratio as the other benches do. */
function tell({ name, value, bound, ok, spread, rounds, ns }) {
  console.log(`ratio ${name} ${value.toFixed(3)} ${bound} ${ok ? "ok" : "short"}`);
  console.log(`  spread ${spread[0].toFixed(3)} to ${spread[1].toFixed(3)} over ${rounds} rounds`);
  if (ns) console.log(`  about ${ns[0].toFixed(1)} ns against ${ns[1].toFixed(1)} ns`);
}

/** Prints the bytes of the process that a key costs, for as many keys as there are. */
async function bytes(way) {
  const run = await ways[way]();
  await run(eachOf(1000));
  gc();
  const before = process.memoryUsage().rss;
  // In pieces, so that what the keys themselves took is taken again.
  for (let from = 0; from < MANY; from += 10_000) {
    await run(Array.from({ length: 10_000 }, (_, index) => PREFIX + (2 * FIRST + from + index)));
  }
  gc();
  console.log((process.memoryUsage().rss - before) / MANY);
}

const wasm = () => readFileSync(join(import.meta.dirname, "node_modules/ratelimit-rs/dist/ratelimit.wasm"));

/** Prints the milliseconds from the module's bytes to a module that runs. */
function instantiation() {
  const bytes = wasm();
  const began = process.hrtime.bigint();
  new WebAssembly.Instance(new WebAssembly.Module(bytes));
  console.log(Number(process.hrtime.bigint() - began) / 1e6);
}

const ask = (...args) => execFileSync(process.execPath, ["--expose-gc", self, ...args], { encoding: "utf8" });

/** Promises about numbers that are no times of one way beside another's. */
function others() {
  const rounds = [1, 2, 3].map(() => Number(ask("--bytes", "native")) / Number(ask("--bytes", "hono")));
  const starts = Array.from({ length: 5 }, () => Number(ask("--instantiation")) / 5);
  const sized = gzipSync(wasm(), { level: 9 }).length / 28_000;
  return [
    ["native-bytes-a-key-to-hono", 0.45, rounds],
    ["wasm-instantiation-to-5-ms", 1, starts],
    ["wasm-gzipped-to-28-kb", 1, [sized]],
  ].map(([name, bound, ratios]) => {
    ratios.sort((a, b) => a - b);
    const value = median(ratios);
    return { name, value, bound, ok: value <= bound, spread: [ratios[0], ratios.at(-1)], rounds: ratios.length };
  });
}

function main() {
  const only = process.argv[2] ?? "";
  const ratios = [];
  for (const [index, [name]] of PROMISES.entries()) {
    if (!name.includes(only)) continue;
    ratios.push(JSON.parse(ask("--pair", String(index))));
    tell(ratios.at(-1));
  }
  for (const ratio of only === "" ? others() : []) {
    ratios.push(ratio);
    tell(ratio);
  }
  const target = resolve(self, "../../..", process.env.CARGO_TARGET_DIR ?? "target");
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "ratios-node.json"), JSON.stringify(ratios, null, 2) + "\n");
}

const [, , what, which] = process.argv;
if (what === "--pair") await pair(Number(which));
else if (what === "--bytes") await bytes(which);
else if (what === "--instantiation") instantiation();
else main();
