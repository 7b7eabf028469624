import type { SchemaField, SchemaTree } from "#content/api/schema-tree.ts";
import { attributes, escapeHtml } from "#content/markup/html.ts";
import type { DescribeInMarkdown } from "./describe.ts";

/** What stands at a field besides its schema. */
export interface FieldNotes {
  name: string;
  isRequired: boolean;
  isDeprecated: boolean;
  description: string | null;
  schema: SchemaTree;
  /** The id that a link leads to; null for fields inside of others. */
  id: string | null;
}

/** A parameter, a field or a header: its name and type, what it means, and what is in it, folded. */
export function printApiField(field: FieldNotes, describe: DescribeInMarkdown): string {
  const { schema } = field;
  const head = [
    `<code class="field-name">${escapeHtml(field.name)}</code>`,
    typeHtml(schema),
    field.isRequired ? `<span class="field-required">required</span>` : "",
    field.isDeprecated ? `<span class="field-deprecated">deprecated</span>` : "",
    schema.access === null ? "" : `<span class="field-place">${schema.access}</span>`,
  ];
  const body =
    (field.description === null ? "" : describe(field.description)) +
    schemaNotes(schema) +
    schemaInside(schema, describe);
  return `<div class="field"${attributes({ id: field.id })}><div class="field-head">${head.filter(Boolean).join(" ")}</div><div class="field-body">${body}</div></div>\n`;
}

/** A schema that stands for itself: the body of a request, or of an answer. */
export function printSchema(schema: SchemaTree, describe: DescribeInMarkdown): string {
  const isPlain = schema.fields.length === 0 && schema.variants === null;
  const head = `<p class="api-type">${typeHtml(schema)}</p>`;
  const intro = schema.description === null ? "" : describe(schema.description);
  return `${isPlain || schema.type !== "object" ? head : ""}${intro}${schemaNotes(schema)}${fieldsHtml(schema.fields, describe)}${variantsHtml(schema, describe)}`;
}

function typeHtml({ type, name }: SchemaTree): string {
  const isNamed = name !== null && !type.includes(name);
  return `<span class="field-type">${escapeHtml(type)}</span>${isNamed ? ` <span class="field-note">${escapeHtml(name)}</span>` : ""}`;
}

function schemaNotes(schema: SchemaTree): string {
  const choices = schema.choices.map((choice) => `<code>${escapeHtml(choice)}</code>`).join(" ");
  const constraints = schema.constraints
    .map(({ label, value }) => `<span>${escapeHtml(label)} <code>${escapeHtml(value)}</code></span>`)
    .join(" ");
  return (
    (choices === "" ? "" : `<p class="api-choices"><span>Allowed</span> ${choices}</p>`) +
    (constraints === "" ? "" : `<p class="api-constraints">${constraints}</p>`) +
    (schema.isRecursive
      ? `<p class="api-recursive">The same again: ${escapeHtml(schema.name ?? "the schema that it is part of")}.</p>`
      : "") +
    (schema.isCut ? `<p class="api-recursive">More is in the OpenAPI document.</p>` : "")
  );
}

function schemaInside(schema: SchemaTree, describe: DescribeInMarkdown): string {
  const fields =
    schema.fields.length === 0
      ? ""
      : `<details class="api-fields"><summary>${schema.fields.length === 1 ? "1 field" : `${schema.fields.length} fields`}</summary>${fieldsHtml(schema.fields, describe)}</details>`;
  return fields + variantsHtml(schema, describe);
}

function fieldsHtml(fields: readonly SchemaField[], describe: DescribeInMarkdown): string {
  return fields
    .map(({ name, isRequired, schema }) =>
      printApiField(
        { name, isRequired, isDeprecated: schema.isDeprecated, description: schema.description, schema, id: null },
        describe,
      ),
    )
    .join("");
}

function variantsHtml({ variants }: SchemaTree, describe: DescribeInMarkdown): string {
  if (variants === null) return "";
  const options = variants.options.map((option, index) => {
    const title = option.name ?? `Option ${index + 1}`;
    const body =
      (option.description === null ? "" : describe(option.description)) +
      schemaNotes(option) +
      fieldsHtml(option.fields, describe) +
      variantsHtml(option, describe);
    const head = `${escapeHtml(title)} <span class="field-type">${escapeHtml(option.type)}</span>`;
    return body === ""
      ? `<p class="api-variant">${head}</p>`
      : `<details class="api-fields"${index === 0 && variants.options.length < 6 ? " open" : ""}><summary>${head}</summary>${body}</details>`;
  });
  return `<div class="api-variants"><p class="api-variants-title">${variants.kind === "one of" ? "One of these" : "Any of these"}</p>${options.join("")}</div>`;
}
