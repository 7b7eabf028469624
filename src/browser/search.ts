// The search dialog: results as you type, by keyboard or pointer. Everything is shown as text; nothing is parsed as
// HTML.
interface Result {
  href: string;
  page: string;
  title: string;
  heading: string | null;
  excerpt: string;
  matches: Record<"title" | "heading" | "excerpt", [number, number][]>;
}
interface Answer {
  results: Result[];
  suggestions: string[];
  indexing: boolean;
}

/** The texts of the dialog, in the language of the page. */
interface DialogWords {
  search: string;
  searchDocumentation: string;
  searchResults: string;
  resultCount: { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
  close: string;
  nothingFound: string;
  didYouMean: string;
  indexIsMade: string;
  recentSearches: string;
  typeToSearch: string;
  searchUnreachable: string;
}
const link = document.querySelector<HTMLElement>("a[data-search]");
const words = JSON.parse(link?.dataset["words"] ?? "{}") as DialogWords;
const plural = new Intl.PluralRules(document.documentElement.lang);

const KEY = "docent-searches";
const MAX_RECENT = 6;
const PAUSE_MS = 70;
const AGAIN_MS = 1_500;

let dialog: HTMLDialogElement | null = null;
let input: HTMLInputElement;
let list: HTMLElement;
let status: HTMLElement;
let active = -1;
let asking: AbortController | null = null;
let pause = 0;
// The path under which this site is mounted below another one.
const base = document.documentElement.dataset["base"] ?? "";
const address = `${base}/_docent/search`;
const answers = new Map<string, Answer>();

export function openSearch(typed = ""): void {
  dialog ??= build();
  if (dialog.open) return;
  dialog.showModal();
  input.value = typed || input.value;
  if (typed === "") input.select();
  else void search();
  if (input.value === "") showRecent();
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function build(): HTMLDialogElement {
  input = make("input", {
    type: "text",
    inputmode: "search",
    enterkeyhint: "search",
    role: "combobox",
    placeholder: words.searchDocumentation,
    "aria-label": words.searchDocumentation,
    "aria-autocomplete": "list",
    "aria-controls": "site-search-list",
    "aria-expanded": "false",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: "200",
  });
  list = make("div", { id: "site-search-list", role: "listbox", "aria-label": words.searchResults });
  status = make("p", { role: "status" });
  const close = make("button", { type: "button", "aria-label": `Esc: ${words.close}` }, "Esc");
  const built = make(
    "dialog",
    { class: "site-search", "aria-label": words.search },
    make("div", { class: "site-search-box" }, input, close),
    make("div", { class: "site-search-list" }, status, list),
  );
  close.addEventListener("click", () => built.close());
  built.addEventListener("close", () => reportSearch(null));
  addEventListener("pagehide", () => reportSearch(null));
  built.addEventListener("click", (event) => {
    if (event.target === built) built.close();
  });
  input.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => void search(), PAUSE_MS);
  });
  input.addEventListener("keydown", onKey);
  list.addEventListener("pointermove", (event) => {
    const option = (event.target as Element).closest("[role=option]");
    if (option && options()[active] !== option) activate(options().indexOf(option as HTMLElement), false);
  });
  document.body.append(built);
  return built;
}

const options = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>("[role=option]")];

function onKey(event: KeyboardEvent): void {
  const all = options();
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step !== 0 && all.length > 0) {
    event.preventDefault();
    activate((active + step + all.length) % all.length, true);
  }
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  const { ctrlKey, metaKey } = event;
  const open = () =>
    options()[Math.max(0, active)]?.dispatchEvent(
      new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey }),
    );
  // Enter right after the last letter: search for the complete query first.
  clearTimeout(pause);
  void search().then(open);
}

function activate(index: number, scrolls: boolean): void {
  active = index;
  for (const [at, option] of options().entries()) option.setAttribute("aria-selected", String(at === index));
  const option = options()[index];
  if (option) input.setAttribute("aria-activedescendant", option.id);
  else input.removeAttribute("aria-activedescendant");
  if (scrolls) option?.scrollIntoView({ block: "nearest" });
}

let shown = "";
let found = 0;
let told = "";

async function search(isAgain = false): Promise<void> {
  const query = input.value.trim();
  if (!isAgain && query === shown && list.childElementCount > 0) return;
  asking?.abort();
  if (query === "") return showRecent();
  const own = new AbortController();
  asking = own;
  try {
    const answer = answers.get(query) ?? (await ask(query, own.signal));
    if (own.signal.aborted) return;
    // The first search of a site may arrive before its index is built.
    if (answer.indexing) pause = setTimeout(() => void search(true), AGAIN_MS);
    if (answer.results.length > 0 && !answer.indexing) answers.set(query, answer);
    shown = query;
    found = answer.results.length;
    showAnswer(query, answer);
  } catch {
    if (!own.signal.aborted) show([], words.searchUnreachable);
  }
}

