import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { builds } from "./builds.mjs";

const [[, native], [, wasm]] = builds;

/** Runs a test with each build. */
function each(title, run) {
  for (const [name, api] of builds) test(`${name}: ${title}`, () => run(api));
}

/** The keys that are one with `key`, of those in `others`. */
function same({ Limiter }, key, ...others) {
  const limiter = new Limiter("1/day");
  limiter.check(key);
  return others.filter((other) => !limiter.allow(other));
}

test("native: it is the addon that decides, and no other build can share", () => {
  assert.ok(Number.isInteger(new native.Limiter("1/s").share().ratelimit));
  assert.throws(() => new wasm.Limiter("1/s").share(), { name: "Error", code: "unsupported" });
});

each("a decision is a plain object of these fields", ({ Limiter }) => {
  const limiter = new Limiter("2/minute");
  const decision = limiter.checkAt("ada", 15_000);
  assert.deepEqual(decision, {
    kind: "allowed", allowed: true, limit: 2, remaining: 1, retryAfterMs: 0, resetAfterMs: 45_000,
    policy: 0, cost: 1, atMs: 15_000,
  });
  assert.equal(Object.getPrototypeOf(decision), Object.prototype);
  assert.deepEqual(JSON.parse(JSON.stringify(decision)), decision);
  assert.equal(limiter.checkAt("ada", 15_000, 3).retryAfterMs, null);
});

each("numbers around those that fit 31 bits come as they are, alone and in a batch", ({ Limiter }) => {
  const around = [2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1];
  for (const limit of [...around, 2 ** 32 - 1]) {
    for (const windowMs of [1000, ...around, 31_622_400_000]) {
      for (const cost of [1, limit]) {
        const limiter = new Limiter({ algorithm: "fixed_window", limit, windowMs });
        const expected = {
          kind: "allowed", allowed: true, limit, remaining: limit - cost, retryAfterMs: 0, resetAfterMs: windowMs,
          policy: 0, cost, atMs: 0,
        };
        assert.deepEqual(limiter.checkAt("ada", 0, cost), expected);
        const denied = { kind: "denied", allowed: false, remaining: limit - cost, retryAfterMs: windowMs };
        assert.deepEqual(limiter.checkAt("ada", 0, limit), { ...expected, ...denied, cost: limit });
        assert.deepEqual(limiter.peekAt("bob", 0, cost), expected);
      }
    }
  }
  const limiter = new Limiter("4294967295/366d", { clock: () => 0 });
  const costs = limiter.checkMany(["ada", "bob", "ada"], 2 ** 31);
  assert.ok(costs.every(({ cost, remaining }) => cost === 2 ** 31 && remaining === 2 ** 31 - 1));
  assert.deepEqual(costs.map(({ retryAfterMs }) => retryAfterMs), [0, 0, 31_622_400_000]);
});

each("the default clock is Unix time", ({ Limiter }) => {
  const limiter = new Limiter("1/hour");
  const before = Date.now();
  const { atMs } = limiter.check("ada");
  // It may lag by its resolution, and the machine's clock may have been set since it was first read.
  assert.ok(Math.abs(atMs - before) < 60_000, `${atMs} is not ${before}`);
  assert.ok(limiter.peek("bob").atMs >= atMs);
});

each("a clock of the caller's is read once for each call that needs the time", ({ Limiter }) => {
  let reads = 0;
  const limiter = new Limiter("100/minute", { clock: () => (reads += 1) });
  assert.equal(reads, 0, "not when it is made");
  const decision = limiter.check("ada");
  limiter.allow("ada");
  limiter.peek("ada");
  limiter.remaining("ada");
  limiter.refund("ada", decision);
  limiter.sweep();
  assert.equal(reads, 6);
  const batch = limiter.checkMany(Array(100).fill("bob"));
  assert.deepEqual(new Set(batch.map(({ atMs }) => atMs)), new Set([7]));
  limiter.reset("ada");
  limiter.clear();
  limiter.checkAt("ada", 5);
  assert.ok(limiter.size + limiter.stats().allowed + limiter.maxIdentities > 0);
  assert.equal(reads, 7);
});

