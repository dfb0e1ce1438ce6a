// Empty projects that install the package as it is released: packed by npm, and nothing else beside it.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { here, manifest, platformName } from "./stage.mjs";

const run = promisify(execFile);
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
export const modules = join(import.meta.dirname, "node_modules");

const root = mkdtempSync(join(tmpdir(), "ratelimit-packages-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

function pack(name) {
  const said = execFileSync(npm, ["pack", "--json", "--pack-destination", root], { cwd: join(modules, name) });
  return join(root, JSON.parse(said)[0].filename);
}

/** The archives that a registry would get. */
export const archives = { package: pack(manifest.name), addon: pack(platformName(here)) };

let projects = 0;

/** Makes a project with these files and these archives installed, and returns how to run things in it. */
export async function project(files, installed = Object.values(archives), settings = {}) {
  const folder = join(root, `project-${(projects += 1)}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, ...settings }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  // The addons of other platforms are not asked for: no registry is needed.
  const flags = ["--omit=optional", "--offline", "--no-audit", "--no-fund", "--no-package-lock"];
  await run(npm, ["install", ...flags, ...installed], { cwd: folder });
  return { folder, node: (...args) => run(process.execPath, args, { cwd: folder }) };
}
