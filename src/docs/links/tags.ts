import type { MdxJsxAttribute, MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx";
import type { WrittenTag } from "#docs/components/component.ts";
import { propsOf, tagName } from "#docs/markup/nest-html.ts";
import type { HtmlToken } from "#docs/markup/html-tokens.ts";

type Jsx = MdxJsxFlowElement | MdxJsxTextElement;

const STRING = `"([^"\\\\]*)"|'([^'\\\\]*)'|\`([^\`\\\\$]*)\``;
const ONE_TEXT = new RegExp(`^\\s*(?:${STRING}|(\\d{1,9}))\\s*$`);
const STRINGS = new RegExp(STRING, "g");

/** A tag of MDX. Texts are known if they are literals: `title="a"`, `title={"a"}`, `title={1}`, `items={["a", "b"]}`. */
export function jsxTag(node: Jsx): WrittenTag {
  const written = (name: string) => {
    let found: MdxJsxAttribute | undefined;
    for (const each of node.attributes) {
      if (each.type !== "mdxJsxAttribute") continue;
      if (each.name === name) return each.value;
      if (each.name.toLowerCase() === name) found ??= each;
    }
    return found?.value;
  };
  return {
    name: node.name ?? "",
    text(name) {
      const value = written(name);
      if (typeof value === "string") return value || null;
      const literal = ONE_TEXT.exec(value?.value ?? "");
      return literal?.slice(1).find(Boolean) ?? null;
    },
    texts(name) {
      const value = written(name);
      const list = /^\[([^]*)\]$/.exec((typeof value === "object" ? (value?.value ?? "") : "").trim())?.[1] ?? "";
      if (/[^\s,]/.test(list.replace(STRINGS, ""))) return [];
      return [...list.matchAll(STRINGS)].map(([, double, single, template]) => double ?? single ?? template ?? "");
    },
  };
}

/** A tag of raw HTML; the case of attribute names does not matter. */
export function htmlTag(token: Extract<HtmlToken, { kind: "open" }>): WrittenTag {
  const props = propsOf(token);
  return {
    name: tagName(token.name),
    text(name) {
      const value = props.get(name) ?? [...props].find(([written]) => written.toLowerCase() === name)?.[1];
      return typeof value === "string" || typeof value === "number" ? String(value) || null : null;
    },
    texts: () => [],
  };
}
