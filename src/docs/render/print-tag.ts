import {
  allowedAttribute, isAllowedTag, isDroppedTag, isSvgTag, isUnwrappedTag, isVoidTag, isWithoutEffect, safeClasses, safeFeatures, safeId, safeStyle,
} from "#docs/markup/allowed-html.ts"; // oxfmt-ignore
import { attributes } from "#docs/markup/html.ts";
import { attributesWithText } from "#docs/markup/attribute-text.ts";
import { type ElementNode, type PageNode, type Value, valueText } from "#docs/markup/page-nodes.ts";
import { sourceCandidates } from "#docs/markup/source-set.ts";
import type { Printer } from "./printer.ts";
import { headingWords } from "./plain-text.ts";

/** Prints a tag that is not one of our components: HTML from the allowlist, otherwise only its content. */
export function printTag(element: ElementNode, printer: Printer): string {
  const { name, line } = element;
  if (/^h[1-6]$/.test(name)) return printHeadingTag(element, printer);
  if (name === "style") {
    printer.options.styles.push({ line, source: writtenText(element.children) });
    return "";
  }
  if (isDroppedTag(name)) {
    printer.warn(line, `<${name}> is left out.`, "left_out");
    return "";
  }
  if (!isAllowedTag(name)) {
    if (/^[A-Z]/.test(name)) warnOfComponent(element, printer);
    else if (!isUnwrappedTag(name))
      printer.warn(line, `<${name}> is not an HTML tag that pages may use; what it contains is shown.`, "left_out");
    return printer.nodes(element.children);
  }
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special) return special(element, printer);
  const open = `<${name}${printAttributes(element, printer)}`;
  if (isVoidTag(name)) return `${open}>`;
  if (isSvgTag(name) && element.children.length === 0) return `${open}/>`;
  return `${open}>${printer.nodes(element.children)}</${name}>`;
}

/** Pages of another tool use their team's components throughout: each is reported once on a page. */
function warnOfComponent({ name, line, props }: ElementNode, printer: Printer): void {
  const { isNative, reportedComponents } = printer.options;
  const withText = attributesWithText(props);
  const kind = `${name} ${withText.length > 0}`;
  if (!isNative && reportedComponents.has(kind)) return;
  reportedComponents.add(kind);
  const message = `<${name}> is not a component of this site. Its content is shown`;
  if (withText.length === 0) printer.warn(line, `${message}.`, "unknown_component");
  else printer.warn(line, `${message}; the text in ${attributesNamed(withText)} is not.`, "left_out");
}

const attributesNamed = (names: readonly string[]): string =>
  names.length === 1 ? `its attribute ${listed(names)}` : `its attributes ${listed(names, ", ")}`;

function writtenText(nodes: readonly PageNode[]): string {
  let text = "";
  for (const each of nodes) {
    if (each.kind === "markdown" && each.node.type === "text") text += each.node.value;
    text += writtenText(each.children);
  }
  return text;
}

function printHeadingTag(element: ElementNode, printer: Printer): string {
  const text = headingWords(element.children);
  const written = printer.text(element, "id");
  const explicit = written === null ? null : safeId(written);
  const id = printer.anchor(element, { text, depth: Number(element.name.slice(1)), explicit });
  const rest = printAttributes(element, printer, new Set(["id"]));
  return `<${element.name}${attributes({ id })}${rest}>${printer.nodes(element.children)}</${element.name}>`;
}

/** The allowed attributes of a tag, with sources resolved and `style` reduced to harmless declarations. */
function printAttributes(element: ElementNode, printer: Printer, except: ReadonlySet<string> = new Set()): string {
  const values: Record<string, string | number | boolean | null> = {};
  for (const [written, value] of element.props) {
    if (/^on/i.test(written)) {
      warnOfAttribute(written, element, printer);
      continue;
    }
    if (written === "style") {
      values.style = ownStyle(value, element, printer);
      continue;
    }
    const name = allowedAttribute(element.name, written);
    if (name === null) warnOfAttribute(written, element, printer);
    if (name === null || except.has(name)) continue;
    const safe = safeValue(name, value, { element, printer });
    if (safe !== null) values[name] = safe;
    else if (!BOOLEAN.has(name) && !REPORTED_BY_PRINTER.has(name)) warnOfAttribute(written, element, printer);
  }
  return attributes(values);
}

