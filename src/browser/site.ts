// What a docs page does beyond links: theme, menus, copying, tabs, the position in the page. Everything works without
// it.
const root = document.documentElement;

/** The texts of the page's scripts, in its language. */
interface PageWords {
  copied: string;
  notCopied: string;
  close: string;
  enlarge: string;
}
const words = JSON.parse(document.body.dataset["words"] ?? "{}") as PageWords;

function setUpThemeSwitch(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-theme-switch]");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const current = () => root.dataset["theme"] ?? (dark.matches ? "dark" : "light");
  const showPictures = setUpPictures(current);
  if (button === null) return;
  const show = () => {
    button.setAttribute("aria-pressed", String(current() === "dark"));
    showPictures();
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = current() === "dark" ? "light" : "dark";
    // A reader who chooses the system's theme again follows the system from then on.
    const isOwn = next !== (dark.matches ? "dark" : "light");
    if (isOwn) root.dataset["theme"] = next;
    else delete root.dataset["theme"];
    try {
      if (isOwn) localStorage.setItem("docent-theme", next);
      else localStorage.removeItem("docent-theme");
    } catch {
      // Not stored for the next page then.
    }
    show();
  });
  dark.addEventListener("change", show);
  show();
}

/** A `<source>` for dark or light follows the page's theme, which may differ from the system's. */
function setUpPictures(current: () => string): () => void {
  const selector = 'picture > source[media*="prefers-color-scheme"]';
  const sources = [...document.querySelectorAll<HTMLSourceElement>(selector)].map((source) => ({
    source,
    media: source.media,
  }));
  const show = () => {
    for (const { source, media } of sources) {
      source.media = media.replaceAll(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, theme: string) =>
        theme.toLowerCase() === current() ? "(min-width: 0)" : "(max-width: 0)",
      );
    }
  };
  if (document.documentElement.dataset["theme"] !== undefined) show();
  return show;
}

/** Menus are `details`: they close on Escape, on a click elsewhere, and when another opens. */
function setUpMenus(): void {
  const menus = document.querySelectorAll<HTMLDetailsElement>("details[data-menu]");
  for (const menu of menus) {
    menu.addEventListener("toggle", () => {
      if (menu.open) for (const other of menus) if (other !== menu && !other.contains(menu)) other.open = false;
    });
  }
  document.addEventListener("click", (event) => {
    for (const menu of menus) if (menu.open && !menu.contains(event.target as Node)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus) {
      if (!menu.open) continue;
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}

/** A long sidebar scrolls to the current page. */
function setUpSidebar(): void {
  const sidebar = document.querySelector<HTMLElement>("[data-sidebar]");
  const active = sidebar?.querySelector<HTMLElement>('[aria-current="page"]');
  if (!sidebar || !active) return;
  const reveal = () => {
    const offset = active.getBoundingClientRect().top - sidebar.getBoundingClientRect().top;
    if (offset > sidebar.clientHeight * 0.7) sidebar.scrollTop += offset - sidebar.clientHeight / 3;
  };
  reveal();
  sidebar.addEventListener("toggle", reveal);
}

/** Keeps the current heading visible in a table of contents that is taller than the window. */
function follow(link: HTMLAnchorElement): void {
  const list = link.closest<HTMLElement>("[data-contents]");
  if (list === null || list.scrollHeight <= list.clientHeight) return;
  list.scrollTop = link.offsetTop - list.clientHeight / 2;
}

/** Marks the heading that the reader is at in the table of contents. */
function setUpContents(): void {
  const links = new Map<Element, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-contents] a")) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (heading) links.set(heading, link);
    link.addEventListener("click", () => {
      const list = link.closest<HTMLElement>("[data-contents]:popover-open");
      list?.hidePopover();
    });
  }
  if (links.size === 0) return;
  const mark = () => {
    const isAtEnd = innerHeight + scrollY >= document.body.scrollHeight - 4;
    const line = isAtEnd ? innerHeight : 140;
    let reached = [...links.values()][0];
    for (const [heading, link] of links) {
      if (heading.getBoundingClientRect().top >= line) break;
      reached = link;
      // At the end of a page several sections are in view: the one in the address wins.
      if (isAtEnd && link.hash === location.hash) break;
    }
    for (const link of links.values()) {
      if (link !== reached) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "location");
        follow(link);
      }
    }
  };
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  addEventListener("scroll", later, { passive: true });
  addEventListener("hashchange", later);
  mark();
}

