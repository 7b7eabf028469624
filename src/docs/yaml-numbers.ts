import { type Document, visit } from "yaml";

/**
 * Makes a number such as `4.10`, `007` or `1e3` the text that its author wrote, not the number that YAML reads. Of a key,
 * which is a title in a navigation, also a flag and `~` keep their text.
 */
export function keepNumbersAsWritten(document: Document): void {
  visit(document, {
    Scalar: (place, node) => {
      const isTitle = typeof node.value === "number" || (place === "key" && typeof node.value !== "string");
      if (isTitle && node.source && String(node.value) !== node.source) node.value = node.source;
    },
  });
}
