import { channelsOf, isAsyncApi } from "#docs/api/channels/channel-list.ts";
import type { ApiReading } from "#docs/api/api-documents.ts";
import { plainSummary } from "#docs/api/document-text.ts";
import { operationsOf } from "#docs/api/operations.ts";
import { viewOverview } from "./overview-view.ts";
import { readApiDocument } from "./read-document.ts";

/** Reads the description of an API, in the render process. */
export async function readApi(path: string, read: (path: string) => Promise<string | null>): Promise<ApiReading> {
  const { root, files, problems } = await readApiDocument(path, read);
  if (root === null) return { document: null, operations: [], title: null, summary: null, files, problems };
  const { title, description } = viewOverview(root);
  const document = JSON.stringify(root);
  const operations = isAsyncApi(root) ? channelsOf(root) : operationsOf(root);
  return { document, operations, title, summary: plainSummary(description), files, problems };
}
