// `npx ratelimit-rs`: the command by the addon, and by wasm where there is none. They answer alike.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { copyFileSync, existsSync, linkSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { archives, modules, project } from "./project.mjs";

const run = promisify(execFile);
const data = join(import.meta.dirname, "../../tests/data");

/** What the sample's decisions come to, by limit, key, cost and cap. */
const DIGESTS = readFileSync(join(data, "sample.digest"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

const builds = [["native", await project({})]];
if (existsSync(join(modules, "ratelimit-rs/dist/command.wasm"))) {
  builds.push(["wasm", await project({}, [archives.package])]);
} else {
  console.error("not here, so what needs it will not run: rustup's target wasm32-wasip1");
}

for (const [name, { folder }] of builds) {
  const command = join(folder, "node_modules/.bin/ratelimit-rs");
  const ask = (...args) => run(command, args, { cwd: data }).catch((failed) => failed);

  test(`${name}: a replay of the sample comes to the digest that every language has`, async () => {
    assert.ok(DIGESTS.length >= 3);
    for (const [digest, limit, key, cost, cap] of DIGESTS) {
      const extra = cost === "" ? [] : ["--cost", cost];
      const args = ["--limit", limit, "--key", key, "--max-identities", cap, ...extra, "--digest"];
      const { stdout, stderr } = await ask("replay", "sample.log", ...args);
      assert.ok(stdout.includes(digest), `${limit}: ${digest} is not in\n${stdout}${stderr}`);
      assert.equal(stderr, "");
    }
  });

  test(`${name}: a log is read from standard input`, async () => {
    const [[digest, limit]] = DIGESTS;
    const child = spawn(command, ["replay", "-", "--limit", limit, "--digest"]);
    child.stdin.end(readFileSync(join(data, "sample.log")));
    let said = "";
    for await (const text of child.stdout) said += text;
    assert.ok(said.includes(digest), said);
  });

  test(`${name}: the status says how it went, and complaints go to standard error`, async () => {
    const explained = await ask("explain", "sliding 3/minute");
    assert.match(explained.stdout, /^sliding 3\/minute\n/);
    assert.equal(explained.stderr, "");
    const wrong = await ask("explain", "5");
    assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
    assert.match(wrong.stderr, /expected '\/' or 'per' \(at offset 1\)/);
    const absent = await ask("replay", "absent.log", "--limit", "1/s");
    assert.deepEqual([absent.code, absent.stdout], [1, ""]);
    assert.match(absent.stderr, /^error: absent\.log: /);
  });

  test(`${name}: a file is found by a name from here, from above and from the root`, async () => {
    const [[digest, limit]] = DIGESTS;
    for (const log of ["sample.log", "./sample.log", "../data/sample.log", join(data, "sample.log")]) {
      const { stdout, stderr } = await ask("replay", log, "--limit", limit, "--digest");
      assert.ok(stdout.includes(digest), `${log}: ${stdout}${stderr}`);
    }
    const plot = join(folder, `${name}.svg`);
    assert.equal((await ask("replay", "sample.log", "--limit", limit, "--plot", plot)).stderr, "");
    assert.match(readFileSync(plot, "utf8"), /^<svg /);
  });

  test(`${name}: a log is never written over, by whatever name`, async () => {
    const log = join(folder, "over.log");
    copyFileSync(join(data, "sample.log"), log);
    linkSync(log, join(folder, "link.log"));
    for (const option of ["--decisions", "--plot"]) {
      for (const other of [log, `${folder}/./over.log`, join(folder, "link.log")]) {
        const said = await ask("replay", log, "--limit", "1/s", option, other);
        assert.deepEqual([said.code, said.stdout], [2, ""], other);
        assert.match(said.stderr, new RegExp(`^error: ${option} would write over a log: `));
      }
      const line = `"${command}" replay - --limit 1/s ${option} "${log}" < "${log}"`;
      const piped = await run("sh", ["-c", line]).catch((failed) => failed);
      assert.equal(piped.code, 2, piped.stderr);
    }
    assert.deepEqual(readFileSync(log), readFileSync(join(data, "sample.log")));
  });
}
