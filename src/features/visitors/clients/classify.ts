import crawlers from "crawler-user-agents";
import { isbot } from "isbot";
import { createAgentFinder, type FindAgent } from "./agent-finder.ts";
import { type ClientCategory, httpClients, type KnownAgent, knownAgents } from "./agents.ts";
import { browserFamily } from "./browser-family.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { Clock } from "#lib/clock.ts";
import { type AgentList, builtInAgents } from "./agent-list.ts";

/** The sender of a request, according to its headers. */
export interface ClientFacts {
  category: ClientCategory;
  /** Product without a version: an agent's name, "Firefox on Linux", "curl". Stored. */
  product: string;
  /** The product's part of the visitor key. Empty for an unknown program, whatever its name. */
  keyProduct: string;
  operator: string | null;
  /** The rule that decided, for diagnostics. */
  reason: string;
}

export type Classify = (userAgent: string, signatureAgent?: string | null) => ClientFacts;

/** Longer user agents are truncated: nothing beyond distinguishes clients. */
export const MAX_USER_AGENT_LENGTH = 512;
const MAX_PRODUCT_LENGTH = 64;
const MAX_REMEMBERED = 20_000;

/**
 * Creates the classifier: first our own table of agents, then programs, then `crawler-user-agents`, then `isbot` unless
 * the text is a well-formed browser's. Results are cached (a user agent costs about 0.1 ms the first time).
 */
export function createClassifier(agents: readonly KnownAgent[] = knownAgents): Classify {
  const findAgent = createAgentFinder(agents);
  const names = new Set(agents.map(({ token }) => token.toLowerCase()));
  const answers = createLruCache<string, ClientFacts>({ maxWeight: MAX_REMEMBERED });
  const findCrawler = createCrawlerFinder((name) => names.has(name.toLowerCase()));
  return (userAgent, signatureAgent = null) => {
    const text = userAgent.slice(0, MAX_USER_AGENT_LENGTH);
    const key = signatureAgent === null ? text : `${signatureAgent}\n${text}`;
    const remembered = answers.get(key);
    if (remembered) return remembered;
    const facts = classifySigner(signatureAgent) ?? classifyUserAgent(text, { findAgent, findCrawler });
    answers.set(key, facts);
    return facts;
  };
}

/** Product of the agent that is named by its signature only. */
export const CHATGPT_AGENT = "ChatGPT Agent";

/** A client that sends a browser's user agent and prefers Markdown. */
export const UNNAMED_AGENT = {
  category: "assistant",
  product: "Unnamed agent",
  keyProduct: "Unnamed agent",
  operator: null,
  reason: "a browser's name, and Markdown preferred",
} satisfies ClientFacts;

// A string up to the fourth version of the draft on Web Bot Auth, a dictionary member since.
const CHATGPT_SIGNER = /^(?:[a-z*][\w.*-]*=)?"?https:\/\/chatgpt\.com"?$/;

// ChatGPT's browsing agent sends an ordinary browser's user agent and names itself only here.
function classifySigner(signatureAgent: string | null): ClientFacts | null {
  if (signatureAgent === null || !CHATGPT_SIGNER.test(signatureAgent.trim())) return null;
  return known({ category: "assistant", product: CHATGPT_AGENT, operator: "OpenAI", reason: "signature-agent" });
}

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
/** Programs, by the first word of their user agent. */
const programs = httpClients.map((name) => ({ name, pattern: new RegExp(`^${escapeRegExp(name)}(?![\\w-])`, "i") }));
const findKnownAgent = createAgentFinder(knownAgents);

/**
 * Whether a user agent certainly is a browser's, by our own rules only: cheap and linear in its length, for the main
 * thread. The classifier finds a browser wherever this is true, and in more cases.
 */
export function isPlainBrowser(userAgent: string, findAgent: FindAgent = findKnownAgent): boolean {
  if (userAgent.length > MAX_USER_AGENT_LENGTH || !isWellFormedBrowser(userAgent)) return false;
  const lower = userAgent.toLowerCase();
  return findAgent(lower) === undefined && !programs.some(({ pattern }) => pattern.test(userAgent));
}

const known = (facts: Omit<ClientFacts, "keyProduct">): ClientFacts => ({ ...facts, keyProduct: facts.product });
const unknown = (facts: Omit<ClientFacts, "keyProduct" | "operator">): ClientFacts => ({
  ...facts,
  operator: null,
  keyProduct: "",
});

interface Finders {
  findAgent: FindAgent;
  findCrawler(text: string): PackagedCrawler | null;
}