each("a manual clock stands until it is moved", ({ Limiter, ManualClock }) => {
  const clock = new ManualClock(500);
  const limiter = new Limiter("1/second", { clock });
  assert.deepEqual([limiter.allow("ada"), limiter.allow("ada")], [true, false]);
  clock.advance(500);
  assert.ok(limiter.allow("ada"));
  clock.set(5_000);
  assert.equal(limiter.check("ada").atMs, clock.nowMs);
});

each("a manual clock that is told wrong stands where it stood", ({ ManualClock }) => {
  const clock = new ManualClock(7);
  const last = 2 ** 52 - 1;
  for (const [move, name, field, told] of [
    [() => new ManualClock(-1), "RangeError", "now_ms", "-1, must be"],
    [() => clock.set(-1), "RangeError", "now_ms", "-1, must be"],
    [() => clock.set(2 ** 60), "RangeError", "now_ms", "1152921504606846976, must be"],
    [() => clock.set("1"), "TypeError", "now_ms", '"1", must be an integer'],
    [() => clock.advance(-1), "RangeError", "ms", "-1, must be"],
    [() => clock.advance(last + 1), "RangeError", "ms", "4503599627370496, must be"],
    [() => clock.advance(0.5), "RangeError", "ms", "0.5, must be an integer"],
    [() => clock.advance(), "TypeError", "ms", "undefined, must be an integer"],
    [() => clock.advance(last), "RangeError", "now_ms", "4503599627370502, must be"],
  ]) {
    assert.throws(move, { name, field, message: `${field} is ${told} from 0 to 4503599627370495` });
  }
  assert.equal(clock.nowMs, 7);
  clock.advance(last - 7);
  assert.equal(clock.nowMs, last);
});

each("a clock of the caller's that tells no time is refused by the call that reads it", ({ Limiter }) => {
  for (const time of [-1, 2 ** 52]) {
    const limiter = new Limiter("1/second", { clock: () => time });
    assert.throws(() => limiter.check("ada"), { name: "RangeError", code: "out_of_range", field: "now_ms" });
  }
});

each("text, bytes and lists of parts are the keys that the contract says", (api) => {
  const bytes = (text) => new TextEncoder().encode(text);
  assert.deepEqual(same(api, "añ€😀", bytes("añ€😀"), Buffer.from("añ€😀"), "añ€"), [
    bytes("añ€😀"), Buffer.from("añ€😀"),
  ]);
  assert.deepEqual(same(api, ["a", "bc"], ["ab", "c"], "1:a2:bc", [bytes("a"), "bc"]), [[bytes("a"), "bc"]]);
  assert.deepEqual(same(api, [], "", [""]), []);
  assert.deepEqual(same(api, "", new Uint8Array()), [new Uint8Array()]);
  assert.deepEqual(same(api, ["é", "x"], ["Ã©", "x"], ["é", bytes("x")]), [["é", bytes("x")]]);
});

each("a lone surrogate counts as U+FFFD, in text, in parts and in batches", (api) => {
  const [lone, replaced] = ["a\ud800b", "a\ufffdb"];
  assert.deepEqual(same(api, lone, replaced), [replaced]);
  assert.deepEqual(same(api, ["x", lone], ["x", replaced]), [["x", replaced]]);
  const limiter = new api.Limiter("1/day");
  assert.deepEqual(limiter.checkMany([lone, replaced]).map(({ allowed }) => allowed), [true, false]);
});

each("keys of every length around each buffer are told apart", ({ Limiter }) => {
  const limiter = new Limiter("1/day");
  const lengths = [0, 1, 15, 16, 17, 40, 41, 63, 64, 65, 85, 251, 252, 253, 254, 255, 256, 257, 1365, 4095, 4096, 4097];
  lengths.push(70_000);
  // The low byte of the last two is that of "x": they are not taken for it.
  for (const sign of ["x", "é", "€", "😀", "\u0178", "\u0278"]) {
    for (const length of lengths.filter((length) => length > 0 || sign === "x")) {
      const key = sign.repeat(length);
      const bytes = new TextEncoder().encode(key);
      assert.ok(limiter.allow(key), `${sign} ${length} is new`);
      assert.ok(!limiter.allow(bytes), `${sign} ${length} is its bytes`);
      assert.ok(limiter.checkMany([key, bytes, key]).every(({ allowed }) => !allowed), `${sign} ${length} in a batch`);
    }
  }
});

