// Sends the request of an API page from the reader's browser. Nothing that is entered is kept or goes elsewhere: the
// page's policy lets requests reach the servers that the API's description names, and no others.
const MAX_SHOWN = 200_000;
const TIMEOUT_MS = 60_000;

type Field = HTMLInputElement | HTMLSelectElement;

function fieldsOf(form: HTMLFormElement, place: string): { name: string; value: string }[] {
  const found: { name: string; value: string }[] = [];
  for (const field of form.querySelectorAll<Field>(`[data-place="${place}"]`)) {
    const { name = "", prefix = "", basic } = field.dataset;
    if (field.value === "") continue;
    // A letter beyond Latin would throw in btoa: its bytes are encoded.
    const value = basic === undefined ? field.value : btoa(unescaped(field.value));
    found.push({ name, value: prefix !== "" && value.startsWith(prefix) ? value : prefix + value });
  }
  return found;
}

function unescaped(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte)).join("");
}

function addressOf(form: HTMLFormElement): string {
  let path = form.dataset["path"] ?? "";
  for (const { name, value } of fieldsOf(form, "path")) {
    path = path.replaceAll(`{${name}}`, () => encodeURIComponent(value));
  }
  const query = fieldsOf(form, "query").map(
    ({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const server = (form.elements.namedItem("server") as HTMLSelectElement).value;
  return server + path + (query.length > 0 ? `?${query.join("&")}` : "");
}

async function send(form: HTMLFormElement): Promise<{ status: string; text: string }> {
  const method = form.dataset["method"] ?? "GET";
  const body = form.elements.namedItem("body") as HTMLTextAreaElement | null;
  const hasBody = body !== null && method !== "GET" && method !== "HEAD";
  const headers = new Headers();
  for (const { name, value } of fieldsOf(form, "header")) headers.set(name, value);
  if (hasBody) headers.set("Content-Type", body.dataset["type"] ?? "application/json");
  const startedAt = performance.now();
  const response = await fetch(addressOf(form), {
    method,
    headers,
    body: hasBody ? body.value : null,
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = (await response.text()).slice(0, MAX_SHOWN);
  const took = String(Math.round(performance.now() - startedAt));
  const status = (form.dataset["answered"] ?? "")
    .replace("{milliseconds}", took)
    .replace("{status}", () => `${response.status} ${response.statusText}`);
  return { status, text: readable(text) };
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

for (const playground of document.querySelectorAll<HTMLElement>("[data-playground]")) {
  const form = playground.querySelector("form");
  const button = form?.querySelector("button");
  if (!form || !button) continue;
  playground.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    send(form)
      .then(
        ({ status, text }) => show(form, status, text),
        (error: unknown) =>
          show(
            form,
            form.dataset["noAnswer"] ?? "",
            `${error instanceof Error ? error.message : String(error)}\n${form.dataset["why"]}`,
          ),
      )
      .finally(() => {
        button.disabled = false;
      });
  });
}

export {};
