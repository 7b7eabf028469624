import type { Component } from "#docs/components/component.ts";
import { COMPONENTS } from "#docs/components/registry.ts";
import { code, type DocsTable } from "./docs-table.ts";

/** The components of the registry with their attributes. */
export const componentTable: DocsTable = {
  page: "sites/components.mdx",
  head: "| Component | Attributes | Use |\n|---|---|---|\n",
  rows: () => COMPONENTS.map(row),
};

function row({ names, attributes = {}, anchor, summary }: Component): string {
  const own = Object.entries(attributes).map(([name, { kind, fallback }]) =>
    fallback === undefined || (kind === "flag" && fallback === "false") ? code(name) : `${code(name)} (${fallback})`,
  );
  const all = anchor === "none" ? own : [...own, code("id")];
  return `| ${names.map(code).join(", ")} | ${all.join(", ")} | ${summary} |`;
}
