/** The documentation tools whose repositories are read unchanged; `native` has a `docs.json` or `mint.json`. */
export const DIALECTS = [
  "native",
  "docusaurus",
  "starlight",
  "vitepress",
  "mkdocs",
  "gitbook",
  "nextra",
  "fumadocs",
  "plain",
] as const;

export type DialectName = (typeof DIALECTS)[number];