test("wasm: a key for which there is no memory is refused, and the others stay apart", () => {
  const limiter = new wasm.Limiter("1/day");
  const refused = { name: "RangeError", code: "unsupported", field: "key" };
  assert.throws(() => limiter.check(new Uint8Array(2 ** 31)), refused);
  assert.equal(limiter.size, 0);
  for (const allowed of [true, false]) {
    for (const key of ["ada", "bob", "x".repeat(100), "y".repeat(5000)]) assert.equal(limiter.allow(key), allowed, key);
  }
});

each("a class that extends the limiter changes a batch of no kind of keys", (ours) => {
  class Counting extends ours.Limiter {
    checks = 0;
    check(...given) { return (this.checks += 1), super.check(...given); }
    checkAt(...given) { return (this.checks += 1), super.checkAt(...given); }
  }
  const limiter = new Counting("9/day");
  for (const keys of [["ada"], [["ada", "x"]], ["ada", new Uint8Array(1)]]) limiter.checkMany(keys);
  assert.equal(limiter.checks, 0);
});

each("keys of a batch stay apart, however long they are together and whatever they are made of", ({ Limiter }) => {
  const text = (length, index) => String(index).padStart(length, "x");
  for (const length of [2, 40, 62, 63, 64, 65, 300]) {
    for (const last of ["", "last", "lést", "\u0178", "\ud83d", new Uint8Array([1, 200])]) {
      for (const count of [1, 2, 63, 64, 65, 130]) {
        const keys = [...Array.from({ length: count - 1 }, (_, index) => text(length, index)), last];
        const [limiter, alone] = [new Limiter("2/day"), new Limiter("2/day")];
        keys.forEach((key) => alone.check(key));
        assert.ok(limiter.checkMany(keys).every(({ remaining }) => remaining === 1), `${count} of ${length}, ${last}`);
        assert.equal(limiter.size, alone.size);
        assert.ok(keys.every((key) => limiter.check(key).remaining === 0), `${count} of ${length}, ${last}, are these`);
      }
    }
  }
  const halves = new Limiter("9/day");
  halves.checkMany(["a\ud83d", "\ude00b"]);
  assert.deepEqual(["a\ufffd", "\ufffdb", "a😀b"].map((key) => halves.remaining(key)), [8, 8, 9]);
});

each("bytes of another realm and of shared memory are keys", ({ Limiter }) => {
  const limiter = new Limiter("1/day");
  assert.ok(limiter.allow("abc"));
  assert.ok(!limiter.allow(runInNewContext("new Uint8Array([97, 98, 99])")));
  const shared = new Uint8Array(new SharedArrayBuffer(5), 1, 3);
  shared.set([97, 98, 99]);
  assert.ok(!limiter.allow(shared));
  const both = runInNewContext("new Uint8Array(new SharedArrayBuffer(3))");
  both.set([97, 98, 99]);
  assert.ok(!limiter.allow(both));
});

each("bytes are what they are, whatever their class says of them, and run no code of it", ({ Limiter }) => {
  const limiter = new Limiter("9/day");
  const decision = limiter.checkAt("abc", 0, 4);
  const other = () => limiter.refundAt("other", { kind: "denied", cost: 9, atMs: 1 }, 1);
  class Bytes extends Uint8Array {
    static get [Symbol.species]() { return other(), Float64Array; }
    get length() { return other(), 1; }
    get buffer() { return other(), new SharedArrayBuffer(1); }
    slice() { return other(), "def"; }
  }
  const shared = new Bytes(new SharedArrayBuffer(3));
  for (const key of [new Bytes([97, 98, 99]), shared]) {
    key.set([97, 98, 99]);
    assert.equal(limiter.refundAt(key, decision, 0), 4);
    assert.ok(limiter.checkAt("abc", 0, 4).allowed);
    assert.deepEqual([key, [key, "x"]].map((key) => limiter.remainingAt(key, 0)), [5, 9]);
    limiter.checkAt(["abc", "x"], 0);
    assert.equal(limiter.remainingAt([key, "x"], 0), 8);
    limiter.reset([key, "x"]);
  }
  const long = new Bytes(5000).fill(97);
  limiter.checkAt("a".repeat(5000), 0);
  assert.equal(limiter.remainingAt(long, 0), 8);
});

