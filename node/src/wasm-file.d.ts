/** The module that the build makes: its bytes, or in a worker the compiled module. */
declare module "*.wasm" {
  const module: Uint8Array<ArrayBuffer> & WebAssembly.Module;
  export default module;
}

declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}
