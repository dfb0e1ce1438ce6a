// Builds the package: types by tsc, code by esbuild, the wasm module and the addon by cargo; then puts it where the
// tests import it from, as npm would.
//
//   node build.mjs [--no-native]
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { here, manifest, platformName, stageAddon, stagePackage } from "./stage.mjs";

const test = dirname(fileURLToPath(import.meta.url));
const node = dirname(test);
const root = dirname(node);
const dist = join(node, "dist");
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");

const run = (command, args, cwd = root) => execFileSync(command, args, { cwd, stdio: "inherit" });

/** Bundles one entry point; wasm is carried within the file unless a worker imports it. */
const bundle = (entry, file, format, inline = true) =>
  build({
    entryPoints: [join(node, "src", entry)],
    outfile: join(dist, file),
    bundle: true,
    format,
    target: "es2022",
    platform: "neutral",
    charset: "utf8",
    logLevel: "warning",
    ...(inline ? { loader: { ".wasm": "binary" } } : { external: ["*.wasm", "*.wasm?module"] }),
  });

async function command() {
  await build({
    entryPoints: [join(node, "src/entry-command.ts")], outfile: join(dist, "command.mjs"),
    bundle: true, format: "esm", target: "es2022", platform: "node", charset: "utf8", logLevel: "warning",
  });
}

async function code() {
  await bundle("entry-node.ts", "node.cjs", "cjs");
  await bundle("entry-wasm.ts", "wasm.mjs", "esm");
  await bundle("entry-wasm.ts", "wasm.cjs", "cjs");
  await bundle("entry-workerd.ts", "workerd.mjs", "esm", false);
  await bundle("entry-edge.ts", "edge.mjs", "esm", false);
  const names = Object.keys((await import(`${join(dist, "wasm.mjs")}?${Date.now()}`)));
  const named = names.filter((name) => name !== "default").join(", ");
  // One copy of the package for both kinds of module: an import is the same Limiter that a require gets.
  const exported = [`export const { ${named} } = ratelimit;`, "export default ratelimit.Limiter;"];
  const lines = ['import ratelimit from "./node.cjs";', ...exported];
  writeFileSync(join(dist, "node.mjs"), [...lines, ""].join("\n"));
}

function types() {
  run(process.execPath, [join(test, "node_modules/typescript/bin/tsc"), "--pretty", "false", "--project", node]);
  // The same declarations for both kinds of module: what they are is said by the package.json beside them.
  cpSync(join(dist, "types/esm"), join(dist, "types/cjs"), { recursive: true });
  for (const [folder, type] of [["esm", "module"], ["cjs", "commonjs"]]) {
    writeFileSync(join(dist, "types", folder, "package.json"), `{ "type": "${type}" }\n`);
  }
}

/** Puts the package, and that of this platform's addon, where the tests import them from. */
function install(native) {
  const modules = join(test, "node_modules");
  stagePackage(join(modules, manifest.name));
  const library = { linux: "libratelimit_node.so", darwin: "libratelimit_node.dylib", win32: "ratelimit_node.dll" };
  const addon = join(modules, platformName(here));
  if (native) stageAddon(addon, here, join(target, "release", library[process.platform]));
  else rmSync(addon, { recursive: true, force: true });
}

const native = !process.argv.includes("--no-native");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
if (native) run("cargo", ["build", "--locked", "--release", "--package", "ratelimit-node"]);
run(join(root, "bindings/wasm/build.sh"), [dist]);
types();
await code();
await command();
install(native);
