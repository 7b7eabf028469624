import type { ApiReading } from "./api-documents.ts";
import { operationsOf } from "./operations.ts";
import { readApiDocument } from "./read-document.ts";

/** Reads the description of an API, in the render process. */
export async function readApi(path: string, read: (path: string) => Promise<string | null>): Promise<ApiReading> {
  const { root, files, problems } = await readApiDocument(path, read);
  if (root === null) return { document: null, operations: [], files, problems };
  return { document: JSON.stringify(root), operations: operationsOf(root), files, problems };
}
