import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { AppError, errorText } from "#lib/app-error.ts";
import { schemaProblems } from "#lib/schema-words.ts";

/** The public keys that verify the signatures of one operator's agents. */
export interface KeyDirectory {
  /** The host that publishes them, and that `Signature-Agent` names. */
  host: string;
  operator: string;
  /** Whether current keys may be fetched from the host. */
  fetch: boolean;
  /** Keyed by thumbprint. */
  keys: ReadonlyMap<string, AgentKey>;
}

export interface AgentKey {
  key: KeyObject;
  /** Milliseconds since 1970; null: until it is removed. */
  notAfter: number | null;
}

const MAX_KEYS = 50;
const MAX_DIRECTORIES = 200;

// Operators add members of their own, and keys of other types, which are ignored.
const Jwks = z.looseObject({ keys: z.array(z.unknown()).max(MAX_KEYS) });
const Ed25519Jwk = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string().regex(/^[\w-]{43}$/),
  exp: z.number().positive().nullish().catch(null),
});

const Directories = z.strictObject({
  about: z.string().optional(),
  directories: z
    .array(
      z.strictObject({
        host: z
          .string()
          .toLowerCase()
          .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, "must be a host name, without a scheme, a port and a path"),
        operator: z.string().min(1).max(64),
        keys: z.array(Ed25519Jwk).max(MAX_KEYS).default([]),
        fetch: z.boolean().default(false),
      }),
    )
    .max(MAX_DIRECTORIES),
});

/**
 * The directories that come with Docent and those in `file`, whose entries replace ours for the same host. Throws
 * `AppError invalid` with the problem in the file.
 */
export async function readKeyDirectories(file: string | null): Promise<KeyDirectory[]> {
  const shipped = await parseFile(new URL("./agent-keys.json", import.meta.url));
  const own = file === null ? [] : await parseFile(file);
  return [...new Map([...shipped, ...own].map((directory) => [directory.host, directory])).values()];
}

async function parseFile(file: string | URL): Promise<KeyDirectory[]> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const message = `The agents' keys in ${String(file)} cannot be read: ${errorText(error)}`;
    throw new AppError("invalid", message, { cause: error });
  }
  const parsed = Directories.safeParse(content);
  if (!parsed.success) {
    const details = schemaProblems(parsed.error.issues);
    const list = details.map((detail) => `${detail.path}: ${detail.message}`).join("; ");
    throw new AppError("invalid", `The agents' keys in ${String(file)} are not valid. ${list}`, { details });
  }
  return parsed.data.directories.map((entry) => ({ ...entry, keys: usableKeys(entry.keys) }));
}

/** The Ed25519 keys in a host's response; null when it is not a directory. */
export function parseJwks(text: string): ReadonlyMap<string, AgentKey> | null {
  try {
    const parsed = Jwks.safeParse(JSON.parse(text));
    return parsed.success ? usableKeys(parsed.data.keys) : null;
  } catch {
    return null;
  }
}

function usableKeys(jwks: readonly unknown[]): ReadonlyMap<string, AgentKey> {
  const keys = new Map<string, AgentKey>();
  for (const one of jwks) {
    const parsed = Ed25519Jwk.safeParse(one);
    if (!parsed.success) continue;
    const { kty, crv, x, exp } = parsed.data;
    const key = createPublicKey({ key: { kty, crv, x }, format: "jwk" });
    keys.set(thumbprint(x), { key, notAfter: exp ? inMilliseconds(exp) : null });
  }
  return keys;
}

/** RFC 7638 and RFC 8037, appendix A.3: the required members of the key, in alphabetical order. */
function thumbprint(x: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
}

// RFC 7519 uses seconds; the protocol's own examples use milliseconds.
const inMilliseconds = (date: number) => (date < 1e11 ? date * 1_000 : date);
