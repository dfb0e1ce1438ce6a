// Node.js and Bun: the native addon, or wasm where none is installed.
import bytes from "../dist/ratelimit.wasm";
import { install, type Engine } from "./engine.js";
import { loadAddon, nativeEngine } from "./native.js";
import { warn } from "./warning.js";
import { instantiate } from "./wasm.js";

export * from "./index.js";
export { default } from "./index.js";

declare const require: (name: string) => unknown;

function load(): Engine {
  try {
    return nativeEngine(loadAddon((name) => require(name)));
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    const message = `ratelimit-rs has no native addon here and uses wasm, which decides alike but slower: ${why}`;
    warn({ code: "native_unavailable", message });
    return instantiate(new WebAssembly.Module(bytes));
  }
}

install(load());
