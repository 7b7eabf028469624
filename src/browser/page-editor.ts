// The editor of a page: keeps what is typed in this browser, shows a preview while typing, and leads to lines with problems.
(() => {
  const PAUSE_MS = 700;
  const KEEP_MS = 300;
  const MAX_KEPT = 2;
  const PREFIX = "docent:edit:";
  const SENT = "docent:sent";

  interface Kept {
    text: string;
    base: string;
    title: string;
    description: string;
    at: number;
  }

  const form = document.querySelector<HTMLFormElement>("form[data-editor]");
  const key = form === null ? null : PREFIX + form.dataset["editor"];
  // A draft is dropped when its change has arrived: the page after it is a pull request, or says that there is one.
  const sent = sessionStorage.getItem(SENT);
  if (
    sent !== null &&
    (key !== null || /\/pull\/\d+$/.test(location.pathname) || location.search.includes("proposed="))
  ) {
    if (sent !== key) localStorage.removeItem(sent);
    sessionStorage.removeItem(SENT);
  }
  // A page that the browser has kept runs no script again: its form did not arrive.
  addEventListener("pageshow", ({ persisted }) => persisted && sessionStorage.removeItem(SENT));
  if (form === null || key === null) return;

  const named = (name: string) => form.elements.namedItem(name);
  const area = named("text") as HTMLTextAreaElement;
  const fields = {
    base: named("base") as HTMLInputElement,
    title: named("title") as HTMLInputElement,
    description: named("description") as HTMLTextAreaElement,
  };

  // What is typed is kept until it is sent. Up to two drafts: the one that was found, and the new one.
  const note = form.querySelector<HTMLElement>(".kept")!;
  let own: Kept | null = null;
  const read = (): Kept[] => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "[]") as Kept[];
    } catch {
      return [];
    }
  };
  const isUnsaved = form.dataset["unsaved"] !== undefined;
  const found = read().filter(({ text }) => text !== area.value);

  function keep(): void {
    const all = [...(own === null ? [] : [own]), ...found].slice(0, MAX_KEPT);
    try {
      if (all.length === 0) localStorage.removeItem(key!);
      else localStorage.setItem(key!, JSON.stringify(all));
    } catch {
      note.hidden = false;
      note.textContent = "This browser keeps no drafts: what you type is lost if the page is closed.";
    }
  }
  const now = (): Kept => ({
    text: area.value,
    base: fields.base.value,
    title: fields.title.value,
    description: fields.description.value,
    at: Date.now(),
  });

  function offer(): void {
    const [first] = found;
    note.hidden = first === undefined;
    if (first === undefined) return;
    const at = new Date(first.at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    note.querySelector("span")!.textContent = `This browser has text of ${at} that was not sent.`;
  }
  (named("restore") as HTMLButtonElement).addEventListener("click", () => {
    const draft = found.shift();
    if (!draft) return;
    area.value = draft.text;
    fields.base.value = draft.base;
    fields.title.value = draft.title;
    fields.description.value = draft.description;
    own = draft;
    keep();
    offer();
    later(0);
    area.focus();
  });
  (named("discard") as HTMLButtonElement).addEventListener("click", () => {
    found.shift();
    keep();
    offer();
    area.focus();
  });
  offer();
  if (isUnsaved) own = now();
  keep();

  // A new frame for each preview: the first page of a frame adds nothing to the history of the window.
  const seen = form.querySelector<HTMLElement>(".seen")!;
  const button = form.querySelector<HTMLButtonElement>("button[value=preview]")!;
  const problems = form.querySelector<HTMLElement>(".draft-problems")!;
  let count = 0;
  let asking = new AbortController();
  let shownText = isUnsaved ? null : area.value;

  function preview(): void {
    if (area.value === shownText) return;
    shownText = area.value;
    const [old] = seen.querySelectorAll("iframe");
    for (const waiting of seen.querySelectorAll("iframe.next")) if (waiting !== old) waiting.remove();
    const frame = document.createElement("iframe");
    count += 1;
    frame.name = `preview-${count}`;
    frame.title = old?.title ?? "Preview";
    frame.setAttribute("sandbox", "allow-same-origin");
    frame.className = "next";
    seen.append(frame);
    frame.addEventListener("load", () => {
      if (frame.contentWindow?.location.href === "about:blank") return;
      const top = old?.contentWindow?.scrollY ?? 0;
      frame.contentWindow?.scrollTo({ top, behavior: "instant" });
      frame.className = "";
      for (const other of seen.querySelectorAll("iframe"))
        if (other !== frame && other !== frame.nextElementSibling) other.remove();
      seen.removeAttribute("aria-busy");
    });
    seen.setAttribute("aria-busy", "true");
    button.formTarget = frame.name;
    form!.requestSubmit(button);
    findProblems().catch((error: unknown) => {
      if ((error as Error).name !== "AbortError") problems.textContent = "The page could not be checked now.";
    });
  }

  async function findProblems(): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const body = new FormData(form!);
    body.set("do", "problems");
    const answer = await fetch(form!.action, { method: "POST", body, signal: asking.signal });
    const text = await answer.text();
    if (answer.redirected || answer.status === 403) {
      problems.textContent = "You are signed out. Your text is kept in this browser: reload the page to sign in.";
    } else if (answer.ok) {
      problems.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
    } else problems.textContent = text;
  }

  let waiting: ReturnType<typeof setTimeout> | undefined;
  function later(ms: number): void {
    clearTimeout(waiting);
    waiting = setTimeout(preview, ms);
  }
  let keeping: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "radio") return;
    clearTimeout(keeping);
    keeping = setTimeout(() => {
      own = now();
      keep();
    }, KEEP_MS);
    if (target === area) later(PAUSE_MS);
  });
  form.addEventListener("submit", ({ submitter }) => {
    if (submitter === button) return;
    own = now();
    keep();
    sessionStorage.setItem(SENT, key);
  });
  form.classList.add("live");

  /** Selects a line and scrolls to it, where lines may be wrapped. */
  function goTo(line: number): void {
    const lines = area.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const whole = area.value;
    area.value = whole.slice(0, start);
    area.scrollTop = area.scrollHeight;
    const top = area.scrollTop;
    area.value = whole;
    area.scrollTop = top === 0 ? 0 : top + area.clientHeight / 2;
    area.focus({ preventScroll: true });
    area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }
  form.addEventListener("click", ({ target }) => {
    const chosen = target instanceof HTMLElement ? target.dataset["line"] : undefined;
    if (chosen === undefined || target === form) return;
    form.querySelector<HTMLInputElement>(".to-source")!.checked = true;
    goTo(Number(chosen));
  });
  if (area.autofocus) area.setSelectionRange(area.value.length, area.value.length);
  const line = Number(form.dataset["line"] ?? 0);
  if (line > 0) goTo(line);
  if (isUnsaved) preview();
  else findProblems().catch(() => undefined);
})();
