import type { Json, JsonObject } from "#docs/json-document.ts";
import { CHARACTERS } from "./bounds.ts";
import { plainText, textOf } from "./document-text.ts";
import { follow } from "./references.ts";

/** A link to further documentation. */
export interface DocsLink {
  href: string;
  text: string;
}

/** Reads `externalDocs`; null without an address. */
export function docsLinkOf(root: JsonObject, written: Json | undefined): DocsLink | null {
  const docs = follow(root, written)?.object;
  const href = textOf(docs?.["url"], CHARACTERS.url);
  return href === null ? null : { href, text: textOf(docs?.["description"], CHARACTERS.description) ?? href };
}

/** A link in Markdown, whatever its text holds. */
export function markdownLink({ href, text }: DocsLink): string {
  return `[${plainText(text).replaceAll(/[[\]]/g, "\\$&")}](${href})`;
}
