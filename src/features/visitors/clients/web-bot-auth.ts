import * as fields from "structured-headers";
import { createHash, type KeyObject, verify } from "node:crypto";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { PlainRequest } from "#lib/network/plain-http.ts";
import type { AgentKeyRing } from "./agent-key-ring.ts";
import type { SignatureVerdict } from "#features/visitors/view-record.ts";

/**
 * Checks a request's signature by Web Bot Auth (draft-meunier-web-bot-auth-architecture-05, RFC 9421). null: it has
 * none that can be checked, because it is not signed, the key is unknown, or the method is unsupported. Never throws.
 */
export type CheckSignature = (request: PlainRequest) => Promise<SignatureVerdict | null>;

interface WebBotAuthDeps {
  keys: Pick<AgentKeyRing, "find">;
  clock: Clock;
  /** `https:` or `http:` as readers see it. */
  scheme(): string;
}

const TAG = "web-bot-auth";
const MAX_HEADER_LENGTH = 2_048;
const MAX_SIGNATURES = 4;
const SIGNATURE_BYTES = 64;
/** Allowed clock skew. */
const SKEW_SECONDS = 60;
/** The draft's advice; a signature with a longer validity could be replayed by anyone who saw it. */
const MAX_WINDOW_SECONDS = 24 * 3_600;
/** Concurrent checks, 0.1 ms each in a thread of the pool. Further ones are skipped. */
const MAX_PENDING = 64;
const MAX_REMEMBERED = 500;

interface Claim {
  input: FieldList;
  signature: Buffer;
  /** null: the operator has no such key. */
  key: KeyObject | null;
  operator: string;
}

export function createSignatureCheck(deps: WebBotAuthDeps): CheckSignature {
  // Some agents sign once for all requests of a minute.
  const known = createLruCache<string, boolean>({ maxWeight: MAX_REMEMBERED });
  let pending = 0;

  const isSignedWith = async (base: string, { signature, key }: Claim): Promise<boolean> => {
    if (key === null) return false;
    const id = createHash("sha256").update(signature).update(base, "latin1").digest("base64");
    const remembered = known.get(id);
    if (remembered !== undefined) return remembered;
    pending++;
    try {
      const isGood = await verifyInPool(base, key, signature);
      known.set(id, isGood);
      return isGood;
    } finally {
      pending--;
    }
  };

  const judge = async (request: PlainRequest): Promise<SignatureVerdict | null> => {
    try {
      const claim = readClaim(deps.keys, request.headers);
      if (claim === null) return null;
      const verdict = (isValid: boolean) => ({ isValid, operator: claim.operator });
      const now = Math.floor(deps.clock.now().getTime() / 1_000);
      if (!isCurrent(claim.input, now) || !coversWhatItMust(claim.input, request.headers)) return verdict(false);
      const url = new URL(request.url);
      url.protocol = deps.scheme();
      const signed = signatureBase({ method: request.method, url, headers: request.headers }, claim.input);
      if (signed === "unsupported" || pending >= MAX_PENDING) return null;
      return verdict(signed !== "wrong" && (await isSignedWith(signed.base, claim)));
    } catch {
      return null; // malformed headers
    }
  };

  return async (request) => {
    const input = request.headers.get("signature-input");
    return input !== null && input.includes(TAG) ? await judge(request) : null;
  };
}

/** The first signature for this purpose with a known key. */
function readClaim(keys: Pick<AgentKeyRing, "find">, headers: PlainRequest["headers"]): Claim | null {
  const text = (name: string) => headers.get(name) ?? "";
  const names = ["signature-input", "signature", "signature-agent"];
  if (names.some((name) => text(name).length > MAX_HEADER_LENGTH)) return null;
  const inputs = [...parseFieldDictionary(text("signature-input"))].slice(0, MAX_SIGNATURES);
  const signatures = parseFieldDictionary(text("signature"));
  for (const [label, input] of inputs) {
    if (!isFieldList(input) || input[1].get("tag") !== TAG) continue;
    const keyId = input[1].get("keyid");
    const algorithm = input[1].get("alg") ?? "ed25519";
    const bytes = signatures.get(label)?.[0];
    if (typeof keyId !== "string" || algorithm !== "ed25519" || !(bytes instanceof ArrayBuffer)) continue;
    const agent = headers.get("signature-agent");
    const host = agent === null ? null : agentHost(agent, coveredMember(input) ?? label);
    if (agent !== null && host === null) continue;
    const found = keys.find(keyId, host);
    if (found) return { input, signature: Buffer.from(bytes), ...found };
  }
  return null;
}

/** The member of `Signature-Agent` that a signature covers; null: all of it. */
function coveredMember([components]: FieldList): string | null {
  const parameter = components.find(([name]) => name === "signature-agent")?.[1].get("key");
  return typeof parameter === "string" ? parameter : null;
}