function classifyUserAgent(text: string, { findAgent, findCrawler }: Finders): ClientFacts {
  if (text.trim() === "") return unknown({ category: "http_client", product: "none", reason: "no user agent" });
  const lower = text.toLowerCase();
  const agent = findAgent(lower);
  if (agent) {
    const { category, name: product, operator } = agent;
    return known({ category, product, operator, reason: `agent ${agent.token}` });
  }
  const client = programs.find(({ pattern }) => pattern.test(text))?.name;
  if (client !== undefined)
    return known({ category: "http_client", product: client, operator: null, reason: `program ${client}` });
  const isBrowser = isWellFormedBrowser(text);
  const crawler = isBrowser ? null : findCrawler(text);
  if (crawler) return packagedCrawler(text, crawler);
  // `isbot` also matches every plain NAME/VERSION; those are programs that people run, including coding agents.
  if (!isBrowser && isbot(text) && (ROBOT_NAMES.test(text) || text.startsWith("Mozilla/"))) {
    return unknown({ category: "other_bot", product: productToken(text), reason: "isbot" });
  }
  if (isBrowser || /^(?:Mozilla\/\d|Opera\/\d)/.test(text)) {
    return known({ category: "browser", product: browserFamily(text), operator: null, reason: "browser" });
  }
  return unknownProgram(text);
}

function unknownProgram(text: string): ClientFacts {
  return unknown({ category: "http_client", product: productToken(text), reason: "unknown program" });
}

function packagedCrawler(text: string, { pattern, tags }: PackagedCrawler): ClientFacts {
  if (tags.includes("http-library")) return unknownProgram(text);
  const category = tags.includes("ai-crawler") ? "training" : tags.includes("search-engine") ? "search" : "other_bot";
  const reason = `crawler-user-agents ${pattern}`;
  return unknown({ category, product: productToken(text), reason });
}

// The shapes of current browsers, without anything that a robot's name, address or tool would add.
const BROWSER_TOKENS =
  "(?:Version|Chrome|Chromium|Mobile|Safari|Edge?|EdgA|EdgiOS|OPR|OPT|OPX|FxiOS|CriOS|GSA|Firefox|Focus|SamsungBrowser|" +
  "YaBrowser|YaApp_iOS|Yowser|Vivaldi|DuckDuckGo|Ddg|Brave|Whale|Silk|UCBrowser|U[BC]rowser|MiuiBrowser|XiaoMi|" +
  "HuaweiBrowser|HeyTapBrowser|VivoBrowser|QQBrowser|MQQBrowser|Quark|Avast|AVG|CCleaner|Sleipnir|Puffin|Maxthon|" +
  "Electron|Code|Cursor|Windsurf|Antigravity|Kiro|Trae|Instagram|FB_IAB|FBAN|FBAV|MicroMessenger|Line|Snapchat|Pinterest|Ecosia|Epiphany|Falkon|" +
  "QtWebEngine|Konqueror|Seamonkey|NAVER|KAKAOTALK|BingSapphire|Viewer|LikeWise|wv)";
const BROWSER_SHAPES = [
  /^Mozilla\/[45]\.0 \(compatible; MSIE [\d.]+; Windows[^()]*\)$/,
  new RegExp(
    String.raw`^Mozilla\/5\.0 \([^()]*(?:\([^()]*\)[^()]*)*\) AppleWebKit\/[\d.]+\+? \(KHTML, like Gecko\)(?: ${BROWSER_TOKENS}(?:\/[\w.+-]+)?)*$`,
  ),
  /^Mozilla\/5\.0 \([^()]*\) Gecko\/[\d.]+ (?:Firefox|Waterfox|PaleMoon|Goanna)\/[\d.]+(?: (?:Waterfox|PaleMoon|Seamonkey)\/[\d.]+)*$/,
];
const ROBOT_NAMES = /bot|crawl|spider|scan|monitor|check|preview|index|scrap|feed|archiv|search|valid|seo|https?:|@/i;
const ROBOT_WORDS =
  /https?:|@|(?:^|[^a-z])(?:bot|crawler|scraper|headless|spider\/|preview|monitor)|(?:bot|crawler|spider)\//i;

function isWellFormedBrowser(text: string): boolean {
  return !ROBOT_WORDS.test(text) && BROWSER_SHAPES.some((shape) => shape.test(text));
}

