/** A document that is more than Docent reads. The message says why, for its author. */
export class ApiLimit extends Error {
  override name = "ApiLimit";
}

/** Of all files that a document is put together from. The largest public documents have 10 MB. */
export const MAX_DOCUMENT_CHARACTERS = 16_000_000;
export const MAX_DOCUMENT_FILES = 200;
/** Of all descriptions of one site. */
export const MAX_SITE_CHARACTERS = 64_000_000;
/** Of one site: each is asked again and again, and kept. */
export const MAX_ADDRESSES = 20;
/** Counted after the aliases of YAML are put in. */
export const MAX_DOCUMENT_VALUES = 1_500_000;
export const MAX_DOCUMENT_DEPTH = 150;
export const MAX_OPERATIONS = 20_000;
/** Of one operation: parameters, fields and variants that its page shows. */
export const MAX_SCHEMAS_SHOWN = 1_500;
export const MAX_SCHEMA_DEPTH = 12;
export const MAX_DESCRIPTION_CHARACTERS = 30_000;

/** How much of a list or map of a description a page shows. What is beyond is told by `limitProblems`. */
export const SHOWN = {
  parameters: 300,
  responses: 100,
  contents: 20,
  examples: 20,
  servers: 50,
  callbacks: 50,
  /** Values of an `enum`. */
  choices: 500,
  /** Of `oneOf` and `anyOf`. */
  variants: 200,
  security: 30,
  samples: 30,
  messages: 100,
  /** Characters of a summary or a title. */
  summary: 300,
} as const;
