import type { HrefUse } from "#docs/hrefs.ts";
import type { TextRange } from "#docs/nodes.ts";
import { matchesInProse } from "./lines.ts";
import type { Block, Marks } from "./markers.ts";
import { type Rewritten, Rewriter, unchanged } from "./rewriter.ts";

const TAG = /\{%-?[ \t]*(@?[\w-]+(?:\/[\w-]+)?)((?:"[^"]{0,20000}"|[^"%]|%(?!\})){0,500})%\}/g;

type Attributes = ReadonlyMap<string, string>;

/** GitBook's blocks, from `{% hint style="info" %}` to `{% endhint %}`. */
export function readTemplates(source: string, marks: Marks): Rewritten {
  if (!source.includes("{%")) return unchanged(source);
  const text = new Rewriter(source);
  let done = 0;
  for (const match of matchesInProse(source, TAG)) {
    const [whole, name = "", written = ""] = match;
    const line = source.lastIndexOf("\n", match.index - 1) + 1;
    const prefix = /^(?:[ \t]*>)*[ \t]*/.exec(source.slice(line, match.index))?.[0] ?? "";
    const at = { prefix, at: match.index };
    text.copy(done, match.index);
    if (source.slice(line + prefix.length, match.index).trim() !== "") text.add("\n", match.index);
    done = match.index + whole.length;
    if (name.startsWith("end")) {
      const ended = BLOCKS[name.slice(3)];
      if (ended !== undefined) marks.close(text, ended(new Map()).name, at);
      continue;
    }
    const attributes = attributesOf(written);
    const block = BLOCKS[name];
    const single = block === undefined ? WHOLE[name] : undefined;
    if (block !== undefined) marks.open(text, block(attributes), at);
    const lines = PARAGRAPHS[name];
    if (block === undefined && single === undefined && lines === undefined && written.trim() !== "")
      marks.leaveOut(match.index, `{% ${name} %} is not a block that pages may use: it is left out, and what it contains is shown.`); // oxfmt-ignore
    if (single !== undefined) {
      const made = single(attributes);
      if (typeof made === "string") text.add(`\n\n${prefix}${made}\n\n${prefix}`, match.index);
      else marks.whole(text, made, at);
    }
    for (const line of lines?.(attributes) ?? []) text.add(line && `\n\n${prefix}${line}\n\n${prefix}`, match.index);
  }
  text.copy(done, source.length);
  return text.result();
}

/** Where the attributes of blocks name a page or a file of the repository. */
const ADDRESSES: Readonly<Record<string, readonly [attribute: string, use: HrefUse]>> = {
  "content-ref": ["url", "link"],
  "page-ref": ["page", "link"],
  file: ["src", "source"],
};

/** The addresses in attributes of blocks, with their ranges in the source. */
export function templateLinks(source: string): (TextRange & { url: string; use: HrefUse })[] {
  if (!source.includes("{%")) return [];
  const links: (TextRange & { url: string; use: HrefUse })[] = [];
  for (const match of matchesInProse(source, TAG)) {
    const [whole, name = "", written = ""] = match;
    const [attribute, use] = (Object.hasOwn(ADDRESSES, name) ? ADDRESSES[name] : undefined) ?? [];
    if (attribute === undefined || use === undefined) continue;
    const url = attributesOf(written).get(attribute) ?? "";
    const at = whole.indexOf(url, whole.indexOf(`${attribute}=`));
    const start = match.index + at;
    if (url !== "" && at !== -1) links.push({ url, use, start, end: start + url.length });
  }
  return links;
}

function attributesOf(written: string): Attributes {
  const found = new Map<string, string>();
  for (const [, name = "", quoted, bare] of written.matchAll(/([\w-]{1,40})=(?:"([^"]*)"|([^\s"]+))/g))
    found.set(name, quoted ?? bare ?? "");
  return found;
}

const titled = (name: string, attributes: Attributes, from: string): Block => {
  const title = attributes.get(from);
  return { name, attributes: title === undefined ? [] : [[from === "date" ? "label" : "title", title]] };
};