/** The host that `Signature-Agent` names: a string up to the draft's fourth version, a dictionary since. */
function agentHost(text: string, member: string): string | null {
  const value = text.trim().startsWith('"') ? parseFieldItem(text)[0] : parseFieldDictionary(text).get(member)?.[0];
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url?.protocol === "https:" && url.port === "" ? url.hostname : null;
}

function isCurrent([, parameters]: FieldList, now: number): boolean {
  const created = parameters.get("created");
  const expires = parameters.get("expires");
  if (typeof created !== "number" || typeof expires !== "number") return false;
  const isInWindow = created <= now + SKEW_SECONDS && expires >= now - SKEW_SECONDS;
  return isInWindow && expires > created && expires - created <= MAX_WINDOW_SECONDS;
}

// A signature that does not name its target could be replayed at any other site.
function coversWhatItMust([components]: FieldList, headers: PlainRequest["headers"]): boolean {
  const names = new Set(components.map(([name]) => name));
  return (
    (names.has("@authority") || names.has("@target-uri")) &&
    (headers.get("signature-agent") === null || names.has("signature-agent"))
  );
}

function verifyInPool(base: string, key: KeyObject, signature: Buffer): Promise<boolean> {
  if (signature.length !== SIGNATURE_BYTES) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    verify(null, Buffer.from(base, "latin1"), key, signature, (error, isGood) =>
      error ? reject(error) : resolve(isGood),
    );
  });
}

/** The parts of a request that a signature can cover. */
interface SignedMessage {
  method: string;
  /** As the client sees it: with the public scheme, not the one behind a proxy. */
  url: URL;
  headers: PlainRequest["headers"];
}

/** `base` is the signed text; `unsupported`: this server cannot tell. */
type SignatureBase = { base: string } | "unsupported" | "wrong";

const MAX_COMPONENTS = 16;

/** RFC 9421, 2.5: the text that a signature over `input` signs. */
export function signatureBase(message: SignedMessage, input: FieldList): SignatureBase {
  const [components] = input;
  if (components.length > MAX_COMPONENTS) return "unsupported";
  const lines = new Map<string, string>();
  for (const component of components) {
    const name = component[0];
    if (typeof name !== "string" || name !== name.toLowerCase()) return "wrong";
    const value = componentValue(message, name, component[1]);
    if (typeof value !== "object") return value;
    const identifier = fieldText(component);
    if (lines.has(identifier)) return "wrong"; // 2.5: each component once
    lines.set(identifier, value.text);
  }
  const text = [...lines].map(([identifier, value]) => `${identifier}: ${value}\n`).join("");
  return { base: `${text}"@signature-params": ${fieldText(input)}` };
}

type ComponentValue = { text: string } | "unsupported" | "wrong";

function componentValue(
  { method, url, headers }: SignedMessage,
  name: string,
  parameters: FieldParameters,
): ComponentValue {
  if (name.startsWith("@")) {
    const derived: Record<string, string> = {
      "@method": method,
      "@authority": url.host,
      "@scheme": url.protocol.slice(0, -1),
      "@target-uri": `${url.origin}${url.pathname}${url.search}`,
      "@request-target": url.pathname + url.search,
      "@path": url.pathname,
      "@query": url.search === "" ? "?" : url.search,
    };
    const text = Object.hasOwn(derived, name) ? derived[name] : undefined;
    return text === undefined || parameters.size > 0 ? "unsupported" : { text };
  }
  const field = /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? headers.get(name) : null;
  if (field === null) return "wrong";
  if (parameters.size === 0) return { text: field.trim() };
  const key = parameters.get("key");
  if (typeof key !== "string" || parameters.size > 1) return "unsupported";
  const member = parseFieldDictionary(field).get(key);
  if (member === undefined) return "wrong";
  return { text: fieldText(member) };
}

// RFC 8941. The package's own types refer to a browser type that does not exist here, which makes all of them `any`.
type FieldValue = string | number | boolean | object;
type FieldParameters = Map<string, FieldValue>;
type FieldItem = [value: FieldValue, parameters: FieldParameters];
export type FieldList = [items: FieldItem[], parameters: FieldParameters];

/** Throws for a text that is not a dictionary. */
export function parseFieldDictionary(text: string): Map<string, FieldItem | FieldList> {
  return fields.parseDictionary(text) as Map<string, FieldItem | FieldList>;
}

/** Throws for a text that is not an item. */
function parseFieldItem(text: string): FieldItem {
  return fields.parseItem(text) as FieldItem;
}

function isFieldList(member: FieldItem | FieldList): member is FieldList {
  return Array.isArray(member[0]);
}

/** In the canonical form that signatures use. */
function fieldText(member: FieldItem | FieldList): string {
  return isFieldList(member)
    ? fields.serializeInnerList(member as fields.InnerList)
    : fields.serializeItem(member as fields.Item);
}
