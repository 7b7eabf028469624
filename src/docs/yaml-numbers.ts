import { type Document, visit } from "yaml";

/** Makes a number such as `4.10`, `007` or `1e3` the text that its author wrote, not the number that YAML reads. */
export function keepNumbersAsWritten(document: Document): void {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "number" && node.source !== undefined && String(node.value) !== node.source)
        node.value = node.source;
    },
  });
}
