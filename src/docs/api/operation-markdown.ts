import type { CodeSample } from "./code-samples.ts";
import { codeSpan, fence, introLines, linesUnder, pageOfLines, plainText, tagLines } from "./document-text.ts";
import type { CallbackView } from "./callbacks.ts";
import { exampleLine } from "./examples.ts";
import { markdownLink } from "./external-docs.ts";
import { PARAMETER_PLACES, type ContentView, type ResponseView, exampleCode, PLACE_TITLES } from "./operation-parts.ts";
import { hasMoreServers, type OperationView } from "./operation-view.ts";
import { securityLines } from "./security-markdown.ts";
import { serverLines } from "./servers.ts";
import { type ApiField, namesOf, type SchemaTree } from "./schema-tree.ts";

/** An operation as Markdown for agents: the same facts as its page, with generated samples in the first language only. */
export function operationMarkdown(view: OperationView, samples: readonly CodeSample[]): string {
  const lines: string[] = [];
  const add = (...next: (string | null)[]) => lines.push(...next.filter((line) => line !== null));
  const base = view.servers[0]?.url ?? "";
  if (view.isWebhook) add(`Webhook ${codeSpan(view.path)}, sent with ${codeSpan(view.method)}`, "");
  else add(codeSpan(`${view.method} ${base}${view.path}`), "");
  add(...introLines(view));
  if (view.pathDescription !== null) add(view.pathDescription, "");
  add(...tagLines(view.tags));
  if (hasMoreServers(view)) add(...linesUnder("Servers:", serverLines(view.servers)));
  add(...securityLines(view.security));
  for (const place of PARAMETER_PLACES) {
    const parameters = view.parameters.filter((parameter) => parameter.place === place);
    add(
      ...linesUnder(
        `## ${PLACE_TITLES[place]}`,
        parameters.flatMap((each) => parameterLines(each)),
      ),
    );
  }
  if (view.body !== null) {
    add(
      `## ${view.isWebhook ? "Payload" : "Body"}`,
      "",
      view.body.description,
      view.body.isRequired ? "Required." : null,
    );
    for (const content of view.body.contents) add("", ...contentLines(content));
    add("");
  }
  const isGiven = view.givenSamples.length > 1;
  if (samples.length > 0) add("## Request example", "");
  for (const { title, language, code } of isGiven ? samples : samples.slice(0, 1))
    add(...(isGiven ? [`${plainText(title)}:`, ""] : []), ...fence(language, code), "");
  if (view.responses.length > 0) add("## Responses", "", ...responseLines(view.responses));
  if (view.callbacks.length > 0) add("## Callbacks", "", ...view.callbacks.flatMap(callbackLines));
  if (view.externalDocs !== null) add(`See ${markdownLink(view.externalDocs)}.`);
  return pageOfLines(lines, "OpenAPI");
}

function responseLines(responses: readonly ResponseView[], level = "###"): string[] {
  return responses.flatMap(({ status, description, headers, contents, links }) => [
    `${level} ${plainText(status)}`,
    "",
    ...(description === null ? [] : [description, ""]),
    ...linesUnder(
      "Headers:",
      headers.flatMap((each) => parameterLines(each)),
    ),
    ...contents.flatMap((content) => [...contentLines(content), ""]),
    ...linesUnder(
      "Links:",
      links.map(({ name, target, description: text, values }) => {
        const parts = values.map((each) => `${plainText(each.name)} = ${codeSpan(each.value)}`);
        const more = [text === null ? null : plainText(text), parts.join(", ") || null].filter((each) => each !== null);
        const call = target === null ? "" : ` (${codeSpan(target)})`;
        return `- ${codeSpan(name)}${call}${more.length === 0 ? "" : `: ${more.join(" ")}`}`;
      }),
    ),
  ]);
}

