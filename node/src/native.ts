import { VERBS, type CheckMany, type Engine, type Verb, type Verbs } from "./engine.js";

declare const process: { readonly platform: string; readonly arch: string };

/** What `bindings/node` exports. */
export interface Addon {
  readonly slots: Float64Array;
  readonly verbs: readonly Verb[];
  failure(): string;
  text(): string;
  command(args: readonly string[]): number;
}

/** Loads the addon for this platform: the package of it that was installed beside this one. Throws if there is none. */
export function loadAddon(require: (name: string) => unknown): Addon {
  const { platform, arch } = process;
  const name = `ratelimit-rs-${platform}-${arch}`;
  if (platform !== "linux") return require(name) as Addon;
  try {
    return require(`${name}-gnu`) as Addon;
  } catch (error) {
    try {
      return require(`${name}-musl`) as Addon;
    } catch {
      throw error;
    }
  }
}

/** Makes an engine of the addon. */
export function nativeEngine({ slots, verbs, failure, text }: Addon): Engine {
  const named = Object.fromEntries(VERBS.map((name, index) => [name, verbs[index]])) as Verbs;
  // Each key as an argument: quicker than a list, whose elements the addon would have to ask for.
  const checkMany: CheckMany = (keys) => Reflect.apply(named.checkMany, undefined, keys);
  return { ...named, checkMany, slots, integers: new Int32Array(slots.buffer), failure, text };
}
