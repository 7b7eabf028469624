// What the dashboard does beyond links and forms: copying, and showing progress live. Everything works without it.
(() => {
  const COALESCE_MS = 250;
  const RETRY_MS = 3_000;
  const TRY_MS = 600;
  const main = document.querySelector("main");
  const stream = main?.dataset["stream"];
  const refreshSeconds = Number(main?.dataset["refresh"] ?? 0);
  const regionsOf = (page: Document) => [...page.querySelectorAll<HTMLElement>("[data-live][id]")];
  // The HTML from the server: a region that the reader has opened since is not a reason to replace it.
  const shown = new Map(regionsOf(document).map((region) => [region.id, region.outerHTML]));

  /** Replaces the regions that changed in a newer page; new ones are appended to the parent of the same id. */
  function show(next: Document): void {
    const regions = regionsOf(next);
    const isAtEnd = innerHeight + scrollY >= document.body.scrollHeight - 60;
    const present = new Set(regions.map((region) => region.id));
    for (const region of regionsOf(document)) if (!present.has(region.id)) region.remove();
    for (const region of regions) {
      const markup = region.outerHTML;
      if (shown.get(region.id) === markup) continue;
      shown.set(region.id, markup);
      const here = document.getElementById(region.id);
      const parent = document.getElementById(region.parentElement?.id ?? "");
      if (here) here.replaceWith(document.adoptNode(region));
      else parent?.append(document.adoptNode(region));
    }
    document.title = next.title;
    offerCopies();
    dispatchEvent(new Event("docent:shown"));
    if (isAtEnd) scrollTo({ top: document.body.scrollHeight });
  }

  /** Reloads the page; true while the work continues. */
  async function refresh(): Promise<boolean> {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.redirected) location.reload(); // signed out
    if (!answer.ok) return true;
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    show(next);
    const { stream: following, refresh: polling } = next.querySelector("main")?.dataset ?? {};
    return following !== undefined || polling !== undefined;
  }

  function poll(everyMs: number): void {
    setTimeout(() => {
      if (document.visibilityState !== "visible") return poll(everyMs);
      refresh().then(
        (isMore) => isMore && poll(everyMs),
        () => poll(everyMs),
      );
    }, everyMs);
  }

  function follow(address: string): void {
    const source = new EventSource(address);
    let isWaiting = false;
    const later = () => {
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        refresh().catch(() => undefined); // the next event tries again
      }, COALESCE_MS);
    };
    // What the model writes just now is shown until the transcript has it.
    const answer = document.querySelector<HTMLElement>("[data-answer]");
    source.addEventListener("answer", ({ data }: MessageEvent<string>) => {
      if (!answer) return;
      const { text, tool } = JSON.parse(data) as { text: string; tool: string | null };
      const isAtEnd = innerHeight + scrollY >= document.body.scrollHeight - 60;
      const [status, words] = answer.children;
      status!.textContent =
        tool === null ? (text === "" ? "Thinking…" : "Writing…") : `Calling ${tool.replaceAll("_", " ")}…`;
      words!.textContent = text;
      answer.hidden = false;
      if (isAtEnd) scrollTo({ top: document.body.scrollHeight });
    });
    source.addEventListener("change", () => {
      if (answer) answer.hidden = true;
      later();
    });
    source.addEventListener("done", () => {
      source.close();
      if (answer) answer.hidden = true;
      later();
    });
    source.addEventListener("error", () => {
      // The browser reopens a broken connection, but not a refused one.
      if (source.readyState === EventSource.CLOSED) poll(RETRY_MS);
    });
  }

  const offerCopies = () => {
    for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
      button.hidden = navigator.clipboard === undefined;
    }
  };
  addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>("button[data-copy]") : null;
    if (!button) return;
    const showCopied = (text: string) => {
      button.textContent = text;
      setTimeout(() => (button.textContent = "Copy"), 1_500);
    };
    const text = document.getElementById(button.dataset["copy"] ?? "")?.textContent ?? "";
    navigator.clipboard.writeText(text).then(
      () => showCopied("Copied"),
      () => showCopied("Not copied"),
    );
  });
  // A narrow screen scrolls the navigation sideways.
  for (const here of document.querySelectorAll(".sections [aria-current], .tabs [aria-current]"))
    here.parentElement!.scrollLeft = (here as HTMLElement).offsetLeft - innerWidth / 3;
  addEventListener("keydown", (event) => {
    const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (isSend && event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
  });
  // A second press while the first request is in flight would do the thing twice. A long request shows that it is still
  // working.
  const WORKING_MS = 1_500;
  let working: ReturnType<typeof setTimeout> | undefined;
  addEventListener("submit", (event) => {
    // A button whose result opens in a frame can be pressed again.
    if (event.submitter?.hasAttribute("formtarget")) return;
    const { dataset } = event.target as HTMLFormElement;
    if (dataset["sent"] !== undefined) event.preventDefault();
    dataset["sent"] = "";
    const button = event.submitter;
    if (event.defaultPrevented || !(button instanceof HTMLButtonElement)) return;
    clearTimeout(working);
    working = setTimeout(() => {
      const note = document.createElement("span");
      note.className = "working muted";
      note.setAttribute("role", "status");
      note.textContent = "Working… ";
      const time = note.appendChild(document.createElement("span"));
      time.setAttribute("aria-hidden", "true"); // otherwise each second would be read out
      button.before(note);
      const started = Date.now() - WORKING_MS;
      const showElapsed = () => {
        time.textContent = `${Math.round((Date.now() - started) / 1_000)} s`;
        working = setTimeout(showElapsed, 1_000);
      };
      showElapsed();
    }, WORKING_MS);
  });
  addEventListener("pageshow", () => {
    clearTimeout(working);
    for (const form of document.forms) delete form.dataset["sent"];
    for (const note of document.querySelectorAll(".working")) note.remove();
  });

  // A form that can be tested is tested while it is filled in. Without this, its button does it.
  const tried = document.querySelector<HTMLFormElement>("form[data-trial]");
  let trying = new AbortController();
  async function tryForm(form: HTMLFormElement, here: HTMLElement): Promise<void> {
    trying.abort();
    trying = new AbortController();
    const { signal } = trying;
    // The result on screen belongs to other field values.
    here.setAttribute("aria-busy", "true");
    await new Promise((resolve) => setTimeout(resolve, TRY_MS));
    if (signal.aborted) return;
    if (!form.checkValidity()) {
      here.replaceChildren();
      here.removeAttribute("aria-busy");
      return;
    }
    const fields = [...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : ""]);
    const body = new URLSearchParams([["do", "try"], ...fields]);
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" }, signal });
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("trial");
    if (signal.aborted) return;
    if (next) here.replaceWith(document.adoptNode(next));
    else throw new Error(`answer ${answer.status}`);
  }
  tried?.addEventListener("input", () => {
    const here = document.getElementById("trial");
    if (!here) return;
    tryForm(tried, here).catch((error: unknown) => {
      if ((error as Error).name === "AbortError") return;
      here.removeAttribute("aria-busy");
      here.textContent = "This could not be tried now. Press Try, or change the form.";
    });
  });
  // The form below belongs to one chore: another chore has other fields.
  document.querySelector<HTMLFormElement>("form[data-choose]")?.addEventListener("change", (event) => {
    (event.currentTarget as HTMLFormElement).requestSubmit();
  });

  // Files that the server would ignore in a folder are not sent: they may be most of it.
  for (const input of document.querySelectorAll<HTMLInputElement>("input[webkitdirectory]")) {
    input.addEventListener("change", () => {
      const kept = new DataTransfer();
      for (const file of input.files ?? []) {
        if (!/(?:^|\/)(?:\.git|node_modules)\//.test(file.webkitRelativePath)) kept.items.add(file);
      }
      input.files = kept.files;
    });
  }

  // Checked before sending: an upload that the server refuses takes minutes, and the form is lost.
  for (const input of document.querySelectorAll<HTMLInputElement>("input[data-max-bytes]")) {
    input.addEventListener("change", () => {
      const most = Number(input.dataset["maxBytes"]);
      const megabytes = (bytes: number) => Number((bytes / 1024 / 1024).toFixed(1));
      const size = [...(input.files ?? [])].reduce((sum, file) => sum + file.size, 0);
      const problem = `These are ${megabytes(size)} MB. At most ${megabytes(most)} MB can be uploaded.`;
      input.setCustomValidity(size > most ? problem : "");
      input.reportValidity();
    });
  }

  offerCopies();
  if (stream !== undefined) follow(stream);
  if (refreshSeconds > 0) poll(refreshSeconds * 1_000);
})();