/** Blocks with an end tag. Our name depends only on theirs, so that the end is known. */
const BLOCKS: Readonly<Record<string, (attributes: Attributes) => Block>> = {
  hint: (attributes) => ({
    name: "Callout",
    attributes: [["type", attributes.get("style")?.replace("working", "note") ?? "info"]],
  }),
  tabs: () => ({ name: "Tabs" }),
  tab: (attributes) => titled("Tab", attributes, "title"),
  code: (attributes) => ({
    name: "CodeBlock",
    attributes: [
      ...(titled("", attributes, "title").attributes ?? []),
      ...(attributes.get("lineNumbers") === "true" ? [["lines", null] as const] : []),
      ...(attributes.get("overflow") === "wrap" ? [["wrap", null] as const] : []),
      ...(attributes.get("expandable") === "true" ? [["expandable", null] as const] : []),
    ],
  }),
  stepper: () => ({ name: "Steps" }),
  step: () => ({ name: "Step" }),
  columns: () => ({ name: "Columns" }),
  column: () => ({ name: "Column" }),
  update: (attributes) => titled("Update", attributes, "date"),
  prompt: (attributes) => ({
    name: "Prompt",
    attributes: attributes.has("description") ? [["description", attributes.get("description") ?? ""]] : [],
  }),
  "content-ref": () => ({ name: "Fragment" }),
};

/** Blocks without an end tag, as a component or as Markdown. */
const WHOLE: Readonly<Record<string, (attributes: Attributes) => Block | string>> = {
  embed: (attributes) => embed((attributes.get("url") ?? "").replaceAll(/\\([_*~])/g, "$1")),
  "@mermaid/diagram": (attributes) => ({
    name: "Mermaid",
    attributes: [["chart", (attributes.get("content") ?? "").replaceAll(String.raw`\n`, "\n")]],
  }),
};

const described = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(", ");
const request = (method = "get", host = "", path = "") => `\`${method.toUpperCase()} ${host}${path}\``;
const parameter = (attributes: Attributes, place?: string) => {
  const rest = described(place, attributes.get("type"), attributes.get("required") === "true" ? "required" : undefined);
  return [`**${attributes.get("name") ?? ""}**${rest && ` (${rest})`}`];
};

/** Paragraphs for what readers see of a block's attributes, beside or in place of a component. */
const PARAGRAPHS: Readonly<Record<string, (attributes: Attributes) => string[]>> = {
  file: (attributes) => [fileLink(attributes)],
  "page-ref": (attributes) => [link(attributes.get("page") ?? "", attributes.get("page") ?? "")],
  embed: (attributes) => [attributes.get("caption") ?? ""],
  swagger: (attributes) => [
    request(attributes.get("method"), attributes.get("baseUrl"), attributes.get("path")),
    attributes.get("summary") ?? "",
  ],
  "swagger-parameter": (attributes) => parameter(attributes, attributes.get("in")),
  "swagger-response": (attributes) => [
    `**${attributes.get("status") ?? ""}** ${attributes.get("description") ?? ""}`.trim(),
  ],
  "api-method": (attributes) => [request(attributes.get("method"), attributes.get("host"), attributes.get("path"))],
  "api-method-parameter": (attributes) => parameter(attributes),
  "api-method-response-example": (attributes) => [`**${attributes.get("httpCode") ?? ""}**`],
  "@github-files/github-code-block": (attributes) => [link(attributes.get("url") ?? "", attributes.get("url") ?? "")],
  // The link in the block shows the description.
  openapi: () => [],
  "openapi-operation": () => [],
};

function embed(url: string): Block | string {
  if (!/^https?:\/\/[^\s<>]{1,2000}$/.test(url)) return "";
  const video = /^https:\/\/(?:www\.)?(?:youtube\.com\/(?:watch\?v=|embed\/)|youtu\.be\/)([\w-]{5,20})/.exec(url)?.[1];
  if (video === undefined) return `<${url}>`;
  return {
    name: "iframe",
    attributes: [["src", `https://www.youtube.com/embed/${video}`], ["title", "Video"], ["allow", "fullscreen"]], // oxfmt-ignore
  };
}

function fileLink(attributes: Attributes): string {
  const source = attributes.get("src") ?? "";
  return link(source.split("/").at(-1) ?? "", source);
}

const link = (name: string, target: string): string =>
  target === "" ? "" : `[${name.replace(/[[\]\\]/g, String.raw`\$&`)}](<${target.replace(/[<>\n]/g, "")}>)`;
