import { MAX_EXAMPLES_CHARACTERS, MAX_SCHEMA_DEPTH, MAX_SCHEMAS_SHOWN } from "#docs/api/bounds.ts";
import { belowLead } from "#docs/api/document-text.ts";
import { isAsyncApi } from "#docs/api/channels/channel-list.ts";
import { channelMarkdown } from "#docs/api/channels/channel-markdown.ts";
import { viewChannel, type ChannelView } from "#docs/api/channels/channel-view.ts";
import { codeSamples, type CodeSample } from "#docs/api/code-samples.ts";
import { operationMarkdown } from "#docs/api/operation-markdown.ts";
import { OVERVIEW } from "#docs/api/operations.ts";
import {
  overviewMarkdown,
  viewOverview,
  type LinkedOperation,
  type OverviewView,
} from "#docs/api/reading/overview-view.ts";
import { viewOperation, type OperationView } from "#docs/api/operation-view.ts";
import { sampleRequest } from "#docs/api/sample-request.ts";
import { parseJsonNumbers } from "#docs/api/written-number.ts";
import { isJsonObject, type Json, type JsonObject } from "#docs/json-document.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { LruCache } from "#lib/lru-cache.ts";
import type { OperationRequest, RenderedOperation } from "#docs/render/page.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import type { PageParser } from "#docs/render/fast-parser.ts";
import { createDescriber } from "./describe.ts";
import { printOperation, printOverview } from "./print-operation.ts";
import { printChannel, printChannelExamples } from "./print-channel.ts";
import { printSamples } from "./print-examples.ts";
import { printMethodBar } from "./print-parts.ts";
import { callableServers, printPlayground } from "./print-playground.ts";

/** The name under which the render process requests the description itself: no file of a site can have it. */
export const DOCUMENT_FILE = "\0document";

/** A parsed description, and the size of its text. */
export interface KeptDocument {
  root: JsonObject;
  characters: number;
}

/** An operation and the samples that call it. */
interface ReadCall {
  kind: "call";
  view: OperationView;
  samples: readonly CodeSample[];
}

/** An API as a whole. */
interface ReadOverview {
  kind: "overview";
  view: OverviewView;
  listed: readonly LinkedOperation[];
}

/** A channel of AsyncAPI. */
interface ReadChannel {
  kind: "channel";
  view: ChannelView;
}

/** What a page documents: an operation, a channel or a whole API. */
export type ReadOperation = ReadCall | ReadChannel | ReadOverview;

/** Finds the operation of a page; null when its description was removed or has no such operation. */
export async function readOperation(
  request: OperationRequest,
  documents: LruCache<string, KeptDocument>,
  read: (path: string) => Promise<string | null>,
): Promise<ReadOperation | null> {
  const root = documents.get(request.documentKey)?.root ?? (await loadDocument(request, documents, read));
  if (root !== null && request.method === OVERVIEW) {
    return { kind: "overview", view: withoutLead(viewOverview(root), request), listed: request.listed ?? [] };
  }
  if (root !== null && isAsyncApi(root)) {
    const channel = viewChannel(root, request.path);
    return channel && { kind: "channel", view: withoutLead(channel, request) };
  }
  const view = root === null ? null : viewOperation(root, request);
  if (view === null) return null;
  const samples = view.isWebhook
    ? []
    : view.givenSamples.length > 0
      ? view.givenSamples
      : codeSamples(sampleRequest(view), request.languages);
  return { kind: "call", view: withoutLead(view, request), samples };
}

/** Removes the paragraph that the page already begins with. */
function withoutLead<View extends { description: string | null }>(view: View, { lead }: OperationRequest): View {
  return { ...view, description: belowLead(view.description, lead ?? null) };
}

async function loadDocument(
  { documentKey }: OperationRequest,
  documents: LruCache<string, KeptDocument>,
  read: (path: string) => Promise<string | null>,
): Promise<JsonObject | null> {
  const text = await read(DOCUMENT_FILE);
  if (text === null) return null;
  const root = parseJsonNumbers(text) as Json;
  if (!isJsonObject(root)) return null;
  documents.set(documentKey, { root, characters: text.length });
  return root;
}

