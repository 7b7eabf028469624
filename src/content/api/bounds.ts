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
