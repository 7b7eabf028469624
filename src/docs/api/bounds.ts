/** A document exceeds a limit of Docent. The message tells its author which. */
export class ApiLimit extends Error {
  override name = "ApiLimit";
}

/** Total of all files of a document. The largest public documents have 10 MB. */
export const MAX_DOCUMENT_CHARACTERS = 16_000_000;
export const MAX_DOCUMENT_FILES = 200;
/** Total of all descriptions of one site. */
export const MAX_SITE_CHARACTERS = 64_000_000;
/** Per site: each address is polled and its copy stored. */
export const MAX_ADDRESSES = 20;
/** Counted after YAML aliases are expanded. */
export const MAX_DOCUMENT_VALUES = 1_500_000;
export const MAX_DOCUMENT_DEPTH = 150;
export const MAX_OPERATIONS = 20_000;
/** Per operation: parameters, fields and variants that its page shows. */
export const MAX_SCHEMAS_SHOWN = 1_500;
export const MAX_SCHEMA_DEPTH = 12;
/** Total of all examples of a page's request, and of its responses. */
export const MAX_EXAMPLES_CHARACTERS = 500_000;

/** How many entries of a description's lists and maps a page shows. `limitProblems` reports the rest. */
export const SHOWN = {
  parameters: 300,
  responses: 100,
  /** Of a response. */
  headers: 300,
  contents: 20,
  examples: 100,
  servers: 50,
  /** Addresses of one server, one for each combination of the values of its variables. */
  serverChoices: 200,
  callbacks: 50,
  /** Values of an `enum`. */
  choices: 500,
  /** Variants of `oneOf` and `anyOf`. */
  variants: 200,
  /** Schemas of an `allOf`. */
  parts: 200,
  security: 30,
  scopes: 1_000,
  links: 100,
  samples: 30,
  messages: 100,
  /** Operations of a channel. */
  actions: 500,
  bindings: 50,
  traits: 100,
} as const;

/** How many characters of a description's texts a page shows. `limitProblems` reports the rest. */
export const CHARACTERS = {
  description: 30_000,
  summary: 1_000,
  name: 1_000,
  url: 2_000,
  /** A code sample of the author. */
  source: 100_000,
  /** An example as code. */
  example: 60_000,
  /** A pattern, or a rule that a page shows as it is written: `not`, `if`. */
  rule: 5_000,
  /** A default, an allowed value, or what a link passes on. */
  value: 300,
} as const;