each("bytes whose buffer was given away are the empty key", (api) => {
  const gone = new Uint8Array([97]);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  const limiter = new api.Limiter("9/day");
  assert.deepEqual([gone, ""].map((key) => limiter.check(key).remaining), [8, 7]);
  assert.deepEqual(limiter.checkMany([gone, "", "a"]).map(({ remaining }) => remaining), [6, 5, 8]);
  assert.deepEqual([[gone, "x"], ["", "x"]].map((key) => limiter.check(key).remaining), [8, 7]);
});

each("code that runs while keys and decisions are read may use other limiters", ({ Limiter }) => {
  const [limiter, other] = [new Limiter("5/day"), new Limiter("9/day")];
  /** A list of which the last place is read by a function. */
  const list = (first, last) => {
    const reads = { enumerable: true, get: () => (other.check(["other", "key"]), last) };
    return Object.defineProperty([first], 1, reads);
  };
  assert.deepEqual(limiter.checkMany(list("ada", "bob")).map(({ limit }) => limit), [5, 5]);
  assert.ok(limiter.reset("ada") && limiter.reset("bob"));
  assert.deepEqual(limiter.checkMany(["ada", list("a", "b")]).map(({ limit }) => limit), [5, 5]);
  const decision = limiter.check(list("a", "b"));
  assert.deepEqual([decision.limit, decision.remaining], [5, 3]);
  const { atMs } = decision;
  const given = { ...decision, get atMs() { return other.check(["other", "longer key"]), atMs; } };
  assert.equal(limiter.refund(["a", "b"], given), 1);
  assert.equal(limiter.remaining(["a", "b"]), 4);
});

each("a batch of any length is as its checks one by one", ({ Limiter, ManualClock }) => {
  const [one, many] = [0, 0].map(() => new Limiter("3/minute", { clock: new ManualClock(7), maxIdentities: 100 }));
  for (const length of [0, 1, 63, 64, 65, 128, 129, 500]) {
    const keys = Array.from({ length }, (_, index) => (index % 7 === 0 ? "hot" : `é${index}`));
    assert.deepEqual(many.checkMany(keys, 2), keys.map((key) => one.check(key, 2)));
    const bytes = keys.map((key) => new TextEncoder().encode(key));
    assert.deepEqual(many.checkMany(bytes), bytes.map((key) => one.check(key)));
    const mixed = keys.map((key, index) => (index % 2 === 0 ? key : [key, "part"]));
    assert.deepEqual(many.checkMany(mixed), mixed.map((key) => one.check(key)));
  }
  assert.deepEqual(many.stats(), one.stats());
  assert.equal(many.size, 100);
});

