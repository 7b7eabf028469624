import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { SaxesParser } from "saxes";

const CONTENT = "http://purl.org/rss/1.0/modules/content/";
const ATOM = "http://www.w3.org/2005/Atom";
/** Elements of RSS 2.0.11 (rssboard.org/rss-specification), and those that may occur more than once. */
const OF_CHANNEL = new Set(
  "title link description language copyright managingEditor webMaster pubDate lastBuildDate category generator docs cloud ttl image rating textInput skipHours skipDays item".split(
    " ",
  ),
);
const OF_ITEM = new Set("title link description author category comments enclosure guid pubDate source".split(" "));
const REPEATED = new Set(["category", "item", "enclosure"]);
/** RFC 822 with the four-digit year that RSS requires. */
const DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;
/** Elements that W3C's feed validator warns about in content. */
const DANGEROUS = new Set(["script", "iframe", "object", "embed", "style", "link", "meta", "base", "form"]);

/**
 * Violations of XML 1.0, RSS 2.0 and the rules of W3C's feed validator (validator.w3.org/feed/docs) in a feed: empty
 * for a valid one. `self` is the address it was fetched from.
 */
export function rssFaults(xml: string, self: string): string[] {
  const document = readXml(xml);
  if ("fault" in document) return [`not well-formed: ${document.fault}`];
  const { root } = document;
  const faults: string[] = [];
  const expected = (isGood: boolean, fault: string) => void (isGood || faults.push(fault));
  expected(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>'), "no XML declaration");
  expected(root.name === "rss" && root.attributes.get("version") === "2.0", "the root is no rss of version 2.0");
  const [channel, ...more] = root.children;
  if (channel?.name !== "channel" || more.length > 0) return [...faults, "not one channel"];

  faults.push(...unknownIn(channel, OF_CHANNEL));
  for (const name of ["title", "link", "description"]) {
    expected(textIn(channel, name) !== "", `channel without ${name}`);
  }
  expected(isAddress(textIn(channel, "link")), "the channel's link is no address");
  expected(LANGUAGE.test(textIn(channel, "language")), "the language is none");
  const own = channel.children.find(({ namespace, name }) => namespace === ATOM && name === "link")?.attributes;
  expected(own?.get("rel") === "self" && own.get("href") === self, "no atom:link to the feed itself");
  const items = channel.children.filter(({ name }) => name === "item");
  for (const [index, item] of items.entries())
    faults.push(...itemFaults(item).map((fault) => `item ${index}: ${fault}`));
  const guids = items.map((item) => textIn(item, "guid"));
  expected(new Set(guids).size === guids.length, "two items have one guid");
  return faults;
}

function itemFaults(item: Element): string[] {
  const faults = unknownIn(item, OF_ITEM);
  const expected = (isGood: boolean, fault: string) => void (isGood || faults.push(fault));
  expected(textIn(item, "title") !== "" || textIn(item, "description") !== "", "neither title nor description");
  expected(isAddress(textIn(item, "link")), "its link is no address");
  expected(isAddress(textIn(item, "guid")), "its guid is no permanent link");
  const date = textIn(item, "pubDate");
  expected(date === "" || (DATE.test(date) && new Date(date).toUTCString() === date), `its date is none: ${date}`);
  const content = item.children.find(({ namespace, name }) => namespace === CONTENT && name === "encoded");
  return [...faults, ...contentFaults(content?.text ?? "")];
}

interface Element {
  /** Without its prefix. */
  name: string;
  namespace: string;
  /** Those without a prefix. */
  attributes: ReadonlyMap<string, string>;
  children: Element[];
  text: string;
}

/** Uses a parser that rejects all violations of XML 1.0 and its namespaces. */
function readXml(xml: string): { root: Element } | { fault: string } {
  const open: Element[] = [{ name: "", namespace: "", attributes: new Map(), children: [], text: "" }];
  const top = open[0]!;
  const parser = new SaxesParser({ xmlns: true });
  const errors: string[] = [];
  parser.on("error", ({ message }) => void errors.push(message));
  parser.on("opentag", ({ local, uri, attributes }) => {
    const own = Object.values(attributes).filter(({ prefix }) => prefix === "");
    const named = new Map(own.map(({ local: name, value }) => [name, value]));
    const element = { name: local, namespace: uri, attributes: named, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  const take = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on("text", take);
  parser.on("cdata", take);
  parser.write(xml).close();
  const root = top.children[0];
  return root === undefined || errors.length > 0 ? { fault: errors[0] ?? "no element" } : { root };
}

function unknownIn(parent: Element, names: ReadonlySet<string>): string[] {
  const own = parent.children.filter(({ namespace }) => namespace === "").map(({ name }) => name);
  return [...new Set(own)].flatMap((name) => {
    if (!names.has(name)) return [`unknown element ${name}`];
    return own.filter((each) => each === name).length > 1 && !REPEATED.has(name) ? [`${name} twice`] : [];
  });
}

/** Relative addresses, which break outside their page, and elements that feed readers remove. */
function contentFaults(html: string): string[] {
  const faults: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("attrs" in node) {
      if (DANGEROUS.has(node.tagName)) faults.push(`its content has a ${node.tagName}`);
      for (const { name, value } of node.attrs) {
        if (/^(?:href|src|poster)$/.test(name) && !isAddress(value) && !/^(?:mailto|tel|data):/.test(value))
          faults.push(`its content has the relative ${name} ${value}`);
        if (name.startsWith("on")) faults.push(`its content has the handler ${name}`);
      }
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parseFragment(html));
  return faults;
}

const isAddress = (text: string): boolean =>
  /^https?:\/\/[^/\s]/.test(text) && URL.canParse(text) && !/[\s<>"]/.test(text);

const textIn = (parent: Element, name: string): string =>
  parent.children.find((each) => each.namespace === "" && each.name === name)?.text.trim() ?? "";
