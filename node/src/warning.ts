import { wrongType } from "./error.js";

/** Says what a program should know and did not ask. */
export interface Warning {
  /** The warning's word, stable. */
  readonly code: string;
  readonly message: string;
}

type Handler = (warning: Warning) => void;

let handler: Handler = ({ message }) => console.warn(message);
let waiting: Warning[] = [];

/**
 * Sets what is done with warnings; unless it is called they go to `console.warn`. Throws if that is no function.
 *
 * What loading the package has to warn of waits until the first limiter is made, so that a handler that is set before
 * sees it.
 *
 * ```js
 * onWarning(({ code, message }) => log.push(`${code}: ${message}`));
 * ```
 */
export function onWarning(handle: Handler): void {
  if (typeof handle !== "function") wrongType("handle", handle, "a function");
  handler = handle;
}

/** Keeps a warning until the first limiter is made. */
export function warn(warning: Warning): void {
  waiting.push(warning);
}

/** Hands over what waits. */
export function tellWarnings(): void {
  if (waiting.length === 0) return;
  const all = waiting;
  waiting = [];
  all.forEach((warning) => handler(warning));
}
