import { parse, type DefaultTreeAdapterTypes } from "parse5";

/** The parts of a document that could run: parsed as a browser does, not by its source. */
export function dangersIn(html: string): string[] {
  const found: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("attrs" in node) {
      const source = node.attrs.find(({ name }) => name === "src")?.value ?? "";
      const isInert = node.attrs.some(({ name, value }) => name === "type" && value === "application/ld+json");
      if (node.tagName === "script" && !isInert && !source.startsWith("/_docent/")) found.push("script");
      for (const { name, value } of node.attrs) {
        if (name.startsWith("on") || /^\s*javascript:/i.test(value)) {
          if (!["value", "placeholder", "content", "id", "aria-label"].includes(name) && !name.startsWith("data-"))
            found.push(`${node.tagName} ${name}`);
        }
      }
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(html));
  return found;
}

/** Texts that run when a page treats them as markup. */
export const MARKUP_VECTORS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "javascript:alert(1)",
  "[x](javascript:alert(1))",
  "</code></pre><script>alert(1)</script>",
  "{{constructor}}",
  "' onmouseover='alert(1)",
];
