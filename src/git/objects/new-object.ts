import { createHash } from "node:crypto";
import type { ObjectId } from "./objects.ts";

/** An object to store, with its computed id. */
export interface NewObject {
  oid: ObjectId;
  type: "blob" | "tree" | "commit";
  content: Uint8Array;
}

export function newObject(type: NewObject["type"], content: Uint8Array): NewObject {
  const oid = createHash("sha1").update(headerOf(type, content)).update(content).digest("hex");
  return { oid, type, content };
}

/** The header that git puts before an object's content for hashing and in a loose file. */
export function headerOf(type: NewObject["type"], content: Uint8Array): Buffer {
  return Buffer.from(`${type} ${content.length}\0`);
}
