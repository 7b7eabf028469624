import { createProblemList } from "#docs/problems.ts";
import type { JsonObject } from "#docs/json-document.ts";
import { Data } from "./reading/data.ts";

/**
 * The `<meta>` tags that a tool's configuration adds to every page, by name: `["meta", { name, content }]` (VitePress),
 * `{ tag: "meta", attrs }` (Starlight), `{ tagName: "meta", attributes }` and `{ name, content }` (Docusaurus).
 */
export function metaTags(...lists: readonly Data[]): JsonObject {
  const tags = lists
    .flatMap((list) => list.list())
    .flatMap((tag): [string, string][] => {
      const [first, second] = tag.list();
      const kind = first?.text() ?? tag.get("tag").text() ?? tag.get("tagName").text() ?? "meta";
      const written = ["attrs", "attributes"].find((key) => tag.has(key));
      const attributes = second ?? (written === undefined ? tag : tag.get(written));
      const name = attributes.get("name").text() ?? attributes.get("property").text();
      const content = attributes.get("content").text();
      return kind !== "meta" || name === null || content === null ? [] : [[name, content]];
    });
  return Object.fromEntries(tags);
}

/** Whether the `head` in a page's front matter keeps search engines away. */
export const isUnindexed = (head: unknown): boolean =>
  JSON.stringify(metaTags(Data.of(head, createProblemList(0)))["robots"] ?? "").includes("noindex");
