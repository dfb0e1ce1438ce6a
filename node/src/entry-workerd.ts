// Workers: they import wasm as a module that is compiled already, and may compile none themselves.
import module from "./ratelimit.wasm";
import { install } from "./engine.js";
import { instantiate } from "./wasm.js";

export * from "./index.js";
export { default } from "./index.js";

install(instantiate(module));
