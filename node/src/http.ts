// Limits over HTTP, for the middlewares: what core says, and nothing of any framework. Not exported by the package yet.
import { ANSWER, COST, COUNT, DECISION_LENGTH, LIMITER, LIST, NOW, engine, type Verb } from "./engine.js";
import { type Decision, numbers } from "./decision.js";
import { answer, judgeOptions } from "./error.js";
import { pack } from "./key.js";

/** Lines of a field, in their order. */
export type Lines = readonly (string | Uint8Array)[];

/** Says which proxies are before the server: how many, or their networks. */
export interface ClientOptions {
  readonly trustedProxies?: number | readonly string[];
  readonly forwardingField?: string;
  readonly ipv6Prefix?: number;
}

/** Says on which terms a limiter is before a server. */
export interface TermsOptions {
  readonly names?: readonly string[];
  readonly fields?: "standard" | "legacy" | "off";
  readonly saturatedStatus?: number;
}

/** Names the client of a request, and says whether a forwarding field was passed over: its peer is not trusted. */
export interface Client {
  readonly key: string;
  readonly untrustedField: boolean;
}

/** A limit that a request was held to: the number of its terms, and what was decided. */
export type Asked = readonly [terms: number, decision: Decision];

/** Terms of a request that has no key. */
export const NO_TERMS = 0;

/** Runs a verb on a list of texts, with what its `cost` and `time` mean to it, and returns its answer. */
function ask(verb: Verb, held: number, list: Lines, cost = 0, time = 0): number {
  const packed = pack(list);
  const { slots } = engine;
  slots[LIMITER] = held;
  slots[COST] = cost;
  slots[NOW] = time;
  slots[COUNT] = list.length;
  verb(packed);
  return answer();
}

/** Makes what finds the client of a request, and returns its number. */
export function makeClient(options: ClientOptions): number {
  judgeOptions(options, "trustedProxies", "forwardingField", "ipv6Prefix");
  const { trustedProxies = 0, forwardingField, ipv6Prefix = 64 } = options;
  const networks = typeof trustedProxies === "number" ? [] : trustedProxies;
  const hops = typeof trustedProxies === "number" ? trustedProxies : NaN;
  return ask(engine.makeClient, 0, [...networks, forwardingField ?? "x-forwarded-for"], hops, ipv6Prefix);
}

/** Finds the client of a request from its peer, empty if there is none, and the lines of the forwarding field. */
export function client(maker: number, peer: string | Uint8Array, lines: Lines): Client {
  const untrustedField = ask(engine.client, maker, [peer, ...lines]) === 1;
  return { key: engine.text(), untrustedField };
}

/** Returns the key that a header is, if it is one. */
export function headerKey(lines: Lines): string | null {
  return ask(engine.header, 0, lines) === 1 ? engine.text() : null;
}

/** Makes the terms of a limiter of that number, and returns theirs. */
export function makeTerms(limiter: number, options: TermsOptions): number {
  judgeOptions(options, "names", "fields", "saturatedStatus");
  const { names = [], fields = "standard", saturatedStatus = 429 } = options;
  return ask(engine.makeTerms, limiter, [...names, fields], 0, saturatedStatus);
}

/** Returns the fields of a response for the limits that its request was held to, the outermost first. */
export function fields(asked: readonly Asked[]): [name: string, value: string][] {
  asked.forEach(place);
  engine.slots[COUNT] = asked.length;
  engine.fields();
  answer();
  const lines = engine.text().split("\n");
  const pair = (_: unknown, index: number) => lines.slice(2 * index, 2 * index + 2) as [string, string];
  return Array.from({ length: lines.length >> 1 }, pair);
}

/** Returns what a refused request is answered with; `null` if it was allowed. */
export function refusal(asked: Asked | undefined, accept: Lines) {
  if (asked === undefined) engine.slots[LIST] = NO_TERMS;
  else place(asked, 0);
  const status = ask(engine.refusal, 0, accept);
  if (status === 0) return null;
  const text = engine.text();
  const end = text.indexOf("\n");
  return { status, contentType: text.slice(0, end), body: text.slice(end + 1) };
}

/** Tells whether a request costs nothing: its status is 0 if there was no response, -1 if one further in refused. */
export function refunds(ranges: readonly (readonly [number, number])[], status: number): boolean {
  const { slots } = engine;
  slots.set(ranges.flat(), LIST);
  slots[COST] = status;
  slots[COUNT] = ranges.length;
  engine.refunds();
  return answer() === 1;
}

/** Ends terms, or what finds clients. */
export function free(held: number, what: "terms" | "client"): boolean {
  engine.slots[LIMITER] = held;
  engine.slots[COST] = what === "client" ? 1 : 0;
  engine.freeHttp();
  return engine.slots[ANSWER] === 1;
}

/** Writes a limit into the list. */
function place([terms, decision]: Asked, index: number): void {
  const at = LIST + index * (1 + DECISION_LENGTH);
  engine.slots[at] = terms;
  engine.slots.set(numbers(decision), at + 1);
}
