import type { Json } from "#docs/json-document.ts";
import type { ContentView } from "./operation-parts.ts";
import type { OperationView } from "./operation-view.ts";
import { headerValue, pathValue, queryValues } from "#lib/parameter-values.ts";

/** A request as code samples show it. */
export interface SampleRequest {
  method: string;
  url: string;
  headers: readonly { name: string; value: string }[];
  body: { type: string; value: Json } | null;
}

/** A first request for readers: required fields only, with examples, to the first server. */
export function sampleRequest(view: OperationView): SampleRequest {
  const headers: { name: string; value: string }[] = [];
  const query: [string, string][] = [];
  const cookies: string[] = [];
  let path = view.path;
  for (const parameter of view.parameters) {
    const { name, place, example, sent } = parameter;
    if (example === undefined || example === null) continue;
    if (place === "path") {
      const isMadeUp = typeof example === "string" && example.startsWith("<");
      if (!isMadeUp) path = path.replaceAll(`{${name}}`, () => pathValue(name, example, sent));
    } else if (!parameter.isRequired && place !== "query") continue;
    else if (place === "query") query.push(...queryValues(name, example, sent));
    else if (place === "header") headers.push({ name, value: headerValue(example, sent) });
    else cookies.push(...queryValues(name, example, sent).map(([key, value]) => `${key}=${value}`));
  }
  for (const { carrier, kind } of view.security[0] ?? []) {
    if (carrier === null) continue;
    const value = `${carrier.prefix}<${kind === "API key" ? "api-key" : kind === "Basic authentication" ? "credentials" : "token"}>`;
    if (carrier.place === "query") query.push([carrier.name, value]);
    else if (carrier.place === "cookie") cookies.push(`${carrier.name}=${value}`);
    else headers.push({ name: carrier.name, value });
  }
  if (cookies.length > 0) headers.push({ name: "Cookie", value: cookies.join("; ") });
  const content = preferredContent(view.body?.contents ?? []);
  const body = content === undefined ? null : { type: content.type, value: content.examples[0]?.value ?? null };
  if (body !== null) headers.push({ name: "Content-Type", value: body.type });
  const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  const base = view.servers[0]?.url ?? "";
  const origin = /^https?:\/\//i.test(base) ? base : `https://api.example.com${base}`;
  return { method: view.method, url: `${origin}${path}${search === "" ? "" : `?${search}`}`, headers, body };
}

/** Which of several content types examples show: JSON if there is one. */
export function preferredContent<Content extends Pick<ContentView, "type">>(
  contents: readonly Content[],
): Content | undefined {
  return contents.find(({ type }) => /[/+]json\b/i.test(type)) ?? contents[0];
}
