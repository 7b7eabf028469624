import type { Nodes, Root } from "mdast";
import { componentNamed } from "#docs/components/registry.ts";
import type { DialectName } from "#docs/dialect.ts";
import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { ownNames } from "#docs/links/headings.ts";
import { nodesOf } from "#docs/nodes.ts";
import { isCallout, tagReader } from "#docs/syntax/components/read-components.ts";

export type JsxElement = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;

export function isJsx(node: Nodes): node is JsxElement {
  return node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
}

/** The first use of each component that neither the page, the tool nor Docent defines. */
export function unknownComponents(root: Root, dialect: DialectName): { name: string; line: number | null }[] {
  const own = ownNames(root);
  const found = new Map<string, number | null>();
  for (const node of nodesOf(root)) {
    const line = node.position?.start.line ?? null;
    const names = isJsx(node)
      ? [node.name ?? ""]
      : node.type === "html"
        ? htmlTokens(node.value).flatMap((token) => (token.kind === "open" ? [token.name] : []))
        : [];
    for (const name of names) {
      const isKnown = own.has(headOf(name)) || tagReader(name, dialect) !== null || componentNamed(name) !== undefined;
      if (/^[A-Z]/.test(name) && !isKnown && !found.has(name)) found.set(name, line);
    }
  }
  return [...found].map(([name, line]) => ({ name, line }));
}

/** `Tabs` of `Tabs.Tab`. */
export const headOf = (name: string | null | undefined): string => (name ?? "").split(".")[0] ?? "";

/** The title that a tool gives to a callout without one is no part of a native page. */
export function dropKinds(root: Root): void {
  for (const node of nodesOf(root)) {
    if (node.type !== "mdxJsxFlowElement" || !isCallout(node.name)) continue;
    node.attributes = node.attributes.filter(
      (each) => each.type !== "mdxJsxAttribute" || !/^(?:label|alert)$/.test(each.name),
    );
  }
}
