import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { AppError } from "#lib/app-error.ts";
import { makeFileOnce } from "#lib/durable-file.ts";
import { Secret } from "./secret.ts";

/** Encrypts secrets in the store: the database or a backup of it is useless without the key file. */
export interface KeyVault {
  /**
   * Returns the text to store. `purpose` identifies the secret; decryption needs the same value, so that rows cannot be
   * swapped.
   */
  seal(secret: Secret, purpose: string): string;
  /** Throws `AppError invalid` when it was encrypted with another key or for another purpose, or was changed. */
  open(sealed: string, purpose: string): Secret;
  /** A key of 32 bytes for one purpose; it reveals nothing about the vault's own key or that of another purpose. */
  keyFor(purpose: string): Buffer;
  /** Whether a text names this vault's key as the one that encrypted it. */
  hasSealed(sealed: string): boolean;
  /** The part of each sealed text that names its key: `v1.{keyId}.…`. */
  readonly keyId: string;
  /** For another thread of this process, which cannot receive the vault itself. */
  readonly key: KeyObject;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Opens a vault with the key in a file, which is created on first use; several processes that start at once get the
 * same key.
 */
export async function openKeyVault(keyFile: string): Promise<KeyVault> {
  return createKeyVault((await readKeyFile(keyFile)) ?? (await makeKeyFile(keyFile)));
}

/** AES-256-GCM with a random nonce: safe for some four thousand million secrets. */
export function createKeyVault(keyObject: KeyObject): KeyVault {
  const keyId = createHash("sha256").update(keyObject.export()).digest("hex").slice(0, 8);
  return {
    keyFor: (purpose) => Buffer.from(hkdfSync("sha256", keyObject, "", `docent ${purpose}`, KEY_BYTES)), // RFC 5869
    key: keyObject,
    keyId,
    hasSealed: (sealed) => sealed.startsWith(`v1.${keyId}.`),
    seal(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", keyObject, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(secret.reveal(), "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `v1.${keyId}.${sealed.toString("base64url")}`;
    },
    open(text, purpose) {
      const [version, sealedWith, body] = text.split(".");
      if (version !== "v1" || body === undefined) throw broken();
      if (sealedWith !== keyId) {
        throw new AppError("invalid", "This secret was stored with another key than this server's. Enter it again.");
      }
      const sealed = Buffer.from(body, "base64url");
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw broken();
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", keyObject, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        const plain = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
        return new Secret(plain.toString("utf8"));
      } catch (cause) {
        throw broken(cause);
      }
    },
  };
}

function broken(cause?: unknown): AppError {
  return new AppError(
    "invalid",
    "A stored secret cannot be read: it was changed, or belongs to something else. Enter it again.",
    { cause },
  );
}

/**
 * The key in a file; null when the file does not exist. Throws `AppError invalid` when others can read it, or it is
 * damaged.
 */
export async function readKeyFile(keyFile: string): Promise<KeyObject | null> {
  let mode: number;
  try {
    mode = (await stat(keyFile)).mode;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  if ((mode & 0o077) !== 0) {
    throw new AppError(
      "invalid",
      `Others can read the key file ${keyFile}. Give it mode 0600; if others had access, replace the secrets, too.`,
    );
  }
  const key = readKeyText(await readFile(keyFile, "utf8"));
  if (key === null) throw new AppError("invalid", `The key file ${keyFile} is damaged. Restore it from a backup.`);
  return key;
}

/** Parses a key: 32 bytes in base64. Null for anything else. */
export function readKeyText(text: string): KeyObject | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === KEY_BYTES ? createSecretKey(bytes) : null;
}

/**
 * Creates a key file and flushes it before anything is encrypted with it. If another process was faster, returns that
 * key.
 */
export async function makeKeyFile(keyFile: string): Promise<KeyObject> {
  await makeFileOnce(keyFile, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
  const key = await readKeyFile(keyFile);
  if (!key) throw new Error(`the key file ${keyFile} vanished`);
  return key;
}
