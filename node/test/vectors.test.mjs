import assert from "node:assert/strict";
import { test } from "node:test";
import { LEAST_STEPS, builds, vectors } from "./builds.mjs";
import { replay } from "./replay.mjs";

for (const [name, api] of builds) {
  test(`${name}: every answer of the vectors comes out, field by field`, (context) => {
    const { failures, ...ran } = replay(api, vectors);
    context.diagnostic(JSON.stringify(ran));
    assert.equal(failures.length, 0, failures.slice(0, 20).join("\n"));
    assert.ok(ran.steps >= LEAST_STEPS, `${ran.steps} steps ran, of at least ${LEAST_STEPS}`);
  });
}

test("a vector with another expectation is told apart", () => {
  const [, api] = builds[0];
  const changed = structuredClone(vectors.filter(({ name }) => name === "fixed-window"));
  changed[0].cases[0].steps[0].expect.remaining += 1;
  assert.equal(replay(api, changed).failures.length, 6, "once in each way, and for a peek");
});
