// The JavaScript of every page is run, each page as one program in a project that has the package and nothing else.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { project } from "./project.mjs";

const root = join(import.meta.dirname, "../..");
const git = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"];
const pages = execFileSync("git", git, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);

/** Joins the blocks of a page; imports of the same name are one. */
function program(text) {
  const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block);
  const imports = new Set();
  const body = blocks.map((block) => block.replace(/^import .*;\n/gm, (line) => (imports.add(line), "")));
  return blocks.length === 0 ? undefined : [...imports, ...body].join("\n");
}

/** The documentation of what is exported has blocks too, of which each is a program. */
function documented(source) {
  const matches = [...source.matchAll(/^ *\* ```js\n(.*?)^ *\* ```$/gms)];
  const blocks = matches.map(([, block]) => block.replace(/^ *\* ?/gm, ""));
  const all = "Limiter, ManualClock, fixedWindow, onWarning, slidingWindow, tokenBucket";
  const before = `import assert from "node:assert/strict"; import { ${all} } from "ratelimit-rs"; const log = [];`;
  return blocks.map((block) => `${before}\n${block}`);
}

const { node } = await project({});
const run = (text) => node("--input-type=module", "--eval", text);

test("the JavaScript of every page runs", async () => {
  const ran = [];
  for (const page of pages) {
    const text = program(readFileSync(join(root, page), "utf8"));
    if (text === undefined) continue;
    await run(text);
    ran.push(page);
  }
  for (const page of ["README.md", "docs/javascript.md", "node/README.md", "node/usage-rules.md"]) {
    assert.ok(ran.includes(page), `${page} has an example`);
  }
});

test("the examples in the documentation of what is exported run", async () => {
  const sources = ["clock", "limiter", "policy", "warning"].map((name) => join(root, "node/src", `${name}.ts`));
  const programs = sources.flatMap((source) => documented(readFileSync(source, "utf8")));
  assert.ok(programs.length >= 6, `${programs.length} examples`);
  await Promise.all(programs.map(run));
});

test("an example whose assertion does not hold fails", async () => {
  const page = "```js\nimport assert from \"node:assert/strict\";\nassert.equal(1, 2);\n```\n";
  await assert.rejects(run(program(page)), /AssertionError/);
});
