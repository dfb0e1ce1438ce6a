// Vercel's edge runtime: it imports wasm as a module that is compiled already, if the import asks for one.
import module from "./ratelimit.wasm?module";
import { install } from "./engine.js";
import { instantiate } from "./wasm.js";

export * from "./index.js";
export { default } from "./index.js";

install(instantiate(module));
