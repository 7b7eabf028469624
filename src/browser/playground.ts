// Sends the request of an API page from the reader's browser, or through the site's own server where the site enables
// that. Nothing that is entered is stored or sent elsewhere: the page's policy allows requests to the servers in the
// API description only, or to its own server only.
import { enteredValue, headerValue, pathValue, queryValues, type ValueStyle } from "#lib/parameter-values.ts";

const MAX_SHOWN = 200_000;
const TIMEOUT_MS = 60_000;

const proxyAddress = document.querySelector<HTMLScriptElement>("script[data-api-proxy]")?.dataset["apiProxy"];
const base = document.documentElement.dataset["base"] ?? "";

/** The proxy's error for a request that got no response. */
class NoAnswer extends Error {}

type Field = HTMLInputElement | HTMLSelectElement;

interface Entered {
  name: string;
  value: ReturnType<typeof enteredValue>;
  style: ValueStyle;
}

/**
 * `forReading` leaves the key out, as printed requests may be copied, and fills empty path parameters with examples.
 */
function fieldsOf(form: HTMLFormElement, place: string, forReading: boolean): Entered[] {
  const found: Entered[] = [];
  for (const field of form.querySelectorAll<Field>(`[data-place="${place}"]`)) {
    const { name = "", prefix = "", basic, style = "", explode, json, type = "text" } = field.dataset;
    const add = (text: string) => {
      const value = enteredValue(text, type as "list" | "object" | "text");
      const isJson = json !== undefined && !isJsonText(text);
      found.push({ name, value, style: { style, explode: explode !== undefined, isJson } });
    };
    if (forReading && field.type === "password") {
      add(`${prefix}<${basic === undefined ? "token" : "credentials"}>`);
      continue;
    }
    const example = forReading && place === "path" && "placeholder" in field ? field.placeholder : "";
    if (field.value === "" && example !== "") add(example);
    if (field.value === "") continue;
    // btoa throws on characters beyond Latin-1, so the UTF-8 bytes are encoded.
    const value = basic === undefined ? field.value : btoa(unescaped(field.value));
    add(prefix !== "" && value.startsWith(prefix) ? value : prefix + value);
  }
  return found;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function unescaped(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte)).join("");
}

function addressOf(form: HTMLFormElement, forReading: boolean): string {
  let path = form.dataset["path"] ?? "";
  for (const { name, value, style } of fieldsOf(form, "path", forReading)) {
    path = path.replaceAll(`{${name}}`, () => pathValue(name, value, style));
  }
  const query = fieldsOf(form, "query", forReading)
    .flatMap(({ name, value, style }) => queryValues(name, value, style))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const server = (form.elements.namedItem("server") as HTMLSelectElement).value;
  return server + path + (query.length > 0 ? `?${query.join("&")}` : "");
}

interface Call {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

interface Answered {
  status: number;
  statusText: string;
  text: string;
}

function callOf(form: HTMLFormElement, forReading = false): Call {
  const method = form.dataset["method"] ?? "GET";
  const field = form.elements.namedItem("body") as HTMLTextAreaElement | null;
  const hasBody = field !== null && method !== "GET" && method !== "HEAD";
  const headers: Record<string, string> = {};
  for (const { name, value, style } of fieldsOf(form, "header", forReading)) headers[name] = headerValue(value, style);
  if (hasBody) headers["Content-Type"] = field.dataset["type"] ?? "application/json";
  return { url: addressOf(form, forReading), method, headers, body: hasBody ? field.value : null };
}

/** The request as a curl command, with the values entered so far. */
function curlOf({ url, method, headers, body }: Call): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl ${quoted(url)}`,
    ...(method === "GET" ? [] : [`--request ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data ${quoted(body)}`]),
  ].join(" \\\n  ");
}

async function sendDirectly({ url, ...call }: Call): Promise<Answered> {
  const response = await fetch(url, {
    ...call,
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { status, statusText } = response;
  return { status, statusText, text: await response.text() };
}

async function sendByProxy({ url, headers, body }: Call, proxy: string): Promise<Answered> {
  const response = await fetch(base + proxy, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ page: location.pathname, url: new URL(url).href, headers, body }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const told = (await response.json()) as Answered & { error?: string; location?: string | null };
  if (told.error !== undefined) throw new NoAnswer(told.error);
  return told.location ? { ...told, text: `Location: ${told.location}\n\n${told.text}` } : told;
}

async function send(form: HTMLFormElement): Promise<{ status: string; text: string }> {
  const startedAt = performance.now();
  const call = callOf(form);
  const { status, statusText, text } = await (proxyAddress ? sendByProxy(call, proxyAddress) : sendDirectly(call));
  const took = String(Math.round(performance.now() - startedAt));
  const line = (form.dataset["answered"] ?? "")
    .replace("{milliseconds}", took)
    .replace("{status}", () => `${status} ${statusText}`);
  return { status: line, text: readable(text.slice(0, MAX_SHOWN)) };
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(form: HTMLFormElement, status: string, text: string): void {
  const line = document.createElement("p");
  line.className = "api-try-status";
  line.textContent = status;
  const block = document.createElement("pre");
  block.tabIndex = 0;
  block.textContent = text;
  form.querySelector("[data-answer]")?.replaceChildren(line, ...(text === "" ? [] : [block]));
}

function whyNot(error: unknown, why: string): string {
  if (error instanceof NoAnswer) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return proxyAddress ? message : `${message}\n${why}`;
}

for (const playground of document.querySelectorAll<HTMLElement>("[data-playground]")) {
  const form = playground.querySelector("form");
  const button = form?.querySelector("button");
  if (!form || !button) continue;
  const where = form.querySelector("[data-where]");
  if (where && proxyAddress) where.textContent = form.dataset["byProxy"] ?? "";
  playground.hidden = false;
  const printed = document.querySelector('.request-example [data-tab="cURL"] + label + .tab-panel pre code');
  if (printed && form.dataset["prints"] !== undefined) {
    form.addEventListener("input", () => {
      printed.textContent = curlOf(callOf(form, true));
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    send(form)
      .then(
        ({ status, text }) => show(form, status, text),
        (error: unknown) => show(form, form.dataset["noAnswer"] ?? "", whyNot(error, form.dataset["why"] ?? "")),
      )
      .finally(() => {
        button.disabled = false;
      });
  });
}
