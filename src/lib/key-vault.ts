import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { link, open, readFile, stat, unlink } from "node:fs/promises";
import { AppError } from "./app-error.ts";
import { Secret } from "./secret.ts";

/** Keeps secrets unreadable in the store: whoever gets the database or a backup of it, but not the key file, has nothing. */
export interface KeyVault {
  /** Text to store. `purpose` says whose secret it is; the same must be given to open it, so that rows cannot be swapped. */
  seal(secret: Secret, purpose: string): string;
  /** Throws `AppError invalid` when it was sealed with another key file, for another purpose, or was changed. */
  open(sealed: string, purpose: string): Secret;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Opens the vault of a data directory, and makes its key file (mode 0600) on first use; of several processes starting
 * at once all get the same key. AES-256-GCM with a random nonce: good for some four thousand million secrets.
 */
export async function openKeyVault(keyFile: string): Promise<KeyVault> {
  const key = (await readKey(keyFile)) ?? (await makeKey(keyFile));
  const keyId = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return {
    seal(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
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
        throw new AppError("invalid", `This secret was stored with another key file than ${keyFile}. Enter it again.`);
      }
      const sealed = Buffer.from(body, "base64url");
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw broken();
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
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

async function readKey(keyFile: string): Promise<Buffer | null> {
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
  const key = Buffer.from(await readFile(keyFile, "utf8"), "base64");
  if (key.length !== KEY_BYTES)
    throw new AppError("invalid", `The key file ${keyFile} is damaged. Restore it from a backup.`);
  return key;
}

/** Written aside and linked into place: the file appears whole or not at all, and the first of several writers wins. */
async function makeKey(keyFile: string): Promise<Buffer> {
  const draft = `${keyFile}.${randomBytes(6).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${randomBytes(KEY_BYTES).toString("base64")}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, keyFile);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
  const key = await readKey(keyFile);
  if (!key) throw new Error(`the key file ${keyFile} vanished`);
  return key;
}
