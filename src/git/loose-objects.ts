import path from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { makeFolder, writeDurably } from "./durable.ts";
import { headerOf, type NewObject } from "./new-object.ts";

const compress = promisify(deflate);
const FASTEST = { level: 1 };

/** Stores an object as a file of its own. Answers with the folder, which the caller flushes. */
export async function writeLooseObject(directory: string, object: NewObject): Promise<string> {
  const folder = path.join(directory, "objects", object.oid.slice(0, 2));
  await makeFolder(folder);
  const bytes = await compress(Buffer.concat([headerOf(object.type, object.content), object.content]), FASTEST);
  await writeDurably(path.join(folder, object.oid.slice(2)), [bytes]);
  return folder;
}