each("what throws has changed nothing, and says what it is about", (ours) => {
  const { Limiter, ManualClock, fixedWindow, slidingWindow, tokenBucket, onWarning } = ours;
  const limiter = new Limiter("3/minute", { clock: new ManualClock(0) });
  const key = { name: "TypeError", code: "wrong_type", field: "key" };
  for (const wrong of [undefined, null, 1, 1n, {}, Symbol("s"), new Uint16Array(1), new ArrayBuffer(1), [1], [["a"]]]) {
    assert.throws(() => limiter.check(wrong), key);
    assert.throws(() => limiter.reset(wrong), key);
    assert.throws(() => limiter.checkMany(["ada", wrong].concat(Array(100).fill("bob"))), key);
  }
  assert.throws(() => limiter.checkMany(["ada", , "bob"]), key, "a place that is empty");
  for (const wrong of [[, "a"], ["a", , "b"], { [Symbol.toStringTag]: "Uint8Array", length: 0 }]) {
    assert.throws(() => limiter.check(wrong), key, "an empty place is no part, and what calls itself bytes is none");
    assert.throws(() => limiter.checkMany(["ada", wrong, ["bob"]]), key);
  }
  assert.throws(() => limiter.checkMany("ada"), { name: "TypeError", code: "wrong_type", field: "keys" });
  assert.throws(() => limiter.checkMany([], 0), { name: "RangeError", code: "out_of_range", field: "cost" });
  const message = "cost is 1.5, must be an integer from 1 to 4294967295";
  assert.throws(() => limiter.check("ada", 1.5), { name: "RangeError", code: "not_an_integer", number: 7, message });
  for (const wrong of ["1", null, 1n, {}, true, Symbol("s")]) {
    assert.throws(() => limiter.check("ada", wrong), { name: "TypeError", code: "not_an_integer", field: "cost" });
    assert.throws(() => limiter.allow("ada", wrong), { name: "TypeError", code: "not_an_integer" });
    assert.throws(() => limiter.checkAt("ada", wrong), { name: "TypeError", field: "now_ms" });
    assert.throws(() => limiter.checkMany([], wrong), { name: "TypeError", field: "cost" });
  }
  for (const wrong of [0, -1, 2 ** 32, 1e300]) {
    assert.throws(() => limiter.check("ada", wrong), { name: "RangeError", code: "out_of_range", number: 1 });
  }
  for (const wrong of [NaN, Infinity, -Infinity, -0.5]) {
    assert.throws(() => limiter.check("ada", wrong), { name: "RangeError", code: "not_an_integer" });
    assert.throws(() => limiter.peekAt("ada", wrong), { name: "RangeError", field: "now_ms" });
    assert.throws(() => new Limiter("1/s", { maxIdentities: wrong }), { field: "max_identities" });
  }
  assert.throws(() => limiter.checkAt("ada"), { name: "TypeError", field: "now_ms" });
  assert.throws(() => new Limiter("5/minute; 10/0s"), { name: "RangeError", code: "out_of_range", offset: 13 });
  assert.throws(() => new Limiter("10/fortnight"), { code: "policy_syntax", field: "policies", offset: 3 });
  assert.throws(() => new Limiter(fixedWindow({ limit: 1 })), { code: "not_an_integer", field: "window_ms" });
  assert.throws(() => new Limiter(fixedWindow({ limit: "5", perSeconds: 1 })), { name: "TypeError", field: "limit" });
  for (const wrong of [undefined, null, 5, {}, [{}], [null], ["1/s"]]) {
    assert.throws(() => new Limiter(wrong), { name: "TypeError", code: "wrong_type", field: "policies" });
  }
  for (const options of [null, 500, "1"]) {
    const wrong = { name: "TypeError", code: "wrong_type", field: "options" };
    for (const make of [fixedWindow, slidingWindow, tokenBucket, (given) => new Limiter("1/s", given)]) {
      assert.throws(() => make(options), wrong);
    }
    assert.throws(() => fixedWindow(), wrong);
  }
  const both = { limit: 1, perSeconds: 1, windowMs: 1000 };
  assert.throws(() => fixedWindow(both), { name: "TypeError", code: "wrong_type", field: "windowMs" });
  for (const more of [{ refill: 1 }, { refillPeriodMs: 1 }]) {
    const rates = { capacity: 1, refillPerSecond: 1, ...more };
    assert.throws(() => tokenBucket(rates), { name: "TypeError", code: "wrong_type", field: "refillPerSecond" });
  }
  assert.throws(() => onWarning(5), { name: "TypeError", code: "wrong_type", field: "handle" });
  for (const clock of [null, 5, "now", {}]) {
    assert.throws(() => new Limiter("1/s", { clock }), { name: "TypeError", code: "wrong_type", field: "clock" });
  }
  assert.deepEqual(limiter.stats(), { allowed: 0, denied: 0, saturated: 0, exceedsLimit: 0 });
  assert.equal(limiter.size, 0);
});

each("a list of policies with an empty place is refused, and one that changes meanwhile is read once", (ours) => {
  const { Limiter, fixedWindow } = ours;
  const policy = fixedWindow({ limit: 5, perSeconds: 1 });
  const policies = { name: "TypeError", code: "wrong_type", field: "policies" };
  for (const wrong of [[,], [, policy], [policy, , policy], Array(4)]) {
    new Limiter("1/s; 2/s; 3/s; 4/s");
    assert.throws(() => new Limiter(wrong), policies);
  }
  const list = [{ ...policy, get limit() { return list.push(policy), 5; } }];
  assert.equal(String(new Limiter(list)), "fixed 5/second");
});