/** The product name at the start of a text or in "compatible; NAME", without its version. */
function productToken(text: string): string {
  const claimed = /compatible; *([^;/)]+)/i.exec(text)?.[1] ?? text;
  const name = claimed.split(/[/;(]/, 1)[0]?.trim() ?? "";
  const printable = name
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, "")
    .slice(0, MAX_PRODUCT_LENGTH)
    .trim();
  return printable === "" ? "unknown" : printable;
}

interface PackagedCrawler {
  pattern: string;
  tags: readonly string[];
}

/**
 * Finds the entry of `crawler-user-agents` that a user agent matches. Nearly all its patterns are literals: searching
 * for 1,500 of them as such costs 0.1 ms on a long user agent, as one expression more than 1 ms. They match inside
 * words, so those for which `isKnown` is true are left to our own table: GPTBotany is not GPTBot.
 */
function createCrawlerFinder(isKnown: (name: string) => boolean): (userAgent: string) => PackagedCrawler | null {
  const entries = crawlers.flatMap((crawler) => {
    const { pattern, tags = [] } = crawler as { pattern: string; tags?: string[] }; // 1.60: tags are not in its types
    const literal = literalOf(pattern);
    if (literal !== null && isKnown(literal)) return [];
    const expression = new RegExp(pattern);
    const matches = (text: string) => (literal === null ? expression.test(text) : text.includes(literal));
    return [{ crawler: { pattern, tags }, matches }];
  });
  return (userAgent) => entries.find(({ matches }) => matches(userAgent))?.crawler ?? null;
}

/** The text of a pattern without operators; null for any other. */
function literalOf(pattern: string): string | null {
  const bare = pattern.replaceAll(/\\[^a-zA-Z0-9]/g, "");
  return /[()|[\]?*+{}^$.\\]/.test(bare) ? null : pattern.replaceAll(/\\([^a-zA-Z0-9])/g, "$1");
}

const MAX_KNOWN = 5_000;
/** Checking one costs some 10 µs, so a flood of user agents takes 1 % of the main thread. */
const MAX_NEW_PER_SECOND = 1_000;
const SECOND_MS = 1_000;

/**
 * Whether a page that is served to this client becomes a view only when its script confirms it. False also means
 * unknown: the fold will decide.
 */
export function createBrowserFinder({ clock, agents = () => builtInAgents }: { clock: Clock; agents?(): AgentList }) {
  let list = agents();
  let findAgent = createAgentFinder(list.agents);
  let known = createLruCache<string, boolean>({ maxWeight: MAX_KNOWN });
  let second = 0;
  let newInSecond = 0;
  return (userAgent: string): boolean => {
    if (agents() !== list) {
      list = agents();
      findAgent = createAgentFinder(list.agents);
      known = createLruCache<string, boolean>({ maxWeight: MAX_KNOWN });
    }
    const remembered = known.get(userAgent);
    if (remembered !== undefined) return remembered;
    const now = Math.floor(clock.now().getTime() / SECOND_MS);
    if (now !== second) {
      second = now;
      newInSecond = 0;
    }
    if (userAgent.length > MAX_USER_AGENT_LENGTH || ++newInSecond > MAX_NEW_PER_SECOND) return false;
    const isBrowser = isPlainBrowser(userAgent, findAgent);
    known.set(userAgent, isBrowser);
    return isBrowser;
  };
}

/**
 * Known agents that are Electron editors, by the word in the user agents of their windows. Most are based on Visual
 * Studio Code.
 */
const EDITORS = new Map([
  ["Code", "Visual Studio Code"],
  ...["Cursor", "Windsurf", "Antigravity", "Kiro", "Trae"].map((name) => [name, name] as const),
]);
/** The product of an editor that is not in `EDITORS`. */
export const UNNAMED_EDITOR = "Editor";

/**
 * Whether a request comes from an editor's fetch tool, which reads pages for the editor's agent in an invisible window:
 * such a window sends DNT and GPC (Visual Studio Code 1.105: `WebPageLoader`), and Electron by itself sends neither, so
 * a page that a person opens inside an editor does not match.
 */
export const isEditorFetch = ({ userAgent, isPrivate }: { userAgent: string; isPrivate: boolean }): boolean =>
  isPrivate && userAgent.includes(" Electron/");

/** The client facts of such a tool. */
export function editorFacts(userAgent: string): ClientFacts {
  const [, product = UNNAMED_EDITOR] = EDITORS.entries().find(([word]) => userAgent.includes(` ${word}/`)) ?? [];
  const operator = knownAgents.find(({ name }) => name === product)?.operator ?? null;
  return { category: "assistant", product, operator, keyProduct: product, reason: "an editor's fetch tool" };
}
