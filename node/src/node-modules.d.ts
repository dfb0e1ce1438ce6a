// What the command needs of Node.js; the rest of the package needs nothing of it.
declare module "node:fs" {
  export function readFileSync(path: URL): Uint8Array<ArrayBuffer>;
}
declare module "node:module" {
  export function createRequire(from: string): (name: string) => unknown;
}
declare module "node:wasi" {
  export class WASI {
    constructor(options: object);
    getImportObject(): object;
    start(instance: WebAssembly.Instance): number;
  }
}
