// Reading aids: pictures that enlarge, tables whose header stays in view. Everything works without them.

const words = JSON.parse(document.body.dataset["words"] ?? "{}") as { close: string; enlarge: string };

/** A picture whose file is hardly larger than its display gains nothing when enlarged. */
const WORTHWHILE = 1.15;
const MIN_SHOWN_PX = 120;

/** Links of pictures open a dialog; Escape, a click or its button closes it, and the focus returns to the link. */
function setUpPictures(): void {
  let dialog: HTMLDialogElement | null = null;
  const open = (image: HTMLImageElement) => {
    dialog ??= buildDialog();
    const large = document.createElement("img");
    large.src = image.currentSrc || image.src;
    large.alt = image.alt;
    dialog.querySelector("img")?.remove();
    dialog.prepend(large);
    dialog.setAttribute("aria-label", image.alt || words.enlarge);
    dialog.showModal();
  };
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".content a.site-zoom")) {
    const image = link.querySelector("img");
    if (image === null) continue;
    const judge = () => {
      const isSmall = image.naturalWidth > 0 && image.naturalWidth < image.clientWidth * WORTHWHILE;
      const isVector = /\.svg(?:\?|$)/.test(image.currentSrc);
      const isPart = link.closest(".card") !== null || (image.clientWidth > 0 && image.clientWidth < MIN_SHOWN_PX);
      if (isPart || (isSmall && !isVector)) link.replaceWith(...link.childNodes);
    };
    if (image.complete) judge();
    else image.addEventListener("load", judge, { once: true });
    link.setAttribute("aria-haspopup", "dialog");
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(image);
    });
  }
}

function buildDialog(): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.className = "site-picture";
  const close = document.createElement("button");
  close.type = "button";
  close.setAttribute("aria-label", words.close);
  close.textContent = "×";
  dialog.append(close);
  dialog.addEventListener("click", () => dialog.close());
  document.body.append(dialog);
  return dialog;
}

/**
 * A table that fits keeps its header below the bars of the page. A wider one scrolls in a box of its own, with its
 * header at the top; the box can be reached by keyboard.
 */
function setUpTables(): void {
  const measure = (box: HTMLElement) => {
    const table = box.querySelector("table");
    if (table === null || box.clientWidth === 0) return;
    const isWide = table.scrollWidth > box.clientWidth + 1;
    box.classList.toggle("table-wide", isWide);
    box.classList.toggle("table-fits", !isWide);
    if (isWide) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      const heads = [...table.querySelectorAll("th")].map((cell) => cell.textContent.trim());
      box.setAttribute("aria-label", heads.slice(0, 8).join(", "));
    } else for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  };
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) measure(target as HTMLElement);
  });
  for (const box of document.querySelectorAll<HTMLElement>(".content .table-scroll")) sizes.observe(box);
}

setUpPictures();
setUpTables();

export {};
