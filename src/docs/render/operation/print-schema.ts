import type { SchemaField, SchemaTree, ConstraintLabel } from "#docs/api/schema-tree.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { fillIn, type SiteLanguage, type Words } from "#docs/words/site-language.ts";
import type { DescribeInMarkdown } from "./describe.ts";

const CONSTRAINT_WORDS = {
  default: "default",
  "greater than": "greaterThan",
  minimum: "minimum",
  "less than": "lessThan",
  maximum: "maximum",
  "multiple of": "multipleOf",
  characters: "characters",
  items: "items",
  fields: "fields",
  pattern: "pattern",
  "media type": "mediaType",
  example: "example",
} as const satisfies Partial<Record<ConstraintLabel, keyof Words>>;

const constraintLabel = (label: ConstraintLabel, words: Words) =>
  label === "uniqueItems" ? label : words[CONSTRAINT_WORDS[label]].toLocaleLowerCase();

/** What is shown at a field in addition to its schema. */
export interface FieldNotes {
  name: string;
  isRequired: boolean;
  isDeprecated: boolean;
  description: string | null;
  schema: SchemaTree;
  /** The id that links refer to; null for nested fields. */
  id: string | null;
}

/** A parameter, a field or a header: its name and type, its meaning, and its nested fields, collapsed. */
export function printApiField(field: FieldNotes, describe: DescribeInMarkdown, language: SiteLanguage): string {
  const { schema } = field;
  const head = [
    `<code class="field-name">${escapeHtml(field.name)}</code>`,
    typeHtml(schema),
    field.isRequired ? `<span class="field-required">${language.words.required}</span>` : "",
    field.isDeprecated ? `<span class="field-deprecated">${language.words.deprecated}</span>` : "",
    schema.access === null
      ? ""
      : `<span class="field-place">${schema.access === "read-only" ? language.words.readOnly : language.words.writeOnly}</span>`,
  ];
  const body =
    (field.description === null ? "" : describe(field.description)) +
    schemaNotes(schema, language) +
    schemaInside(schema, describe, language);
  return `<div class="field"${attributes({ id: field.id })}><div class="field-head">${head.filter(Boolean).join(" ")}</div><div class="field-body">${body}</div></div>\n`;
}

/** A top-level schema: the body of a request or a response. */
export function printSchema(schema: SchemaTree, describe: DescribeInMarkdown, language: SiteLanguage): string {
  const isPlain = schema.fields.length === 0 && schema.variants === null;
  const head = `<p class="api-type">${typeHtml(schema)}</p>`;
  const intro = schema.description === null ? "" : describe(schema.description);
  return `${isPlain || schema.type !== "object" ? head : ""}${intro}${schemaNotes(schema, language)}${fieldsHtml(schema.fields, describe, language)}${variantsHtml(schema, describe, language)}`;
}

function typeHtml({ type, name }: SchemaTree): string {
  const isNamed = name !== null && !type.includes(name);
  return `<span class="field-type">${escapeHtml(type)}</span>${isNamed ? ` <span class="field-note">${escapeHtml(name)}</span>` : ""}`;
}

function schemaNotes(schema: SchemaTree, { words }: SiteLanguage): string {
  const choices = schema.choices.map((choice) => `<code>${escapeHtml(choice)}</code>`).join(" ");
  const constraints = schema.constraints
    .map(({ label, value }) => `<span>${constraintLabel(label, words)} <code>${escapeHtml(value)}</code></span>`)
    .join(" ");
  return (
    (choices === "" ? "" : `<p class="api-choices"><span>${words.allowed}</span> ${choices}</p>`) +
    (constraints === "" ? "" : `<p class="api-constraints">${constraints}</p>`) +
    (schema.isRecursive
      ? `<p class="api-recursive">${fillIn(words.sameAgain, { name: escapeHtml(schema.name ?? words.enclosingSchema) })}</p>`
      : "") +
    (schema.isCut ? `<p class="api-recursive">${words.moreInDocument}</p>` : "")
  );
}

function schemaInside(schema: SchemaTree, describe: DescribeInMarkdown, language: SiteLanguage): string {
  const fields =
    schema.fields.length === 0
      ? ""
      : `<details class="api-fields"><summary>${language.counted(language.words.fieldCount, schema.fields.length)}</summary>${fieldsHtml(schema.fields, describe, language)}</details>`;
  return fields + variantsHtml(schema, describe, language);
}

function fieldsHtml(fields: readonly SchemaField[], describe: DescribeInMarkdown, language: SiteLanguage): string {
  return fields
    .map(({ name, isRequired, schema }) =>
      printApiField(
        { name, isRequired, isDeprecated: schema.isDeprecated, description: schema.description, schema, id: null },
        describe,
        language,
      ),
    )
    .join("");
}

function variantsHtml({ variants }: SchemaTree, describe: DescribeInMarkdown, language: SiteLanguage): string {
  if (variants === null) return "";
  const options = variants.options.map((option, index) => {
    const title = option.name ?? fillIn(language.words.option, { number: String(index + 1) });
    const body =
      (option.description === null ? "" : describe(option.description)) +
      schemaNotes(option, language) +
      fieldsHtml(option.fields, describe, language) +
      variantsHtml(option, describe, language);
    const head = `${escapeHtml(title)} <span class="field-type">${escapeHtml(option.type)}</span>`;
    return body === ""
      ? `<p class="api-variant">${head}</p>`
      : `<details class="api-fields"${index === 0 && variants.options.length < 6 ? " open" : ""}><summary>${head}</summary>${body}</details>`;
  });
  return `<div class="api-variants"><p class="api-variants-title">${variants.kind === "one of" ? language.words.oneOfThese : language.words.anyOfThese}</p>${options.join("")}</div>`;
}
