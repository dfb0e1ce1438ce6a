// Browsers, Deno and anything else that may compile wasm: the module is within the file, so there is nothing to fetch.
import bytes from "../dist/ratelimit.wasm";
import { install } from "./engine.js";
import { instantiate } from "./wasm.js";

export * from "./index.js";
export { default } from "./index.js";

install(instantiate(new WebAssembly.Module(bytes)));