function callbackLines(callback: CallbackView): string[] {
  const { name, method, expression, title, description, parameters, body, responses } = callback;
  return [
    `### ${plainText(name)}`,
    "",
    `The API sends ${codeSpan(`${method} ${expression}`)}`,
    "",
    ...introLines({ isDeprecated: callback.isDeprecated, description: title === null ? null : plainText(title) }),
    ...(description === null ? [] : [description, ""]),
    ...linesUnder(
      "Parameters:",
      parameters.flatMap((each) => parameterLines(each)),
    ),
    ...(typeof body?.description === "string" ? [body.description, ""] : []),
    ...(body?.contents.flatMap((content) => [...contentLines(content), ""]) ?? []),
    ...responseLines(responses, "####"),
  ];
}

/** A parameter or field and its own fields, as lines of a list. */
export function parameterLines(field: ApiField, depth = 0): string[] {
  const { schema } = field;
  const isDeprecated = (field.isDeprecated ?? false) || schema.isDeprecated;
  const marks = [field.isRequired ? "required" : null, isDeprecated ? "deprecated" : null, schema.access];
  const notes = marks.filter((mark) => mark !== null).map((mark) => `, ${mark}`);
  const names = namesOf(schema, field.name).map((name) => `, ${plainText(name)}`);
  const about = `${codeSpan(schema.type)}${names.join("")}${notes.join("")}`;
  const line = `${"  ".repeat(depth)}- ${codeSpan(field.name)} (${about})`;
  const examples = (field.examples ?? []).map((example) => {
    const { code, words } = exampleLine(example);
    return `${"  ".repeat(depth + 1)}- Example: ${codeSpan(code)}${words === "" ? "" : `: ${plainText(words)}`}`;
  });
  const text = detail(schema, field.description ?? schema.description);
  return [`${line}${text}`, ...examples, ...inner(schema, depth + 1)];
}

function contentLines(content: ContentView): string[] {
  const lines = [`Content type ${codeSpan(content.type)}:`, ""];
  if (content.schema !== null) lines.push(...schemaLines(content.schema));
  for (const [index, example] of content.examples.entries()) {
    const { title, description, value, href } = example;
    lines.push("");
    if (title !== null) lines.push(`Example "${plainText(title)}":`, "");
    else if (content.examples.length > 1) lines.push(`Example ${index + 1}:`, "");
    if (description !== null) lines.push(description, "");
    if (href !== null) lines.push(`<${href}>`);
    else if (value === undefined) lines.push("It is in the OpenAPI document.");
    if (value !== undefined) lines.push(...fence(/json/i.test(content.type) ? "json" : "", exampleCode(value)));
  }
  return lines;
}

/** A top-level schema, as lines of a list. */
export function schemaLines(schema: SchemaTree): string[] {
  const own = `${typeWithNames(schema)}${detail(schema, schema.description)}`;
  if (schema.fields.length === 0) return [`- ${own}`, ...inner(schema, 0)];
  return [...(own === "`object`" ? [] : [own, ""]), ...inner(schema, 0)];
}

function typeWithNames(schema: SchemaTree): string {
  const names = namesOf({ ...schema, type: "" }).map(plainText);
  return `${codeSpan(schema.type)}${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
}

function inner(schema: SchemaTree, depth: number): string[] {
  const lines = schema.fields.flatMap((field) => parameterLines(field, depth));
  const indent = "  ".repeat(depth);
  const options = schema.variants.flatMap(({ kind, options: trees }, group) =>
    trees.flatMap((option, index) => [
      `${indent}- ${group === 0 ? "" : "Also: "}${kind === "any of" ? "Any of" : "One of"}, option ${index + 1}: ${typeWithNames(option)}${detail(option, option.description)}`,
      ...inner(option, depth + 1),
    ]),
  );
  return [...lines, ...options];
}

function detail(schema: SchemaTree, description: string | null): string {
  const parts = [
    description === null ? null : plainText(description),
    schema.choices.length > 0 ? `Allowed: ${schema.choices.map(codeSpan).join(", ")}.` : null,
    schema.constraints.length > 0
      ? `${schema.constraints.map(({ label, value }) => `${label} ${codeSpan(value)}`).join(", ")}.`
      : null,
    schema.isRecursive ? `Recursive: see ${plainText(schema.name ?? "above")}.` : null,
    schema.isCut ? "More is in the OpenAPI document." : null,
    schema.docs === null ? null : `See ${markdownLink(schema.docs)}.`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "" : `: ${parts.join(" ")}`;
}
