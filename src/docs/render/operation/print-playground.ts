import { PARAMETER_PLACES, type ParameterView, exampleCode } from "#docs/api/operation-parts.ts";
import type { OperationView } from "#docs/api/operation-view.ts";
import { preferredContent } from "#docs/api/sample-request.ts";
import type { SecurityScheme } from "#docs/api/security.ts";
import { scalarText } from "#docs/api/written-number.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { Words } from "#docs/words/site-language.ts";
import { PLACE_WORDS } from "./print-parts.ts";

/** Scheme and host in a form that a content security policy allows: a URL's own origin can contain a semicolon. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The servers that a reader's browser can call, and the scheme and host of each. */
export function callableServers({ servers, isWebhook }: OperationView): { urls: string[]; origins: string[] } {
  const choices = isWebhook ? [] : servers.flatMap((server) => server.choices);
  const callable = choices.flatMap((url) => {
    const origin = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).origin : "";
    return ORIGIN.test(origin) ? [{ url, origin }] : [];
  });
  return {
    urls: [...new Set(callable.map(({ url }) => url))],
    origins: [...new Set(callable.map(({ origin }) => origin))],
  };
}

/**
 * A form that sends the request from the reader's browser; a script shows it and sends. Empty if no server can be called, or
 * if a text form cannot hold the body.
 */
export function printPlayground(view: OperationView, words: Words): string {
  const servers = callableServers(view).urls;
  const content = preferredContent(view.body?.contents ?? []);
  const isText = content === undefined || /json|xml|text|yaml|x-www-form-urlencoded/i.test(content.type);
  if (servers.length === 0 || !isText || /^(?:TRACE|OPTIONS)$/.test(view.method)) return "";
  const server = `<label><select name="server"${attributes({ "aria-label": words.server })}>${servers.map((url) => `<option${attributes({ value: url })}>${escapeHtml(url)}</option>`).join("")}</select></label>`;
  const keys = (view.security[0] ?? []).map(keyField).join("");
  const groups = PARAMETER_PLACES.filter((place) => place !== "cookie").map((place) => {
    const fields = view.parameters.filter((parameter) => parameter.place === place);
    return fields.length === 0
      ? ""
      : fieldset(words[PLACE_WORDS[place]], fields.map((field) => parameterField(field, words)).join(""));
  });
  const body =
    content === undefined
      ? ""
      : fieldset(
          words.body,
          `<label><span>${escapeHtml(content.type)}</span><textarea name="body" rows="8" spellcheck="false"${attributes({ "data-type": content.type })}>${escapeHtml(exampleCode(content.examples[0]?.value ?? ""))}</textarea></label>`,
        );
  return (
    `<details class="api-try" data-playground hidden><summary>${words.tryIt}</summary>` +
    `<form autocomplete="off"${attributes({ "data-method": view.method, "data-path": view.path, "data-prints": view.givenSamples.length === 0, "data-answered": words.answeredIn, "data-no-answer": words.noAnswer, "data-why": words.whyNoAnswer, "data-by-proxy": words.whereItGoesByProxy })}>${fieldset(words.server, server)}` +
    `${keys === "" ? "" : fieldset(words.authorization, keys)}${groups.join("")}${body}` +
    `<p class="api-try-send"><button type="submit">${words.send}</button> <span data-where>${words.whereItGoes}</span></p>` +
    `<div data-answer aria-live="polite"></div></form></details>\n`
  );
}

function fieldset(title: string, fields: string): string {
  return `<fieldset><legend>${escapeHtml(title)}</legend>${fields}</fieldset>`;
}

function keyField({ carrier, kind }: SecurityScheme): string {
  if (carrier === null || carrier.place === "cookie") return "";
  const isBasic = kind === "Basic authentication";
  const values = {
    "data-place": carrier.place,
    "data-name": carrier.name,
    "data-prefix": carrier.prefix,
    "data-basic": isBasic,
  };
  return `<label><span>${escapeHtml(carrier.name)}</span><input type="password" autocomplete="off"${attributes({ ...values, placeholder: isBasic ? "user:password" : kind })}></label>`;
}

function parameterField({ name, place, isRequired, schema, example, sent }: ParameterView, words: Words): string {
  const isList = !sent.isJson && /\[\](?: \| null)?$/.test(schema.type);
  const type = isList ? "list" : !sent.isJson && schema.type.startsWith("object") ? "object" : "text";
  const values = {
    "data-place": place,
    "data-name": name,
    "data-style": sent.style,
    "data-explode": sent.explode,
    "data-json": sent.isJson,
    "data-type": type,
    required: isRequired,
  };
  const label = `<span>${escapeHtml(name)}${isRequired ? ` <b class="field-required">${words.required}</b>` : ""}</span>`;
  if (schema.choices.length > 0 && !schema.type.endsWith("[]")) {
    const options = schema.choices.map((choice) => `<option>${escapeHtml(choice)}</option>`).join("");
    return `<label>${label}<select${attributes(values)}>${isRequired ? "" : "<option></option>"}${options}</select></label>`;
  }
  if (schema.type === "boolean") {
    const options = `<option></option><option>true</option><option>false</option>`;
    return `<label>${label}<select${attributes(values)}>${options}</select></label>`;
  }
  // The example in the description is not a default: as a value it would be sent unless the reader noticed.
  const text = scalarText(example) ?? (example === undefined || example === null ? "" : JSON.stringify(example));
  const placeholder = text === "" || text.startsWith("<") ? schema.type : text;
  return `<label>${label}<input type="text" spellcheck="false"${attributes({ ...values, placeholder })}></label>`;
}