/** Languages of the samples and examples. */
export function languagesOf(operation: ReadOperation): string[] {
  return operation.kind !== "call" ? ["json"] : [...operation.samples.map(({ language }) => language), "json"];
}

/** The same facts as the page, for agents. */
export function describedMarkdown(operation: ReadOperation): string {
  if (operation.kind === "channel") return channelMarkdown(operation.view);
  return operation.kind === "overview"
    ? overviewMarkdown(operation.view, operation.listed)
    : operationMarkdown(operation.view, operation.samples);
}

/** What the limits of a page leave out, as sentences for its author. */
export function leftOutOf(operation: ReadOperation | null): string[] {
  if (operation === null || operation.kind === "overview") return [];
  const { fields, levels, examples } = operation.view.leftOut;
  const [most, characters] = [MAX_SCHEMAS_SHOWN, MAX_EXAMPLES_CHARACTERS].map((each) => each.toLocaleString("en"));
  const place = "the others are in the description alone.";
  return [
    ...(fields ? [`The page shows ${most} fields of the operation's schemas; ${place}`] : []),
    ...(levels ? [`The page shows ${MAX_SCHEMA_DEPTH} levels of the operation's schemas; ${place}`] : []),
    ...(examples ? [`The page shows ${characters} characters of the operation's examples; ${place}`] : []),
  ];
}

export interface OperationPart extends RenderedOperation {
  html: string;
  /** Request code and response examples, for the column next to the text. */
  samples: string;
  /** The form that sends the request; empty if there is none. */
  playground: string;
}

/** Prints the description of the operation, in the outline of the page that `printer` prints. */
export function printOperationPart(
  deps: { parser: PageParser },
  { operation, printer, hasPlayground }: { operation: ReadOperation; printer: PagePrinter; hasPlayground: boolean },
): OperationPart {
  const tools = { printer, describe: createDescriber(deps, printer) };
  const part = { samples: "", markdown: describedMarkdown(operation), playground: "", origins: [], servers: [] };
  if (operation.kind === "overview") return { ...part, html: printOverview(operation.view, operation.listed, tools) };
  if (operation.kind === "channel") {
    const html = printChannel(operation.view, tools);
    return { ...part, html, samples: printChannelExamples(operation.view, tools) };
  }
  const { view } = operation;
  const playground = hasPlayground ? printPlayground(view, printer.language.words) : "";
  const { urls, origins } = playground === "" ? { urls: [], origins: [] } : callableServers(view);
  return {
    ...part,
    html: printOperation(view, tools),
    samples: printSamples(view, operation.samples, tools),
    playground,
    origins,
    servers: urls,
  };
}

/** Joins the page's own text and the description: address, examples in a side column, text, parameters, responses. */
export function layOutOperation(
  operation: ReadOperation,
  part: OperationPart,
  { written, printer }: { written: string; printer: PagePrinter },
): string {
  if (operation.kind === "overview") return `<div class="api-main">${written}${part.html}</div>`;
  const { words } = printer.language;
  const bar = printMethodBar(barOf(operation));
  const sections = printer.headings.filter(({ depth }) => depth === 2);
  const links = sections.map(
    ({ id, text }) => `<a${attributes({ href: `#${encodeURIComponent(id)}` })}>${escapeHtml(text)}</a>`,
  );
  const contents =
    links.length < 3
      ? ""
      : `<nav class="api-outline"${attributes({ "aria-label": words.onThisPage })}>${links.join(" ")}</nav>`;
  const samples =
    part.samples === ""
      ? ""
      : `<aside class="api-samples"${attributes({ "aria-label": words.examples })}>${part.samples}</aside>`;
  return `${bar}${samples}<div class="api-main">${part.playground}${contents}${written}${part.html}</div>`;
}

function barOf(operation: ReadCall | ReadChannel): { label: string; base: string; path: string } {
  if (operation.kind === "channel") {
    const { badge, servers, address } = operation.view;
    // For a WebSocket the address is a path below the server's; otherwise it is a topic.
    return { label: badge, base: badge === "WSS" ? (servers[0]?.url ?? "") : "", path: address };
  }
  const { isWebhook, method, servers, path } = operation.view;
  return { label: isWebhook ? "WEBHOOK" : method, base: servers[0]?.url ?? "", path };
}