/** On a site without a server: the search in exported files. */
const inFiles = document.querySelector<HTMLElement>("a[data-search-files]")?.dataset["searchFiles"];

async function ask(query: string, signal: AbortSignal): Promise<Answer> {
  const { pathname } = location;
  const from = `${pathname}/`.startsWith(`${base}/`) ? pathname.slice(base.length) || "/" : pathname;
  if (inFiles !== undefined) {
    const files = (await import(inFiles)) as { findInFiles(query: string, page: string): Promise<Answer> };
    return await files.findInFiles(query, from);
  }
  const response = await fetch(`${address}?${new URLSearchParams({ q: query, from })}`, {
    headers: { Accept: "application/json" },
    signal,
  });
  if (!response.ok) throw new Error();
  return (await response.json()) as Answer;
}

function showAnswer(query: string, { results, suggestions, indexing }: Answer): void {
  if (results.length === 0) {
    const more = suggestions.length > 0 ? ` ${words.didYouMean}` : indexing ? ` ${words.indexIsMade}` : "";
    show(suggestions.map(queryOption), words.nothingFound.replace("{query}", () => query) + more);
    return;
  }
  const pages = new Map<string, Result[]>();
  for (const result of results) pages.set(result.page, [...(pages.get(result.page) ?? []), result]);
  show(
    [...pages.values()].flatMap((found) => found.map((result, at) => resultOption(query, result, at === 0))),
    "",
  );
  status.textContent = (words.resultCount[plural.select(results.length)] ?? words.resultCount.other).replace(
    "{count}",
    String(results.length),
  );
  activate(0, false);
}

function showRecent(): void {
  shown = "";
  const recent = readRecent();
  show(recent.map(queryOption), recent.length > 0 ? words.recentSearches : words.typeToSearch);
}

function show(items: HTMLElement[], message: string): void {
  for (const [index, item] of items.entries()) item.id = `site-search-${index}`;
  list.replaceChildren(...items);
  list.parentElement!.scrollTop = 0;
  status.textContent = message;
  input.setAttribute("aria-expanded", String(items.length > 0));
  activate(-1, false);
}

/** A suggested query: a recent one, or one that has results. */
function queryOption(query: string): HTMLElement {
  const option = make(
    "a",
    { role: "option", href: `${address}?${new URLSearchParams({ q: query })}`, tabindex: "-1" },
    query,
  );
  option.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.value = query;
    input.focus();
    void search();
  });
  return option;
}

/**
 * `isFirst`: the first result of its page. Results of a page are grouped; the others follow without the page's title.
 */
function resultOption(query: string, result: Result, isFirst: boolean): HTMLElement {
  const { title, heading, excerpt, matches, href } = result;
  const option = make(
    "a",
    { role: "option", href, tabindex: "-1", ...(isFirst ? {} : { class: "is-more" }) },
    make("b", {}, ...marked(heading ?? title, heading === null ? matches.title : matches.heading)),
  );
  if (isFirst && heading !== null) option.append(make("span", {}, ...marked(title, matches.title)));
  option.append(make("small", {}, ...marked(excerpt, matches.excerpt)));
  option.addEventListener("click", (event) => {
    keepRecent(query);
    reportSearch(result.page);
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) dialog?.close();
  });
  return option;
}

function marked(text: string, matches: readonly [number, number][]): (Node | string)[] {
  let done = 0;
  const parts: (Node | string)[] = [];
  for (const [start, end] of matches) {
    parts.push(text.slice(done, start), make("mark", {}, text.slice(start, end)));
    done = end;
  }
  return [...parts, text.slice(done)];
}

/** Reports once what was searched for, found and opened, when the reader is done; nothing identifies the reader. */
function reportSearch(page: string | null): void {
  if (shown.length < 2 || shown === told || inFiles !== undefined) return;
  told = shown;
  try {
    if (localStorage.getItem("docent-do-not-count") !== null) return;
  } catch {
    // Storage is unavailable in this browser.
  }
  const fields = new URLSearchParams({ q: shown, results: `${found}`, ...(page === null ? {} : { page }) });
  navigator.sendBeacon?.(`${address}?${fields}`);
}

function readRecent(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, MAX_RECENT) : [];
  } catch {
    return []; // nothing stored, or not by us
  }
}

function keepRecent(query: string): void {
  try {
    const others = readRecent().filter((each) => each !== query);
    localStorage.setItem(KEY, JSON.stringify([query, ...others].slice(0, MAX_RECENT)));
  } catch {
    // Not stored then.
  }
}
