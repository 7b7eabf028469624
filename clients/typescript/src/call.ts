import { OPERATIONS, type Operations } from "./operations.ts";
import { type Call, readJson, send, type TransportOptions } from "./transport.ts";

export type OperationName = keyof Operations;
export type Answer<Name extends OperationName> = Operations[Name]["answer"];

/** A part that an operation does not have, or does not need, may be left out. */
type Part<Key extends string, Value> = undefined extends Value
  ? { [K in Key]?: Value }
  : Record<never, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };

export type Input<Name extends OperationName> = Operations[Name]["path"] &
  Part<"query", Operations[Name]["query"]> &
  Part<"body", Operations[Name]["body"]> & { signal?: AbortSignal; idempotencyKey?: string };

/** Nothing has to be said where nothing is needed. */
export type Given<Name extends OperationName> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

/** Operations whose answers come page by page. */
export type PagedName = {
  [Name in OperationName]: Operations[Name] extends {
    query: { cursor?: string };
    answer: { nextCursor: string | null };
  }
    ? Name
    : never;
}[OperationName];

interface Parts {
  query?: Record<string, string | number | readonly string[] | undefined>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

/** Calls an operation by its `operationId`. Throws `DocentError`, or the reason of an aborted signal. */
export async function callOperation<Name extends OperationName>(
  transport: TransportOptions,
  projectId: string,
  name: Name,
  input: Input<Name>,
): Promise<Answer<Name>> {
  const [method, path] = OPERATIONS[name];
  const { query = {}, body, signal, idempotencyKey, ...ids } = input as Parts & Record<string, unknown>;
  const places: Record<string, unknown> = { projectId, ...ids };
  const call: Call = {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_all, key: string) => encodeURIComponent(String(places[key]))),
    query,
    headers: { Accept: "application/json" },
    signal,
    ...(body !== undefined && { body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  const response = await send(transport, call);
  return response.status === 204 ? (null as Answer<Name>) : readJson<Answer<Name>>(response);
}

/** The pages of a list, one after another, until there is no more. */
export async function* pagesOf<Name extends PagedName>(
  transport: TransportOptions,
  projectId: string,
  name: Name,
  input: Input<Name>,
): AsyncGenerator<Answer<Name>, void, undefined> {
  const { query } = input as Parts;
  for (let cursor = query?.["cursor"]; ;) {
    const from = cursor === undefined ? {} : { cursor };
    const asked: object = { ...input, query: { ...query, ...from } };
    const page = await callOperation(transport, projectId, name, asked as Input<Name>);
    yield page;
    const { nextCursor } = page as { nextCursor: string | null };
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
