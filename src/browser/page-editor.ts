// The editor of a page: keeps what is typed in this browser, shows a preview while typing, and leads to lines with problems.
(() => {
  const PAUSE_MS = 400;
  const PATIENCE_MS = 500;
  const KEEP_MS = 300;
  const MAX_KEPT = 5;
  const PREFIX = "docent:edit:";
  const SENT = "docent:sent";

  interface Kept {
    /** Two tabs with one file have a draft each. */
    id: string;
    text: string;
    base: string;
    title: string;
    description: string;
    at: number;
  }

  const readKept = (key: string): Kept[] => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "[]") as Kept[];
    } catch {
      return [];
    }
  };
  function writeKept(key: string, drafts: readonly Kept[]): void {
    if (drafts.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(drafts));
  }

  // The server names the draft in the address it redirects to: only then has the change arrived.
  const arrived = /^#sent=(\w+)$/.exec(location.hash)?.[1];
  if (arrived !== undefined) {
    history.replaceState(history.state, "", location.pathname + location.search);
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      const drafts = readKept(key);
      const left = drafts.filter(({ id }) => id !== arrived);
      if (left.length < drafts.length) writeKept(key, left);
    }
  }
  const form = document.querySelector<HTMLFormElement>("form[data-editor]");
  if (form === null) return;
  const key = PREFIX + form.dataset["editor"];

  const named = (name: string) => form.elements.namedItem(name);
  const area = named("text") as HTMLTextAreaElement;
  const fields = {
    base: named("base") as HTMLInputElement,
    title: named("title") as HTMLInputElement,
    description: named("description") as HTMLTextAreaElement,
  };

  // A form that comes back, refused or with two changes combined, goes on with the draft that was sent.
  const isUnsaved = form.dataset["unsaved"] !== undefined;
  const sent = sessionStorage.getItem(SENT)?.split(" ") ?? [];
  const isBack = isUnsaved && sent.slice(1).join(" ") === key;
  const ownId = (isBack && sent[0]) || Date.now().toString(36) + Math.random().toString(36).slice(2);
  const note = form.querySelector<HTMLElement>(".kept")!;
  let found = readKept(key).filter(({ id, text }) => id !== ownId && text !== area.value);

  /** Writes what is in the form as this tab's draft, and drops another one. Reads first: other tabs write too. */
  function keep(dropped?: Kept): void {
    const now = {
      id: ownId,
      text: area.value,
      base: fields.base.value,
      title: fields.title.value,
      description: fields.description.value,
      at: Date.now(),
    };
    const others = readKept(key).filter(({ id }) => id !== ownId && id !== dropped?.id);
    const notKept = form!.querySelector<HTMLElement>(".not-kept")!;
    try {
      writeKept(key, [now, ...others].slice(0, MAX_KEPT));
      notKept.hidden = true;
    } catch {
      notKept.hidden = false;
    }
  }

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
    replaceText(draft.text);
    fields.base.value = draft.base;
    fields.title.value = draft.title;
    fields.description.value = draft.description;
    keep(draft);
    offer();
    later(0);
  });
  (named("discard") as HTMLButtonElement).addEventListener("click", () => {
    const draft = found.shift();
    writeKept(
      key,
      readKept(key).filter(({ id }) => id !== draft?.id),
    );
    offer();
    area.focus();
  });
  addEventListener("storage", (event) => {
    if (event.key !== key) return;
    const ids = new Set(readKept(key).map(({ id }) => id));
    found = found.filter(({ id }) => ids.has(id));
    offer();
  });

  /** Replaces the whole text as typing would, so that it can be undone. A hidden text area takes no typing. */
  function replaceText(text: string): void {
    area.focus();
    area.select();
    const command = text === "" ? "delete" : "insertText";
    // Deprecated, but nothing else keeps the history of a text area.
    if (document.activeElement !== area || !document.execCommand(command, false, text)) area.value = text;
    area.setSelectionRange(0, 0);
    area.scrollTop = 0;
  }

  // A new frame for each preview: the first page of a frame adds nothing to the history of the window.
  const seen = form.querySelector<HTMLElement>(".seen")!;
  const state = seen.querySelector<HTMLElement>(".preview-state")!;
  const button = form.querySelector<HTMLButtonElement>("button[value=preview]")!;
  const problems = form.querySelector<HTMLElement>(".draft-problems")!;
  let count = 0;
  let asking = new AbortController();
  // The preview of a file as it is comes with the page.
  let shownText = seen.querySelector("iframe[src]") === null ? null : area.value;
  let tookMs = 0;
  let slow: ReturnType<typeof setTimeout> | undefined;

  function say(words: string): void {
    clearTimeout(slow);
    state.textContent = words;
    state.hidden = words === "";
  }

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
    const begunAt = performance.now();
    frame.addEventListener("load", () => {
      const place = placeOf(frame);
      if (place?.href === "about:blank") return;
      tookMs = performance.now() - begunAt;
      seen.removeAttribute("aria-busy");
      const answer = frame.contentDocument;
      const refusal = answer?.contentType === "text/plain" ? answer.body.textContent : null;
      if (refusal !== null || place?.pathname !== new URL(form!.action).pathname) {
        frame.remove();
        shownText = null;
        void reason.then((words) =>
          say(refusal ?? `The preview could not be made: ${words ?? "the server did not answer"}.`),
        );
        return;
      }
      say("");
      leadOut(frame);
      const top = old?.contentWindow?.scrollY ?? 0;
      frame.contentWindow?.scrollTo({ top, behavior: "instant" });
      frame.className = "";
      for (const other of seen.querySelectorAll("iframe"))
        if (other !== frame && other !== frame.nextElementSibling) other.remove();
    });
    seen.setAttribute("aria-busy", "true");
    clearTimeout(slow);
    slow = setTimeout(say, PATIENCE_MS, "Making the preview…");
    button.formTarget = frame.name;
    form!.requestSubmit(button);
    const reason = findProblems();
  }

  /** Null for a page of the browser, such as that of a lost connection, which cannot be read. */
  function placeOf({ contentWindow }: HTMLIFrameElement): Location | null {
    try {
      return contentWindow?.location.href === undefined ? null : contentWindow.location;
    } catch {
      return null;
    }
  }

  /** Opens links to other pages in a new tab: the frame has no way back to the draft. */
  function leadOut(frame: HTMLIFrameElement): void {
    frame.contentDocument?.addEventListener("click", (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
      if (link === null || link.getAttribute("href")!.startsWith("#")) return;
      event.preventDefault();
      open(link.href, "_blank", "noopener");
    });
  }

  /** Shows the problems of the draft. Resolves to why they could not be found; null if they were. */
  async function findProblems(): Promise<string | null> {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const body = new FormData(form!);
    body.set("do", "problems");
    try {
      const answer = await fetch(form!.action, { method: "POST", body, signal });
      const text = await answer.text();
      if (answer.redirected || answer.status === 403) {
        problems.textContent = "You are signed out. Your text is kept in this browser: reload the page to sign in.";
        return "you are signed out";
      }
      if (answer.ok) problems.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
      else problems.textContent = text;
      return null;
    } catch {
      if (signal.aborted) return null;
      problems.textContent = "The page could not be checked. Your text is kept in this browser.";
      return "there is no connection to the server";
    }
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
    keeping = setTimeout(keep, KEEP_MS);
    // A page that takes long is requested less often.
    if (target === area) later(Math.max(PAUSE_MS, tookMs));
  });
  form.addEventListener("submit", ({ submitter }) => {
    if (submitter === button) return;
    clearTimeout(keeping);
    keep();
    (named("draft") as HTMLInputElement).value = ownId;
    sessionStorage.setItem(SENT, `${ownId} ${key}`);
  });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    // In other text areas it sends the form, but a change of a page has a title to be read first.
    event.stopPropagation();
    fields.title.select();
  });
  addEventListener("online", () => later(0));
  form.classList.add("live");

  /** Selects a line and scrolls to it. Lines may be wrapped, so a hidden copy of the text above it is measured. */
  function goTo(line: number): void {
    const lines = area.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const copy = area.cloneNode() as HTMLTextAreaElement;
    copy.removeAttribute("name");
    copy.style.cssText = `position: absolute; visibility: hidden; height: 0; width: ${area.offsetWidth}px`;
    area.after(copy);
    copy.value = area.value.slice(0, start);
    const bottom = copy.scrollHeight;
    copy.remove();
    area.scrollTop = bottom - area.clientHeight / 2;
    area.focus({ preventScroll: true });
    area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }
  form.addEventListener("click", ({ target }) => {
    const chosen = target instanceof HTMLElement ? target.dataset["line"] : undefined;
    if (chosen === undefined || target === form) return;
    form.querySelector<HTMLInputElement>(".to-source")!.checked = true;
    goTo(Number(chosen));
  });

  offer();
  if (isUnsaved) keep();
  if (area.autofocus) area.setSelectionRange(area.value.length, area.value.length);
  const line = Number(form.dataset["line"] ?? 0);
  if (line > 0) goTo(line);
  const first = seen.querySelector("iframe")!;
  first.addEventListener("load", () => placeOf(first) && leadOut(first));
  if (placeOf(first)) leadOut(first);
  if (shownText === null) preview();
  else void findProblems();
})();
