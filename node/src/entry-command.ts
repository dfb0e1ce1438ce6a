#!/usr/bin/env node
// The command `ratelimit`: by the native addon, or by wasm where none is installed. Both are the same program.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadAddon, type Addon } from "./native.js";

declare const process: {
  readonly argv: string[];
  readonly env: Record<string, string>;
  exitCode: number;
  cwd(): string;
};

const args = ["ratelimit-rs", ...process.argv.slice(2)];

function addon(): Addon | undefined {
  try {
    return loadAddon(createRequire(import.meta.url));
  } catch {
    return undefined;
  }
}

/** Runs the command in a sandbox that has the files of this machine and its streams. */
async function inWasm(): Promise<number> {
  // Node.js warns that this is experimental; what it says belongs to no output of ours.
  const { emitWarning } = process as unknown as { emitWarning: () => void };
  Object.assign(process, { emitWarning: () => {} });
  const { WASI } = await import("node:wasi");
  Object.assign(process, { emitWarning });
  // One folder, and where in it we are: of two, WASI's library takes one for all names. It has no drives.
  const preopens = { "/": "/" };
  const env = { ...process.env, PWD: process.cwd().replace(/^[A-Za-z]:/, "").replaceAll("\\", "/") };
  const wasi = new WASI({ version: "preview1", args, env, preopens, returnOnExit: true });
  const module = await WebAssembly.compile(readFileSync(new URL("./command.wasm", import.meta.url)));
  const instance = await WebAssembly.instantiate(module, wasi.getImportObject() as WebAssembly.Imports);
  return wasi.start(instance);
}

const native = addon();
process.exitCode = native === undefined ? await inWasm() : native.command(args);