each("a length of time is the number that is written, and nothing that only becomes one", (ours) => {
  const { Limiter, fixedWindow, slidingWindow } = ours;
  for (const [seconds, ms] of [[60, 60_000], [0.5, 500], [1.001, 1001], [0.29, 290], [8.2, 8200], [4.35, 4350]]) {
    assert.equal(fixedWindow({ limit: 1, perSeconds: seconds }).windowMs, ms);
    assert.equal(new Limiter(slidingWindow({ limit: 1, perSeconds: seconds })).policies[0].windowMs, ms);
  }
  for (const perSeconds of ["60", null, 60n, true, [60], Symbol("s")]) {
    const wrong = { name: "TypeError", code: "wrong_type", field: "perSeconds" };
    assert.throws(() => fixedWindow({ limit: 1, perSeconds }), wrong);
  }
  const [range, fraction] = ["out_of_range", "not_whole_milliseconds"];
  for (const [length, code] of [
    [{ windowMs: 2 ** 65 }, range], [{ windowMs: 1e300 }, range], [{ windowMs: 0.5 }, fraction],
    [{ perSeconds: 1e300 }, range], [{ perSeconds: 0.0015 }, fraction],
  ]) {
    const wrong = { name: "RangeError", code, field: "window_ms" };
    assert.throws(() => new Limiter(fixedWindow({ limit: 1, ...length })), wrong);
  }
});

each("an option is read once, and judged as it was read", ({ Limiter }) => {
  class Options {
    reads = 0;
    get clock() { return (this.reads += 1) === 1 ? () => 7 : 7; }
  }
  assert.equal(new Limiter("1/s", new Options()).check("ada").atMs, 7);
});

each("an option that there is not is refused by its name, and those that there are are listed", (ours) => {
  const { Limiter, fixedWindow, slidingWindow, tokenBucket } = ours;
  const window = "limit, perSeconds, windowMs, algorithm";
  const bucket = "capacity, refillPerSecond, refill, refillPeriodMs, algorithm";
  const open = (options) => Limiter.open({ ratelimit: 1 }, options);
  for (const [make, right, wrong, all] of [
    [(given) => new Limiter("1/s", given), { maxIdentities: 5 }, "maxIdentites", "maxIdentities, clock"],
    [(given) => new Limiter("1/s", given), {}, "algorithm", "maxIdentities, clock"],
    [open, {}, "maxIdentities", "clock"],
    [fixedWindow, { limit: 1, perSeconds: 60 }, "perSecond", window],
    [slidingWindow, { limit: 1, windowMs: 60 }, "windowMS", window],
    [tokenBucket, { capacity: 1, refillPerSecond: 1 }, "limit", bucket],
    [tokenBucket, { capacity: 1, refill: 1, refillPeriodMs: 1 }, "refillPeriod", bucket],
  ]) {
    const message = `${wrong} is no option, must be one of ${all}`;
    const told = { name: "TypeError", code: "wrong_type", number: 0, field: wrong, offset: null, message };
    assert.throws(() => make({ ...right, [wrong]: 1 }), told);
    assert.throws(() => make(Object.assign(Object.create(null), right, { [wrong]: 1 })), told);
    assert.throws(() => make(runInNewContext("given => ({ ...given })")({ ...right, [wrong]: null })), told);
  }
});

each("what is undefined is not given, and an object of a class may have more", (ours) => {
  const { Limiter, ManualClock, fixedWindow, slidingWindow, tokenBucket } = ours;
  class Settings {
    name = "site";
    limit = 3;
    get maxIdentities() { return 7; }
    get perSeconds() { return 60; }
  }
  const limiter = new Limiter(fixedWindow(new Settings()), new Settings());
  assert.deepEqual([String(limiter), limiter.maxIdentities], ["fixed 3/minute", 7]);
  const none = { maxIdentities: undefined, clock: undefined, other: undefined };
  assert.equal(new Limiter("1/s", none).maxIdentities, new Limiter("1/s").maxIdentities);
  assert.equal(new Limiter("1/s", { clock: new ManualClock(5), ...{ maxIdentities: undefined } }).check("a").atMs, 5);
  const rate = { capacity: 10, refill: 3, refillPeriodMs: 60_000 };
  assert.deepEqual(tokenBucket({ ...rate, refillPerSecond: undefined }), tokenBucket(rate));
  for (const [make, given] of [
    [fixedWindow, { limit: 3, perSeconds: 60, windowMs: undefined }],
    [slidingWindow, { limit: 3, perSeconds: undefined, windowMs: 60_000 }],
    [tokenBucket, { ...rate, refillPerSecond: undefined }],
  ]) {
    const [policy] = new Limiter(make(given)).policies;
    assert.deepEqual(new Limiter(policy).policies, [make(policy)], "a policy that was read back may be built upon");
  }
});

