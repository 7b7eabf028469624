// Copies the page's Markdown and addresses, and makes the menu work by keyboard like other menus.
const menu = document.querySelector<HTMLDetailsElement>("details[data-page-menu]");
const words = JSON.parse(document.body.dataset["words"] ?? "{}") as { copied: string; notCopied: string };
const status = document.querySelector<HTMLElement>(".site-page-menu [role=status]");

if (navigator.clipboard !== undefined) {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-copy-page], a[data-copy-text]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { copyText } = link.dataset;
    void showResult(link, copyText === undefined ? copyMarkdown(link.href) : navigator.clipboard.writeText(copyText));
  });
}

async function copyMarkdown(href: string): Promise<void> {
  const read = async () => {
    // The header keeps this request out of the counts: the reader's own view is counted already.
    const answer = await fetch(href, { headers: { "x-docent-copy": "1" } });
    if (!answer.ok) throw new Error();
    return await answer.text();
  };
  // Safari only writes to the clipboard what was promised during the click.
  if (typeof ClipboardItem === "undefined") return await navigator.clipboard.writeText(await read());
  const text = read().then((each) => new Blob([each], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
}

async function showResult(link: HTMLAnchorElement, copying: Promise<void>): Promise<void> {
  const label = link.querySelector("b, span")!;
  const before = label.textContent;
  if (link.dataset["said"] !== undefined) return;
  link.dataset["said"] = "";
  // The button keeps its width, so that nothing next to it moves.
  link.style.minWidth = `${link.offsetWidth}px`;
  const result = await copying.then(
    () => words.copied,
    () => words.notCopied,
  );
  label.textContent = result;
  if (status) status.textContent = result;
  setTimeout(() => {
    label.textContent = before;
    delete link.dataset["said"];
    if (status) status.textContent = "";
  }, 1500);
}

/**
 * The pattern of a menu button (WAI-ARIA practices): arrows move, letters jump to items, Tab leaves. Escape closes, as
 * everywhere.
 */
function setUpKeys(details: HTMLDetailsElement): void {
  const button = details.querySelector("summary")!;
  const items = [...details.querySelectorAll<HTMLAnchorElement>("li > a")];
  button.setAttribute("role", "button");
  button.setAttribute("aria-haspopup", "menu");
  details.querySelector("ul")!.setAttribute("role", "menu");
  for (const item of items) {
    item.setAttribute("role", "menuitem");
    item.tabIndex = -1;
    item.parentElement!.setAttribute("role", "none");
  }
  const show = () => button.setAttribute("aria-expanded", String(details.open));
  show();
  let byPointer = false;
  button.addEventListener("pointerdown", () => (byPointer = true));
  details.addEventListener("toggle", () => {
    show();
    if (details.open && !byPointer && !items.includes(document.activeElement as HTMLAnchorElement)) items[0]?.focus();
    byPointer = false;
  });
  const focus = (index: number) => items.at(index % items.length)?.focus();
  details.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement as HTMLAnchorElement);
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Tab") {
      details.open = false;
      return;
    }
    if (key === " " && at >= 0) items[at]?.click();
    else if (key === "ArrowDown" || key === "ArrowUp") {
      details.open = true;
      focus(key === "ArrowDown" ? at + 1 : at < 0 ? -1 : at - 1);
    } else if (key === "Home" || key === "End") focus(key === "Home" ? 0 : -1);
    else if (/^\p{L}$/u.test(key) && at >= 0) {
      const ordered = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      ordered.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))?.focus();
    } else return;
    event.preventDefault();
  });
}

if (menu) setUpKeys(menu);
