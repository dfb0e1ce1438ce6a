// What core says of limits over HTTP, asked of both builds through `src/http.ts`, as the middlewares will ask it.
import assert from "node:assert/strict";
import { build } from "esbuild";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, test } from "node:test";
import { here, platformName } from "./stage.mjs";

const modules = join(import.meta.dirname, "node_modules");
const bundled = join(modules, ".http.mjs");
const source = join(import.meta.dirname, "../src");
const names = ["engine", "wasm", "native", "http", "limiter", "policy"];
await build({
  stdin: { contents: names.map((name) => `export * from "./${name}.js";`).join("\n"), resolveDir: source },
  outfile: bundled, bundle: true, format: "esm", target: "es2022", platform: "neutral", logLevel: "warning",
});
after(() => rmSync(bundled));
const rust = await import(bundled);

const folder = join(import.meta.dirname, "../../tests/vectors");
const files = readdirSync(folder).filter((file) => /^http-\d+/.test(file));
const cases = files.flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")).cases);

const wasm = readFileSync(join(modules, "ratelimit-rs/dist/ratelimit.wasm"));
const engines = {
  wasm: () => rust.instantiate(new WebAssembly.Module(wasm)),
  native: () => rust.nativeEngine(createRequire(import.meta.url)(platformName(here))),
};

const bytes = ({ text, hex }) => (text === undefined ? Buffer.from(hex, "hex") : text);
const lines = (given) => given.map(bytes);
/** What has no text JavaScript never hands over: its fields are text. */
const isText = (given) => {
  const whole = Buffer.from(bytes(given));
  return Buffer.from(whole.toString()).equals(whole);
};

/** Puts a policy of the vectors into the engine's list, and makes a limiter of all. */
function makeLimiter(policies) {
  const numbers = policies.flatMap(({ algorithm, limit, window_ms, capacity, refill, refill_period_ms }) =>
    algorithm === "token_bucket" ? [1, capacity, refill, refill_period_ms]
      : [algorithm === "fixed_window" ? 0 : 2, limit, window_ms, 0]);
  const { engine } = rust;
  engine.slots.set(numbers, rust.LIST);
  engine.slots[rust.COST] = NaN;
  engine.slots[rust.COUNT] = policies.length;
  engine.make();
  return engine.slots[0];
}

const decisionOf = (given) => ({
  kind: given.kind, policy: given.policy, limit: given.limit, remaining: given.remaining, cost: given.cost,
  resetAfterMs: given.reset_after_ms, retryAfterMs: given.retry_after_ms, atMs: given.at_ms,
});

const refusalIs = (refusal) =>
  refusal && { status: refusal.status, content_type: refusal.contentType, body: refusal.body };

function clientOf({ trusted_proxies: trustedProxies, forwarding_field: forwardingField, ipv6_prefix: ipv6Prefix }) {
  return rust.makeClient({ trustedProxies, forwardingField, ipv6Prefix });
}

/** Asks a question; `undefined` for what JavaScript asks in another way. */
function ask(question) {
  switch (question.type) {
    case "address": {
      if (question.ipv6_prefix < 32) return undefined;
      const maker = clientOf({ ipv6_prefix: question.ipv6_prefix });
      const { key } = rust.client(maker, bytes(question.text), []);
      assert.ok(rust.free(maker, "client") && !rust.free(maker, "client"));
      return { key: key === "unknown" ? null : key };
    }
    case "client": {
      const maker = clientOf(question.options);
      const peer = question.peer ? bytes(question.peer) : "";
      const { key, untrustedField } = rust.client(maker, peer, lines(question.lines));
      rust.free(maker, "client");
      return { key, untrusted_field: untrustedField };
    }
    case "header": {
      if (!question.lines.every(isText)) return undefined;
      const key = rust.headerKey(lines(question.lines));
      const { expect } = question;
      const hex = (key) => ({ hex: Buffer.from(key).toString("hex") });
      const asGiven = (key) => (expect.key?.hex === undefined ? { text: key } : hex(key));
      return { key: key === null ? null : asGiven(key) };
    }
    case "answer": {
      const asked = question.limits.map(({ policies, names, fields, saturated_status: saturatedStatus, decision }) => {
        const limiter = makeLimiter(policies);
        if (limiter < 0) throw new Error("refused");
        return [rust.makeTerms(limiter, { names, fields, saturatedStatus }), decisionOf(decision)];
      });
      const refusal = refusalIs(rust.refusal(asked.at(-1), lines(question.accept)));
      const answer = { fields: rust.fields(asked), refusal };
      asked.forEach(([terms]) => assert.ok(rust.free(terms, "terms")));
      return answer;
    }
    case "missing_key":
      return { refusal: refusalIs(rust.refusal(undefined, lines(question.accept))) };
    case "refund": {
      const { outcome } = question;
      const status = Number.isInteger(outcome) ? outcome : outcome === "refused_within" ? -1 : 0;
      return { refund: rust.refunds(question.refund_if, status) };
    }
  }
  return undefined;
}

/** Returns an answer, or the error in its place. */
function outcome(question) {
  try {
    return ask(question);
  } catch {
    const [code, name, field] = rust.engine.failure().split("\n");
    return { error: { code: Number(code), name, field } };
  }
}

function wanted({ expect }) {
  if (expect.error === undefined) return expect;
  const { code, name, field } = expect.error;
  return { error: { code, name, field } };
}

test("an option that there is not is refused", () => {
  rust.install(engines.wasm());
  const told = (field, all) =>
    ({ name: "TypeError", code: "wrong_type", field, message: `${field} is no option, must be one of ${all}` });
  const client = told("trustedProxy", "trustedProxies, forwardingField, ipv6Prefix");
  assert.throws(() => rust.makeClient({ trustedProxy: 1 }), client);
  assert.throws(() => rust.makeTerms(0, { name: ["site"] }), told("name", "names, fields, saturatedStatus"));
  for (const make of [rust.makeClient, (given) => rust.makeTerms(0, given)]) {
    assert.throws(() => make(null), { name: "TypeError", code: "wrong_type", field: "options" });
  }
});

for (const [name, make] of Object.entries(engines)) {
  test(`the ${name} build says over HTTP what the model says`, (context) => {
    rust.install(make());
    const counts = {};
    for (const question of cases) {
      const got = outcome(question);
      if (got === undefined) continue;
      counts[question.type] = (counts[question.type] ?? 0) + 1;
      assert.deepEqual(got, wanted(question), `${question.name}: ${question.why}`);
    }
    context.diagnostic(JSON.stringify(counts));
    assert.deepEqual(Object.keys(counts).sort(), ["address", "answer", "client", "header", "missing_key", "refund"]);
  });
}