/** Code is copied as it is shown, without lines that a diff removes. */
function setUpCopying(): void {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) button.hidden = false;
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[data-copy]");
    const code = button?.parentElement?.querySelector("pre > code");
    if (!button || !code) return;
    const lines = [...code.querySelectorAll(".line:not(.line-removed)")].map((line) => line.textContent);
    void copy(lines.length > 0 ? lines.join("\n") : code.textContent, button);
  });
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = words.copied;
  } catch {
    button.textContent = words.notCopied;
  }
  button.disabled = true;
  setTimeout(() => {
    button.textContent = label;
    button.disabled = false;
  }, 1500);
}

/** Tabs are radio buttons. Groups that share a title switch together, also on the next page. */
function setUpTabs(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>("[data-tabs] > input[data-tab]")];
  const choose = (title: string, except: Element | null) => {
    for (const input of inputs) {
      if (input.dataset["tab"] === title && input.parentElement !== except) input.checked = true;
    }
  };
  try {
    for (const title of JSON.parse(localStorage.getItem("docent-tabs") ?? "[]") as string[]) choose(title, null);
  } catch {
    // Nothing stored, or not by us.
  }
  document.addEventListener("change", (event) => {
    const input = event.target as HTMLInputElement;
    const title = input.dataset["tab"];
    if (title === undefined || !inputs.includes(input)) return;
    const top = input.getBoundingClientRect().top;
    choose(title, input.parentElement);
    // Other groups above may have changed their height: the reader's position stays.
    scrollBy({ top: input.getBoundingClientRect().top - top, behavior: "instant" });
    try {
      const titles = JSON.parse(localStorage.getItem("docent-tabs") ?? "[]") as string[];
      localStorage.setItem(
        "docent-tabs",
        JSON.stringify([...titles.filter((each) => each !== title), title].slice(-20)),
      );
    } catch {
      // Not stored for the next page then.
    }
  });
}

function decodedHash(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/**
 * Other hosts derive anchors from headings with other separators, `api-params` for "api.params": only letters and
 * digits are compared.
 */
function headingLike(asked: string): Element | undefined {
  const signless = (id: string) => id.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");
  const wanted = signless(asked);
  if (wanted === "") return undefined;
  return [...document.querySelectorAll(".content [id]")].find(({ id }) => signless(id) === wanted);
}

/** An address may point into a closed section or a hidden tab. */
function revealTarget(): void {
  const asked = decodedHash();
  const target = document.getElementById(asked);
  if (!target) {
    const other = headingLike(asked);
    if (other) location.replace(`#${encodeURIComponent(other.id)}`);
    return;
  }
  for (let element: Element | null = target; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true;
    const input = element.classList.contains("tab-panel")
      ? element.previousElementSibling?.previousElementSibling
      : null;
    if (input instanceof HTMLInputElement) input.checked = true;
  }
  target.scrollIntoView();
}

/** The dialog's script is loaded when a reader is about to search. Without it the link opens the results page. */
function setUpSearch(): void {
  const link = document.querySelector<HTMLAnchorElement>("a[data-search]");
  if (link === null) return;
  const load = () => import(link.dataset["search"] ?? "") as Promise<{ openSearch(typed: string): void }>;
  const open = (event: Event) => {
    event.preventDefault();
    // Until the dialog is there, the reader may type already.
    let typed = "";
    const keep = (pressed: KeyboardEvent) => {
      if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
      if (pressed.key === "Backspace") typed = typed.slice(0, -1);
      else if (pressed.key.length === 1) typed += pressed.key;
      else return;
      pressed.preventDefault();
      pressed.stopImmediatePropagation();
    };
    addEventListener("keydown", keep, { capture: true });
    load()
      .finally(() => removeEventListener("keydown", keep, { capture: true }))
      .then(
        ({ openSearch }) => openSearch(typed),
        () => location.assign(link.href),
      );
  };
  for (const sign of ["pointerenter", "focus"]) link.addEventListener(sign, () => void load().catch(() => {}));
  link.addEventListener("click", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) open(event);
  });
  document.addEventListener("keydown", (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k";
    const isTyping = (event.target as Element).closest?.("input, textarea, select, [contenteditable]");
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping;
    if (isShortcut || isSlash) open(event);
  });
}

setUpThemeSwitch();
setUpSearch();
setUpMenus();
setUpSidebar();
setUpTabs();
setUpCopying();
setUpContents();
if (location.hash.length > 1) revealTarget();
addEventListener("hashchange", revealTarget);
