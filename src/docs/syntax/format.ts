import type { DialectName } from "#docs/dialect.ts";
import type { MarkdownFormat } from "#docs/parser.ts";

/** What a tool takes a page for: Docusaurus reads `.md` as MDX. */
export const readFormat = (format: MarkdownFormat, dialect: DialectName): MarkdownFormat =>
  dialect === "docusaurus" ? "mdx" : format;
