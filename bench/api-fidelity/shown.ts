import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterTypes } from "parse5";
import type { DescribedOperation, Fact } from "./described.ts";

interface ShownField {
  name: string;
  type: string;
  isRequired: boolean;
  text: string;
}

/** The facts of an operation that its page lacks; `isCut` when the page says that it truncates its schemas. */
export function missingFacts(
  operation: DescribedOperation,
  { html, markdown }: { html: string; markdown: string },
): { missing: Fact[]; isCut: boolean } {
  const fields = new Map<string, ShownField[]>();
  const texts: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (defaultTreeAdapter.isTextNode(node)) texts.push(node.value);
    if (hasClass(node, "field")) {
      const head = childOf(node, "field-head");
      const names = head === null ? [] : within(head, "field-name");
      const type = head === null ? "" : within(head, "field-type").map(textOf).join(" ");
      const isRequired = head !== null && within(head, "field-required").length > 0;
      for (const name of names.map(textOf)) {
        const list = fields.get(name) ?? [];
        fields.set(name, list);
        list.push({ name, type, isRequired, text: textOf(node) });
      }
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parseFragment(html));
  const whole = texts.join(" ");
  const unbroken = texts.join("");
  const [inHtml, inMarkdown] = [unbroken, markdown].map((each) => each.replaceAll(/\s+/g, " "));
  const isThere = (fact: Fact): boolean => {
    if (fact.what === "text") return inHtml!.includes(fact.name) && inMarkdown!.includes(fact.name);
    // The parameters in an address are in separate elements.
    if (fact.what === "callback") return unbroken.includes(fact.name);
    if (fact.what === "status" || fact.what === "media type") return whole.includes(fact.name);
    return (fields.get(fact.name) ?? []).some(
      (field) =>
        (fact.type === null || field.type.includes(fact.type)) &&
        (!fact.isRequired || field.isRequired) &&
        fact.values.every((value) => field.text.includes(value)),
    );
  };
  return {
    missing: operation.facts.filter((fact) => !isThere(fact)),
    isCut: whole.includes("More is in the OpenAPI document"),
  };
}

function hasClass(node: DefaultTreeAdapterTypes.Node, name: string): node is DefaultTreeAdapterTypes.Element {
  return (
    defaultTreeAdapter.isElementNode(node) &&
    node.attrs.some((each) => each.name === "class" && each.value.split(" ").includes(name))
  );
}

function childOf(node: DefaultTreeAdapterTypes.Element, name: string): DefaultTreeAdapterTypes.Element | null {
  for (const child of node.childNodes) if (hasClass(child, name)) return child;
  return null;
}

function within(node: DefaultTreeAdapterTypes.Element, name: string): DefaultTreeAdapterTypes.Element[] {
  return node.childNodes.flatMap((child) => {
    if (!defaultTreeAdapter.isElementNode(child)) return [];
    return [...(hasClass(child, name) ? [child] : []), ...within(child, name)];
  });
}

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if (defaultTreeAdapter.isTextNode(node)) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}
