import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isSection, type NavigationNode } from "#docs/tree/navigation.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { PARTS, readShownPage, type ShownPage } from "./shown-page.ts";
import type { serveSite } from "./serve-site.ts";

type Site = Awaited<ReturnType<typeof serveSite>>;
type Tool = Exclude<keyof typeof PARTS, "docent">;
type Note = (cause: string, page: string, detail: string) => void;

/** Pages that tools generate without a source. */
const WITHOUT_SOURCE = /^\/(?:404|search|tags|archive)$|\/(?:tags|archive|category|page|authors|author)(?:\/|$)/;

/** Compares the pages of a site with the folder that its own tool built of the same commit. */
export async function compareWithBuilt(site: Site, folder: string, note: Note) {
  const { docs } = site;
  const tool = docs.config.dialect as Tool;
  if (!(tool in PARTS)) throw new Error(`Pages that ${tool} built cannot be compared.`);
  const built = await builtFiles(folder);
  const order = navigationOf(docs);
  const pages = [...docs.pages.values()].filter(({ isGenerated, hidden }) => !isGenerated && !hidden);
  const states = new Map<string, Set<string>>();
  /** Pages with a component of the team's own. */
  const own = new Set<string>();
  for (const { route, path: file } of pages) {
    const faults = new Set<string>();
    states.set(file, faults);
    const tell = (cause: string, detail: string) => {
      faults.add(cause);
      note(cause, file, detail);
    };
    const source = built.get(decodeURI(route));
    if (source === undefined) {
      tell("address: the tool has no such page", route);
      continue;
    }
    const isIndex = path.basename(source) === "index.html";
    const theirs = readShownPage(await readFile(source, "utf8"), PARTS[tool], (href) =>
      addressOf(href, { from: isIndex && route !== "/" ? `${route}/` : route, docs, built }),
    );
    const { status, text, rendered } = await site.get(route);
    if (rendered?.warnings.some(({ code }) => code === "unknown_component") === true) own.add(file);
    if (status !== 200) {
      tell(`address: answers ${status}`, route);
      continue;
    }
    const ours = readShownPage(text, PARTS.docent, (href) => addressOf(href, { from: route, docs, built }));
    comparePage(ours, theirs, tell);
    compareNavigation(theirs.navigation, order, tell);
  }
  const shown = new Set([...docs.pages.keys(), ...docs.aliases.keys()].map((route) => decodeURI(route)));
  const further = [...built.keys()].filter((address) => !shown.has(address) && !WITHOUT_SOURCE.test(address));
  for (const address of further) note("address: only the tool has the page", "navigation", address);
  const isOfPage = (cause: string) => !cause.startsWith("navigation");
  const share = (isFault: (cause: string) => boolean, isCounted = (_file: string) => true) => {
    const counted = [...states].filter(([file]) => isCounted(file));
    const right = counted.filter(([, faults]) => ![...faults].some(isFault)).length;
    return `${right} of ${counted.length} (${((right / Math.max(1, counted.length)) * 100).toFixed(1)} %)`;
  };
  return {
    right: share(isOfPage),
    withoutOwn: share(isOfPage, (file) => !own.has(file)),
    addresses: share((cause) => cause.startsWith("address")),
    navigation: share((cause) => cause.startsWith("navigation")),
  };
}

function comparePage(ours: ShownPage, theirs: ShownPage, tell: (cause: string, detail: string) => void): void {
  if (ours.title !== theirs.title) tell("title", `${ours.title} instead of ${theirs.title}`);
  const lists: readonly [string, readonly string[], readonly string[]][] = [
    ["heading", ours.headings, theirs.headings],
    ["text", ours.words, theirs.words],
    ["link", ours.links, theirs.links],
    ["picture", ours.images, theirs.images],
    ["code", ours.code, theirs.code],
    ["tab", ours.tabs, theirs.tabs],
  ];
  for (const [name, own, other] of lists) {
    const [added, missing] = [without(own, other), without(other, own)];
    if (missing.length > 0) tell(`${name} missing`, sample(missing));
    if (added.length > 0) tell(`${name} added`, sample(added));
    if (missing.length + added.length === 0 && own.join("\n") !== other.join("\n")) {
      const at = own.findIndex((each, index) => each !== other[index]);
      tell(`${name} in another order`, `${own.slice(at, at + 5).join(" ")} instead of ${other.slice(at, at + 5).join(" ")}`); // oxfmt-ignore
    }
  }
  if (ours.callouts !== theirs.callouts) tell("callouts", `${ours.callouts} instead of ${theirs.callouts}`);
}

