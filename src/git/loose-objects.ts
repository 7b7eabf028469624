import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { mapConcurrently } from "#lib/concurrency.ts";
import { syncDirectory } from "./durable.ts";
import type { ObjectId } from "./objects.ts";

/** An object that is to be stored, with its id worked out. */
export interface NewObject {
  oid: ObjectId;
  /** Header and content: what git hashes and deflates. */
  bytes: Buffer;
}

export function newObject(type: "blob" | "tree" | "commit", content: Uint8Array): NewObject {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  return { oid: createHash("sha1").update(bytes).digest("hex"), bytes };
}

const compress = promisify(deflate);
const FASTEST = { level: 1 };
const MAX_AT_ONCE = 16;

/**
 * Stores objects as git's loose files, durably: each file is flushed before it gets its name, and the folders after.
 * Measured 2 ms for a few objects and 50 ms for 300, where one git process costs 10 ms and flushes as often.
 */
export async function writeLooseObjects(directory: string, objects: readonly NewObject[]): Promise<void> {
  const pending = [...new Map(objects.map((object) => [object.oid, object])).values()];
  const homes = await mapConcurrently(pending, MAX_AT_ONCE, (object) => writeLooseObject(directory, object));
  const folders = new Set([path.join(directory, "objects"), ...homes]);
  await Promise.all([...folders].map(syncDirectory));
}

/** Answers with the folder that the object lies in. */
async function writeLooseObject(directory: string, object: NewObject): Promise<string> {
  const folder = path.join(directory, "objects", object.oid.slice(0, 2));
  const file = path.join(folder, object.oid.slice(2));
  if (await exists(file)) return folder;
  await mkdir(folder, { recursive: true });
  // The prefix is git's own, so that its housekeeping removes what a crash left behind.
  const temporary = path.join(folder, `tmp_obj_${randomBytes(8).toString("hex")}`);
  try {
    const handle = await open(temporary, "wx", 0o444);
    try {
      await handle.writeFile(await compress(object.bytes, FASTEST));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return folder;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
