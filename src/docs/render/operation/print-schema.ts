import type { ExampleView } from "#docs/api/example-value.ts";
import { exampleLine } from "#docs/api/examples.ts";
import type { DocsLink } from "#docs/api/external-docs.ts";
import { type ConstraintLabel, FIELD_LABELS } from "#docs/api/schema-constraints.ts";
import { type ApiField, namesOf, type SchemaTree } from "#docs/api/schema-tree.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import { fillIn, type Words } from "#docs/words/site-language.ts";
import type { ApiTools } from "./describe.ts";

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
  required: "required",
  example: "example",
} as const satisfies Partial<Record<ConstraintLabel, keyof Words>>;

function constraintLabel(label: ConstraintLabel, words: Words): string {
  const field = FIELD_LABELS.find((each) => each === label);
  return field ?? words[CONSTRAINT_WORDS[label as keyof typeof CONSTRAINT_WORDS]].toLocaleLowerCase();
}

/** A parameter, a field or a header: its name and type, its meaning, and its nested fields, collapsed. */
export function printApiField(field: ApiField, tools: ApiTools, id: string | null = null): string {
  const { schema } = field;
  const { words } = tools.printer.language;
  const isDeprecated = (field.isDeprecated ?? false) || schema.isDeprecated;
  const head = [
    `<code class="field-name">${escapeHtml(field.name)}</code>`,
    typeHtml(schema, field.name),
    field.isRequired ? `<span class="field-required">${words.required}</span>` : "",
    isDeprecated ? `<span class="field-deprecated">${words.deprecated}</span>` : "",
    schema.access === null
      ? ""
      : `<span class="field-place">${schema.access === "read-only" ? words.readOnly : words.writeOnly}</span>`,
  ];
  const description = tools.describe(field.description ?? schema.description);
  const examples = printExampleList(field.examples ?? [], tools);
  return printFieldBox(head, description + schemaNotes(schema, tools) + examples + schemaInside(schema, tools), id);
}

/** A name with what belongs to it on its line, and the text below. */
export function printFieldBox(head: readonly string[], body: string, id: string | null = null): string {
  return `<div class="field"${attributes({ id })}><div class="field-head">${head.filter(Boolean).join(" ")}</div><div class="field-body">${body}</div></div>\n`;
}

/** A top-level schema: the body of a request or a response. */
export function printSchema(schema: SchemaTree, tools: ApiTools): string {
  const isPlain = schema.fields.length === 0 && schema.variants.length === 0;
  const head = `<p class="api-type">${typeHtml(schema)}</p>`;
  const isHeaded = isPlain || schema.type !== "object" || namesOf(schema).length > 0;
  return `${isHeaded ? head : ""}${tools.describe(schema.description)}${schemaNotes(schema, tools)}${fieldsHtml(schema.fields, tools)}${variantsHtml(schema, tools)}`;
}

function typeHtml(schema: SchemaTree, known = ""): string {
  const notes = namesOf(schema, known).map((name) => ` <span class="field-note">${escapeHtml(name)}</span>`);
  return `<span class="field-type">${escapeHtml(schema.type)}</span>${notes.join("")}`;
}

function schemaNotes(schema: SchemaTree, { printer }: ApiTools): string {
  const { words } = printer.language;
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
    (schema.isCut ? `<p class="api-recursive">${words.moreInDocument}</p>` : "") +
    printDocsLink(schema.docs, printer)
  );
}

/** A link to further documentation, in a paragraph of its own. */
export function printDocsLink(docs: DocsLink | null, printer: PagePrinter): string {
  return docs === null ? "" : `<p>${printer.link(docs.href, escapeHtml(docs.text), { line: null })}</p>\n`;
}

function schemaInside(schema: SchemaTree, tools: ApiTools): string {
  const { words, counted } = tools.printer.language;
  const fields =
    schema.fields.length === 0
      ? ""
      : `<details class="api-fields"><summary>${counted(words.fieldCount, schema.fields.length)}</summary>${fieldsHtml(schema.fields, tools)}</details>`;
  return fields + variantsHtml(schema, tools);
}

function fieldsHtml(fields: readonly ApiField[], tools: ApiTools): string {
  return fields.map((field) => printApiField(field, tools)).join("");
}

function variantsHtml({ variants }: SchemaTree, tools: ApiTools): string {
  return variants.map((each) => variantGroup(each, tools)).join("");
}

function variantGroup({ kind, options: trees }: SchemaTree["variants"][number], tools: ApiTools): string {
  const { words } = tools.printer.language;
  const options = trees.map((option, index) => {
    const title = option.name ?? fillIn(words.option, { number: String(index + 1) });
    const body =
      tools.describe(option.description) +
      schemaNotes(option, tools) +
      fieldsHtml(option.fields, tools) +
      variantsHtml(option, tools);
    const head = `${escapeHtml(title)} ${typeHtml(option, title)}`;
    return body === ""
      ? `<p class="api-variant">${head}</p>`
      : `<details class="api-fields"${index === 0 && trees.length < 6 ? " open" : ""}><summary>${head}</summary>${body}</details>`;
  });
  return `<div class="api-variants"><p class="api-variants-title">${kind === "one of" ? words.oneOfThese : words.anyOfThese}</p>${options.join("")}</div>`;
}

/** The examples of a parameter or a header, as a list below its description. */
function printExampleList(examples: readonly ExampleView[], { printer }: ApiTools): string {
  if (examples.length === 0) return "";
  const items = examples.map((example) => {
    const { code, words } = exampleLine(example);
    return `<li><code>${escapeHtml(code)}</code>${words === "" ? "" : ` ${escapeHtml(words)}`}</li>`;
  });
  const { words } = printer.language;
  const title = examples.length === 1 ? words.example : words.examples;
  return `<div class="api-example-list"><p class="api-choices">${title}</p><ul>${items.join("")}</ul></div>`;
}
