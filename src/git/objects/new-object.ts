import { createHash } from "node:crypto";
import type { ObjectId } from "./objects.ts";

/** An object that is to be stored, with its id worked out. */
export interface NewObject {
  oid: ObjectId;
  type: "blob" | "tree" | "commit";
  content: Uint8Array;
}

export function newObject(type: NewObject["type"], content: Uint8Array): NewObject {
  const oid = createHash("sha1").update(headerOf(type, content)).update(content).digest("hex");
  return { oid, type, content };
}

/** What git puts before an object's content when it hashes it and when it stores it alone. */
export function headerOf(type: NewObject["type"], content: Uint8Array): Buffer {
  return Buffer.from(`${type} ${content.length}\0`);
}
