import { DocentError } from "./docent-error.ts";
import { OPERATIONS, type Operations } from "./operations.ts";
import { type Query, readJson, send, type TransportOptions } from "./transport.ts";

export type OperationName = keyof Operations;
export type Answer<Name extends OperationName> = Operations[Name]["answer"];
/** What a list is made of. */
export type Item<Name extends OperationName> = Operations[Name]["item"];

/** A part that an operation does not have, or does not need, may be left out. */
type Part<Key extends string, Value> = undefined extends Value
  ? { [K in Key]?: Value }
  : Record<never, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };

interface Common {
  signal?: AbortSignal;
  /** Of a POST: with the same key it is done once, however often it is sent. The client makes one when none is given. */
  idempotencyKey?: string;
}

export type Input<Name extends OperationName> = Operations[Name]["path"] &
  Part<"query", Operations[Name]["query"]> &
  Part<"body", Operations[Name]["body"]> &
  Part<"headers", Operations[Name]["headers"]> &
  Common;

/** Nothing has to be said where nothing is needed. */
export type Given<Name extends OperationName> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

/** Operations whose answers come page by page. */
export type PagedName = {
  [Name in OperationName]: [Item<Name>] extends [never] ? never : Name;
}[OperationName];

/** Operations that also answer in another form than JSON. */
export type TextName = {
  [Name in OperationName]: [Operations[Name]["text"]] extends [never] ? never : Name;
}[OperationName];

/** An answer with what came beside its body. */
export interface Answered<Name extends OperationName> {
  body: Answer<Name>;
  status: number;
  headers: Headers;
}

export interface Caller {
  transport: TransportOptions;
  projectId: string | undefined;
}

interface Parts extends Common {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls an operation by its `operationId`. Throws `DocentError`, or the reason of an aborted signal. */
export async function callOperation<Name extends OperationName>(
  caller: Caller,
  name: Name,
  input: Input<Name>,
): Promise<Answered<Name>> {
  const response = await sendOperation(caller, name, input);
  const { status, headers } = response;
  return { status, headers, body: status === 204 ? (null as Answer<Name>) : await readJson<Answer<Name>>(response) };
}

/** The answer in another form, such as `text/csv`. */
export async function readOperationText<Name extends TextName>(
  caller: Caller,
  name: Name,
  input: Input<Name> & { accept: Operations[Name]["text"] },
): Promise<string> {
  const { accept, ...rest } = input as Parts & { accept: string };
  const asked = { ...rest, headers: { ...rest.headers, Accept: accept } };
  const response = await sendOperation(caller, name, asked);
  const type = response.headers.get("content-type") ?? "none";
  if (type.startsWith(accept)) return response.text();
  throw new DocentError("unexpected_answer", `The answer is of the type ${type.slice(0, 100)}, not ${accept}.`, {
    status: response.status,
    requestId: response.headers.get("x-request-id"),
  });
}

function sendOperation({ transport, projectId }: Caller, name: OperationName, input: object): Promise<Response> {
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (!operation) throw new DocentError("invalid", `There is no operation ${name}.`);
  const [method, path] = operation;
  const { query, body, headers, signal, idempotencyKey, ...ids } = input as Parts & Record<string, unknown>;
  return send(transport, {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_all, key: string) => {
      return segment(key, ids[key] ?? (key === "projectId" ? projectId : undefined));
    }),
    body,
    signal,
    idempotencyKey,
    ...(query && { query }),
    ...(headers && { headers }),
  });
}

/** A value as one part of a path. Addresses with an empty part, or with dots, are those of something else. */
export function segment(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new DocentError("invalid", `${name} is missing.`);
  }
  return encodeURIComponent(value);
}

/** The pages of a list, one after another, as each names the next (`Link: <…>; rel="next"`). */
export async function* pagesOf<Name extends PagedName>(
  caller: Caller,
  name: Name,
  input: Input<Name>,
): AsyncGenerator<Answer<Name>, void, undefined> {
  for (let asked = input, before = ""; ;) {
    const { body, headers } = await callOperation(caller, name, asked);
    yield body;
    const next = /<([^<>]{0,4000})>\s{0,9};\s{0,9}rel="?next"?/.exec(headers.get("link") ?? "")?.[1];
    if (next === undefined) return;
    if (next === before) throw new DocentError("unexpected_answer", "The list names the same page again and again.");
    before = next;
    // Of the address the query alone: the key goes nowhere else.
    const query: Record<string, string[]> = {};
    for (const [key, value] of new URL(next, "http://docent").searchParams) (query[key] ??= []).push(value);
    const following: object = { ...input, query };
    asked = following as Input<Name>;
  }
}

/** What a list is made of, from all its pages. */
export async function* itemsOf<Name extends PagedName>(
  caller: Caller,
  name: Name,
  input: Input<Name>,
): AsyncGenerator<Item<Name>, void, undefined> {
  const field: string | undefined = OPERATIONS[name][2];
  for await (const page of pagesOf(caller, name, input)) {
    const items = (page as Record<string, unknown>)[field ?? ""];
    if (!Array.isArray(items)) throw new DocentError("unexpected_answer", `The answer has no ${field}.`);
    yield* items as Item<Name>[];
  }
}
