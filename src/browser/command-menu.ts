// The command menu of the dashboard: Ctrl K or a button, then a few letters of the destination.
(() => {
  interface Group {
    title: string;
    entries: { label: string; href: string; note?: string }[];
  }
  const ASK_MS = 90;
  const opener = document.querySelector<HTMLButtonElement>("button.jump");
  if (!opener) return;
  const project = opener.dataset["project"] ?? "";

  const make = <Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Record<string, string>,
    text = "",
  ) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };
  const dialog = make("dialog", { class: "command-menu", "aria-label": "Search and jump" });
  const input = make("input", {
    type: "search",
    placeholder: "Where to?",
    "aria-label": "Search projects, jobs, pages and the docs",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "command-menu-list",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = make("div", { id: "command-menu-list", role: "listbox", "aria-label": "Places" });
  const status = make("p", { role: "status" });
  dialog.append(input, list, status);
  document.body.append(dialog);

  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("[role=option]")];
  const chosen = () => list.querySelector<HTMLAnchorElement>("[aria-selected=true]");
  function choose(option: HTMLAnchorElement | undefined): void {
    chosen()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option?.id ?? "");
  }

  /** The search whose results are shown; null before the first. */
  let listed: string | null = null;
  function show(groups: readonly Group[], search: string): void {
    listed = search;
    let count = 0;
    list.replaceChildren(
      ...groups.map(({ title, entries }) => {
        const group = make("div", { role: "group", "aria-label": title });
        group.append(make("p", { "aria-hidden": "true" }, title));
        for (const { label, href, note } of entries) {
          const option = make(
            "a",
            { role: "option", id: `command-${count++}`, href, tabindex: "-1", "aria-selected": "false" },
            label,
          );
          if (note !== undefined) option.append(make("small", {}, note));
          group.append(option);
        }
        return group;
      }),
    );
    choose(options()[0]);
    status.textContent = count > 0 ? "" : "Nothing has that name.";
  }

  let asking = new AbortController();
  async function ask(delay: number): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (signal.aborted) return;
    const search = input.value;
    const query = new URLSearchParams({ search, project });
    const answer = await fetch(`/-/jump?${query}`, { signal });
    if (answer.status === 401) return location.reload(); // signed out
    if (!answer.ok) throw new Error(`answer ${answer.status}`);
    const { groups } = (await answer.json()) as { groups: Group[] };
    if (!signal.aborted) show(groups, search);
  }
  const refresh = (delay: number) =>
    ask(delay).catch((error: unknown) => {
      if ((error as Error).name !== "AbortError")
        status.textContent = "The server does not answer. Type on to try again.";
    });

  function open(): void {
    if (dialog.open) return dialog.close();
    input.value = "";
    show([], "");
    listed = null;
    status.textContent = "";
    dialog.showModal();
    void refresh(0);
  }

  input.addEventListener("input", () => void refresh(ASK_MS));
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = options();
    if (step !== undefined && all.length > 0) {
      event.preventDefault();
      choose(all[(all.indexOf(chosen()!) + step + all.length) % all.length]);
    }
    if (event.key !== "Enter" || event.isComposing) return;
    // The list may still belong to a shorter query.
    if (listed === input.value) chosen()?.click();
    else void refresh(0).then(() => chosen()?.click());
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-jump]")) {
    button.hidden = false;
    button.addEventListener("click", open);
  }
  if (navigator.platform.startsWith("Mac")) for (const key of opener.querySelectorAll("kbd")) key.textContent = "⌘ K";
})();
