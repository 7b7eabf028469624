import type { Json, JsonObject } from "#docs/json-document.ts";
import { CHARACTERS } from "./bounds.ts";
import { descriptionOf, plainText, textOf } from "./document-text.ts";
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

/** What a part of AsyncAPI says about itself, as Markdown: its summary unless that is `shown` already, description and link. */
export function aboutOf(root: JsonObject, object: JsonObject, shown: string | null = null): string | null {
  const summary = textOf(object["summary"], CHARACTERS.summary);
  const docs = docsLinkOf(root, object["externalDocs"]);
  const parts = [summary === shown ? null : summary, descriptionOf(object), docs && markdownLink(docs)];
  return parts.filter((part) => part !== null).join("\n\n") || null;
}

/** A link in Markdown, whatever its text and its address contain. */
export function markdownLink({ href, text }: DocsLink): string {
  const address = href.replaceAll(/[\s<>\\]/g, encodeURIComponent);
  const destination = /[()]/.test(address) ? `<${address}>` : address;
  return `[${plainText(text).replaceAll(/[[\]]/g, "\\$&")}](${destination})`;
}