function warnOfAttribute(written: string, { name, line }: ElementNode, printer: Printer): void {
  // In JSX in `.md` each piece looks like an attribute: `style={{ width: 1 + "%" }}`. Only its first piece is reported.
  if (isWithoutEffect(name, written) || !/^[a-z@:#_][\w@:.-]*(?<!:)$/i.test(written)) return;
  const what = /^on/i.test(written) ? "event handler" : "attribute";
  printer.warn(
    line,
    `The ${what} ${written.slice(0, 40)} of <${name}> is left out: pages may not have it.`,
    "left_out",
  );
}

/** Whether an author's sandbox is as open as ours, as in the snippets of services: replacing it takes nothing from readers. */
const isSandboxed = (written: string): boolean =>
  ["allow-scripts", "allow-same-origin", "allow-popups", "allow-forms"].every((each) =>
    written.split(/\s+/).includes(each),
  );

const MAX_CLASS_NAMES = 1_000;

/** Attributes whose removal the printer reports itself. */
const REPORTED_BY_PRINTER = new Set(["src", "poster", "srcset", "class", "allow"]);

function ownStyle(value: Value, { name, line }: ElementNode, printer: Printer): string | null {
  const { style, leftOut } = safeStyle(value);
  if (leftOut.length > 0)
    printer.warn(
      line,
      `The style of <${name}> is shown without ${listed(leftOut)}: pages may not have it.`,
      "left_out",
    );
  return style;
}

/** The first of them, and how many there are besides. */
function listed(leftOut: readonly string[], separator = "; "): string {
  const more = leftOut.length > 5 ? ` and ${leftOut.length - 5} more` : "";
  return `${leftOut.slice(0, 5).join(separator).slice(0, 200)}${more}`;
}

const BOOLEAN = new Set(
  "open controls autoplay loop muted playsinline allowfullscreen hidden default reversed".split(" "),
);

function safeValue(
  name: string,
  value: Value,
  { element, printer }: { element: ElementNode; printer: Printer },
): string | boolean | null {
  if (BOOLEAN.has(name))
    return value === false || value === "false" || value === null || value === undefined ? null : true;
  if (value === true) return name === "class" ? null : true;
  const text = valueText(value);
  switch (name) {
    case "class":
      return authorClass(text, element, printer);
    case "id":
    case "name": {
      const id = safeId(text);
      if (id !== null && (name === "id" || element.name === "a")) printer.anchors.push(id);
      return id;
    }
    case "src":
    case "poster":
      return printer.source(text, element.line);
    case "srcset":
      return safeSourceSet(text, element, printer);
    case "allow": {
      const { allow, leftOut } = safeFeatures(text);
      if (leftOut.length > 0) {
        const message = `The allow of <iframe> is sent without ${listed(leftOut)}: pages may not grant it.`;
        printer.warn(element.line, message, "left_out");
      }
      return allow;
    }
    case "href":
      // Links are checked by the printer; `<use>` may refer to a part of its own drawing.
      return element.name === "use" && /^#[\w-]{1,100}$/.test(text) ? text : null;
    case "fill":
    case "stroke":
    case "mask":
    case "clip-path":
    case "filter":
      // A reference within the page, which fetches nothing.
      return !/url|image|src|\\/i.test(text) || /^url\(#[\w-]{1,100}\)$/.test(text) ? text : null;
    default:
      return text;
  }
}

export function authorClass(text: string, { name, line }: ElementNode, printer: Printer): string | null {
  const { names, leftOut } = safeClasses(text);
  if (leftOut.length > 0)
    printer.warn(
      line,
      `The class of <${name}> is shown without ${listed(leftOut)}: pages may not have it.`,
      "left_out",
    );
  const { classNames } = printer.options;
  for (const each of names) {
    if (classNames.size >= MAX_CLASS_NAMES && !classNames.has(each)) {
      const message = `Only the first ${MAX_CLASS_NAMES.toLocaleString("en")} classes of the page have styles of their own.`;
      printer.warn(line, message, "left_out");
      break;
    }
    classNames.add(each);
  }
  return names.length === 0 ? null : names.join(" ");
}

/** `a.png 1x, b.png 2x`: every image that may be loaded. */
function safeSourceSet(text: string, { name, line }: ElementNode, printer: Printer): string | null {
  const printed = sourceCandidates(text).flatMap(({ address, condition }) => {
    if (/^data:/i.test(address) || condition === null) {
      const reason = condition === null ? "it is not an address with a width or density" : "it is not a file";
      printer.warn(line, `A picture in srcset of <${name}> is left out: ${reason}.`, "left_out");
      return [];
    }
    const href = printer.source(address, line);
    if (href === null) return [];
    printer.images.push({ src: href, alt: null, line });
    return [href.replaceAll(",", "%2C") + condition];
  });
  return printed.length === 0 ? null : printed.join(", ");
}

/** Attributes of images that are handled separately, or that the site sets. */
const OF_PICTURES = new Set(
  "id src alt title width height srcset sizes class style loading decoding fetchpriority".split(" "),
);

/** The width or height of an image: `120`, `120px` or `50%`. */
function pictureLength(name: string, element: ElementNode, printer: Printer): string | null {
  const written = printer.text(element, name)?.trim() ?? "auto";
  const length = /^(\d+(?:\.\d+)?)(?:px)?$/i.exec(written)?.[1] ?? /^\d+(?:\.\d+)?%$/.exec(written)?.[0];
  if (length === undefined && written !== "auto")
    printer.warn(
      element.line,
      `The ${name} ${written.slice(0, 40)} of <img> is left out: it is neither pixels nor a percentage.`,
      "left_out",
    );
  return length ?? null;
}

const SPECIAL: Record<string, (element: ElementNode, printer: Printer) => string> = {
  a(element, printer) {
    const content = printer.nodes(element.children);
    const rest = printAttributes(element, printer, new Set(["href"]));
    const href = printer.text(element, "href");
    if (href === null) return `<a${rest}>${content}</a>`;
    const start = printer.linkStart(href, element.line);
    return start === null
      ? `<span class="link-refused">${content}</span>`
      : `${start.slice(0, -1)}${rest}>${content}</a>`;
  },
  img(element, printer) {
    const src = printer.text(element, "src");
    const id = printer.id(element);
    if (src === null) return id === null ? "" : `<span${attributes({ id })}></span>`;
    const values: Record<string, string | number | boolean | null> = { id, alt: printer.text(element, "alt") };
    for (const name of ["width", "height"]) values[name] = pictureLength(name, element, printer);
    values.title = printer.text(element, "title");
    const sources = printer.text(element, "srcset") ?? printer.text(element, "srcSet");
    if (sources !== null) values.srcset = safeSourceSet(sources, element, printer);
    values.sizes = printer.text(element, "sizes");
    for (const [written, value] of element.props) {
      const name = allowedAttribute("img", written);
      if (name === null) warnOfAttribute(written, element, printer);
      else if (!OF_PICTURES.has(name)) values[name] = safeValue(name, value, { element, printer });
    }
    values.class = authorClass(
      printer.text(element, "className") ?? printer.text(element, "class") ?? "",
      element,
      printer,
    );
    values.style = ownStyle(element.props.get("style"), element, printer);
    if (printer.flag(element, "noZoom")) values["data-no-zoom"] = true;
    return printer.image(src, values, element.line);
  },
  iframe(element, printer) {
    const src = printer.source(printer.text(element, "src") ?? "", element.line);
    if (src === null || !/^https:/i.test(src)) {
      printer.warn(element.line, "<iframe> is left out: its address does not start with https://.", "left_out");
      return "";
    }
    const own = isSandboxed(printer.text(element, "sandbox") ?? "")
      ? { ...element, props: new Map([...element.props].filter(([name]) => name !== "sandbox")) }
      : element;
    const rest = printAttributes(own, printer, new Set(["src", "title", "loading"]));
    // The embedded page keeps its own origin: without it, players and sandboxes do not run.
    const sandbox = "allow-scripts allow-same-origin allow-popups allow-forms allow-presentation";
    const title = printer.text(element, "title") ?? "Embedded page";
    return `<iframe class="embed"${attributes({ src, title, sandbox, loading: "lazy", referrerpolicy: "strict-origin-when-cross-origin" })}${rest.replace(/ class="[^"]*"/, "")}></iframe>`;
  },
  table(element, printer) {
    return `<div class="table-scroll"><table${printAttributes(element, printer)}>${printer.nodes(element.children)}</table></div>`;
  },
  video(element, printer) {
    const muted = element.props.has("autoPlay") || element.props.has("autoplay") ? " muted playsinline" : "";
    const controls = element.props.has("controls") || muted !== "" ? "" : " controls";
    const own = printAttributes(element, printer, muted === "" ? new Set() : new Set(["muted", "playsinline"]));
    return `<video${own}${muted}${controls} preload="metadata">${printer.nodes(element.children)}</video>`;
  },
};
