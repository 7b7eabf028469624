import type { DialectName } from "#docs/dialect.ts";
import type { MarkdownFormat } from "#docs/parser.ts";

/** The format in which a tool parses a page: Docusaurus reads `.md` as MDX. */
export const readFormat = (format: MarkdownFormat, dialect: DialectName): MarkdownFormat =>
  dialect === "docusaurus" ? "mdx" : format;