/** What the first list has more often than the second. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of other) counts.set(each, (counts.get(each) ?? 0) + 1);
  return list.filter((each) => {
    const left = counts.get(each) ?? 0;
    counts.set(each, left - 1);
    return left <= 0;
  });
}

const sample = (list: readonly string[]): string => list.slice(0, 12).join(" | ").slice(0, 180);

interface Entry {
  title: string;
  at: number;
}

/** The entries beside a page have the same titles here, in the same order. A page may be in several languages' parts. */
function compareNavigation(
  theirs: ShownPage["navigation"],
  order: ReadonlyMap<string, readonly Entry[]>,
  tell: (cause: string, detail: string) => void,
): void {
  let last = -1;
  const seen = new Set<string>();
  for (const { title, address } of theirs) {
    if (seen.has(address) || !address.startsWith("/") || address.includes("#") || WITHOUT_SOURCE.test(address))
      continue;
    seen.add(address);
    const entries = order.get(address) ?? [];
    const titled = entries.filter((entry) => entry.title === title);
    const [own] = titled.length > 0 ? titled : entries;
    if (own === undefined) {
      tell("navigation: entry missing", `${title} ${address}`);
      continue;
    }
    if (titled.length === 0) tell("navigation: title", `${own.title} instead of ${title}`);
    const next = entries.find(({ at }) => at > last);
    if (next === undefined) tell("navigation: order", `${title} ${address}`);
    else if (titled.length === 0 || titled.some(({ at }) => at > last))
      last = (titled.find(({ at }) => at > last) ?? next).at;
  }
}

/** The places of each address in the navigation. */
function navigationOf({ navigation }: Docs): Map<string, Entry[]> {
  const entries = new Map<string, Entry[]>();
  let at = 0;
  const add = (route: string, title: string) => {
    const known = entries.get(route) ?? [];
    entries.set(route, known);
    known.push({ title, at });
    at += 1;
  };
  const visit = (nodes: readonly NavigationNode[]): void => {
    for (const node of nodes) {
      if (isSection(node)) {
        if (node.route) add(decodeURI(node.route), node.title);
        visit(node.children);
      } else if (node.kind === "link") add(node.href.replace(/(?<=.)\/$/, ""), node.title);
      else add(decodeURI(node.route), node.title);
    }
  };
  visit(navigation);
  return entries;
}

/** The addresses of built pages, with their files. */
async function builtFiles(folder: string): Promise<Map<string, string>> {
  const files = await readdir(folder, { recursive: true });
  return new Map(
    files
      .filter((file) => file.endsWith(".html"))
      .map((file) => [`/${file.replace(/(?:(?:^|\/)index)?\.html$/, "")}`, path.join(folder, file)]),
  );
}

interface AddressContext {
  from: string;
  docs: Docs;
  built: ReadonlyMap<string, string>;
}

/** What a link leads to, written in one way; null for one that a build makes itself. */
function addressOf(href: string, { from, docs, built }: AddressContext): string | null {
  if (href === "" || /^(?:javascript|data):/.test(href)) return null;
  let url: URL;
  try {
    url = new URL(href, `http://site.localhost${from}`);
  } catch {
    return href;
  }
  if (url.host !== "site.localhost") return url.href.replace(/\/$/, "");
  const bare = (pathname: string) => decodeURI(pathname).replace(/(?:\/index)?\.html$/, "").replace(/(?<=.)\/$/, "") || "/"; // oxfmt-ignore
  const base = docs.bases.find((each) => url.pathname === each || url.pathname.startsWith(`${each}/`));
  const written = bare(url.pathname);
  const inside = base === undefined ? written : bare(url.pathname.slice(base.length) || "/");
  const route = built.has(written) ? written : built.has(inside) ? inside : written;
  // Files have other folders in a build, and a page that is missing has the name of its file there.
  const file = (route.split("/").at(-1) ?? "").replace(/-[0-9a-f]{32}(?=\.)|\.mdx?$/, "");
  const target = decodeURI(docs.aliases.get(encodeURI(route)) ?? "") || (built.has(route) ? route : file);
  const hash = url.hash === "" || /^#(?:fn|fnref|footnote|user-content-fn|__codelineno|_top)/.test(url.hash) ? "" : decodeURI(url.hash); // oxfmt-ignore
  return target === bare(from) && hash === "" && url.hash !== "" ? null : target + hash;
}