each("a class is called what it is exported as", ({ Limiter, ManualClock }) => {
  assert.deepEqual([Limiter.name, ManualClock.name], ["Limiter", "ManualClock"]);
});

each("a decision that was never one is refused by refund", ({ Limiter }) => {
  const limiter = new Limiter("3/minute");
  const decision = limiter.check("ada");
  for (const wrong of [undefined, null, 1, {}, { ...decision, kind: "allow" }, { ...decision, cost: 2 ** 33 }]) {
    assert.throws(() => limiter.refund("ada", wrong), ({ code }) => ["wrong_type", "out_of_range"].includes(code));
  }
  assert.equal(limiter.refund("ada", JSON.parse(JSON.stringify(decision))), 1, "a copy will do");
  assert.equal(limiter.refund("ada", decision), 0, "nothing rises above its limit");
});

each("an error shows what was given, and of a function no source", ({ Limiter }) => {
  const limiter = new Limiter("3/minute");
  const wanted = "must be what check returned";
  assert.throws(() => limiter.refund("ada"), { message: `decision is undefined, ${wanted}` });
  assert.throws(() => limiter.refundAt("ada", null, 0), { message: `decision is null, ${wanted}` });
  const throws = Object.assign(() => 1, { toString() { throw new Error("asked"); } });
  assert.throws(() => limiter.check(throws), { message: /^key is a function, must be/ });
  assert.throws(() => limiter.check("ada", throws), { message: /^cost is a function, must be/ });
});

each("policies come back as they were given, and as text", ({ Limiter, fixedWindow, slidingWindow, tokenBucket }) => {
  const policies = [
    fixedWindow({ limit: 100, perSeconds: 60 }),
    slidingWindow({ limit: 3, windowMs: 3_600_000 }),
    tokenBucket({ capacity: 10, refillPerSecond: 1 }),
    tokenBucket({ capacity: 10, refill: 3, refillPeriodMs: 60_000 }),
  ];
  const limiter = new Limiter(policies, { maxIdentities: 5 });
  assert.deepEqual(limiter.policies, policies);
  assert.ok(Object.isFrozen(limiter.policies) && Object.isFrozen(limiter.policies[0]));
  assert.equal(String(limiter), "fixed 100/minute; sliding 3/hour; bucket 10 + 1/second; bucket 10 + 3/minute");
  assert.deepEqual(new Limiter(String(limiter)).policies, policies);
  assert.equal(limiter.maxIdentities, 5);
  assert.deepEqual(new Limiter(policies[0]).policies, [policies[0]]);
});

each("the default cap is the one that is exported", ({ Limiter, DEFAULT_MAX_IDENTITIES }) => {
  assert.equal(new Limiter("1/s").maxIdentities, DEFAULT_MAX_IDENTITIES);
});

each("a limiter that was disposed of throws, and the others go on", ({ Limiter }) => {
  const [gone, kept] = [new Limiter("1/day"), new Limiter("1/day")];
  gone.check("ada");
  gone[Symbol.dispose]();
  gone[Symbol.dispose]();
  const next = new Limiter("1/day");
  for (const call of [() => gone.check("ada"), () => gone.size, () => gone.checkMany(["a"]), () => String(gone)]) {
    assert.throws(call, { name: "Error", code: "disposed", field: "limiter" });
  }
  assert.ok(kept.allow("ada") && next.allow("ada"), "its number is another's now, its rows are nobody's");
});

each("a thousand limiters keep to themselves", ({ Limiter }) => {
  const limiters = Array.from({ length: 1000 }, (_, index) => new Limiter(`${index + 1}/day`, { maxIdentities: 10 }));
  limiters.forEach((limiter, index) => assert.equal(limiter.check("ada").remaining, index));
});

each("the table grows to a hundred thousand keys, and is full then", ({ Limiter, ManualClock }) => {
  const limiter = new Limiter("1/day", { clock: new ManualClock(1) });
  for (let index = 0; index < 100_000; index++) assert.ok(limiter.allow(`2001:db8::${index}`));
  assert.equal(limiter.check("one more").kind, "saturated");
  assert.equal(limiter.size, 100_000);
  assert.equal(limiter.sweepAt(86_400_000), 100_000);
});
