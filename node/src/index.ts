export { ManualClock, type Clock } from "./clock.js";
export type { Decision, Kind } from "./decision.js";
export type { Details } from "./error.js";
export type { Key } from "./key.js";
export { DEFAULT_MAX_IDENTITIES, Limiter, type Handle, type Options, type Stats } from "./limiter.js";
export { Limiter as default } from "./limiter.js";
export {
  fixedWindow, slidingWindow, tokenBucket,
  type FixedWindow, type Policy, type SlidingWindow, type TokenBucket, type Window,
} from "./policy.js";
export { onWarning, type Warning } from "./warning.js";
