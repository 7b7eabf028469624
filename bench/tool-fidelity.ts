import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Docs } from "#docs/tree/page-tree.ts";
import { isSection, type NavigationNode, routesBelow } from "#docs/tree/navigation.ts";
import { compareWithBuilt } from "./site-fidelity/compare-built.ts";
import { decodeEntities, leftovers } from "./site-fidelity/leftovers.ts";
import { type Answer, serveSite } from "./site-fidelity/serve-site.ts";

const HELP = `Serves repositories of other documentation tools unchanged and looks at every page as a reader would.

  npm run bench bench/tool-fidelity.ts -- REPOSITORY[@CONTENT_ROOT] … [--navigation] [--built DIR] [--examples 2]

  Reports syntax that is shown as text, links, headings and pictures that are missing, warnings, and pages without a place in
  the navigation, each with the number of pages and places.

  --navigation  prints the navigation too
  --built       the folder that the tool itself built of the same commit: compares each page with it instead, and its navigation
  --examples    how many places are printed of each cause
`;

const { values, positionals } = parseArgs({
  options: {
    navigation: { type: "boolean", default: false },
    built: { type: "string" },
    examples: { type: "string", default: "2" },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
if (values.help || positionals.length === 0) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

/** Findings that say nothing about what a page shows. */
const NOT_OF_A_PAGE = /^(?:problem|not in the navigation|link redirects)/;

type Note = (cause: string, page: string, detail: string) => void;
type Causes = Map<string, { pages: Set<string>; places: number; examples: string[] }>;
type Site = Awaited<ReturnType<typeof serveSite>>;
/** Addresses that pages refer to, with the files of these pages. */
type Targets = Map<string, Set<string>>;

const directory = await mkdtemp(path.join(tmpdir(), "docent-tools-"));
try {
  for (const [index, each] of positionals.entries()) {
    const [repo = "", contentRoot] = each.split("@");
    await using site = await serveSite(repo, path.join(directory, String(index)), contentRoot);
    if (values.built === undefined) await judge(path.basename(repo), site);
    else await compare(path.basename(repo), site, values.built);
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function judge(name: string, site: Site): Promise<void> {
  const { note, causes } = createCauses(Number(values.examples));
  const { docs } = site;
  const pages = await judgePages(site, note);
  judgeNavigation(docs, note);
  for (const { path: file, line, message } of docs.problems)
    note(`problem: ${kindOf(message)}`, file, `${line ?? "-"}: ${message}`);
  const faulty = new Set(
    [...causes].filter(([cause]) => !NOT_OF_A_PAGE.test(cause)).flatMap(([, { pages: own }]) => [...own]),
  );
  const right = pages.filter((page) => !faulty.has(page)).length;
  process.stdout.write(
    `\n${name} (${docs.tool?.title ?? "plain"}): ${pages.length} pages, ${right} without a finding\n`,
  );
  printCauses(causes);
  if (values.navigation) process.stdout.write(`${outline(docs.navigation, "")}\n`);
}

async function compare(name: string, site: Site, folder: string): Promise<void> {
  const { note, causes } = createCauses(Number(values.examples));
  const { right, withoutOwn, addresses, navigation } = await compareWithBuilt(site, folder, note);
  process.stdout.write(
    `\n${name}: pages as built: ${right}; those without a component of the team's own: ${withoutOwn}; addresses: ${addresses}; beside the same navigation: ${navigation}\n`,
  );
  printCauses(causes);
}

function createCauses(most: number): { note: Note; causes: Causes } {
  const causes: Causes = new Map();
  const note: Note = (cause, page, detail) => {
    const own = causes.get(cause) ?? { pages: new Set<string>(), places: 0, examples: [] };
    causes.set(cause, own);
    own.pages.add(page);
    own.places += 1;
    if (own.examples.length < most) own.examples.push(`${page}: ${detail}`.replaceAll(/\s+/g, " ").slice(0, 300));
  };
  return { note, causes };
}

function printCauses(causes: Causes): void {
  for (const [cause, found] of [...causes].toSorted(([, a], [, b]) => b.pages.size - a.pages.size)) {
    process.stdout.write(`  ${String(found.pages.size).padStart(5)} ${String(found.places).padStart(6)}  ${cause}\n`);
    for (const example of found.examples) process.stdout.write(`                  ${example}\n`);
  }
}

/** The paths of the pages that were looked at. */
async function judgePages(site: Site, note: Note): Promise<string[]> {
  const pages = [...site.docs.pages.values()].filter(({ isGenerated }) => !isGenerated);
  const [links, pictures]: [Targets, Targets] = [new Map(), new Map()];
  const ids = new Map<string, Set<string>>();
  for (const { route, path: file } of pages) {
    const { status, location, rendered, text } = await site.get(route);
    if (status !== 200 || rendered === null) {
      note(`answers ${status}`, file, `${route} ${location ?? ""}`);
      continue;
    }
    for (const { line, message } of rendered.warnings)
      note(`warning: ${kindOf(message)}`, file, `${line ?? "-"}: ${message}`);
    const shown = /<article\b.*<\/article>/s.exec(text)?.[0] ?? "";
    for (const left of leftovers(shown)) note(`shown as text: ${left.name}`, file, left.text);
    ids.set(route, new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => decodeEntities(id))));
    for (const [, href = ""] of shown.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g))
      addTarget(links, decodeEntities(href).replace(/^(?=#)/, route), file);
    for (const [, src = ""] of shown.matchAll(/<(?:img|video|source)\b[^>]*?\ssrc="([^"]*)"/g))
      addTarget(pictures, decodeEntities(src), file);
  }
  await judgeLinks(site, { links, ids, note });
  for (const [src, files] of pictures) {
    const { status } = await site.get(src);
    if (status !== 200) for (const file of files) note(`picture answers ${status}`, file, src);
  }
  return pages.map(({ path: file }) => file);
}

function addTarget(targets: Targets, address: string, file: string): void {
  // The page's own file and the lists for programs are links of the layout.
  if (!/^\/(?!\/)/.test(address) || /\.md$|^\/(?:robots|llms)/.test(address)) return;
  targets.set(address, (targets.get(address) ?? new Set()).add(file));
}

async function judgeLinks(
  site: Site,
  { links, ids, note }: { links: Targets; ids: ReadonlyMap<string, ReadonlySet<string>>; note: Note },
): Promise<void> {
  const answers = new Map<string, Pick<Answer, "status" | "location">>();
  for (const [link, files] of links) {
    const [bare = "", hash = ""] = link.split("#");
    const anchors = ids.get(bare);
    const answer = answers.get(bare) ?? (anchors ? { status: 200, location: null } : await site.get(bare));
    answers.set(bare, answer);
    const { status, location } = answer;
    for (const file of files) {
      if (status >= 400) note(`link answers ${status}`, file, link);
      else if (location !== null) note("link redirects", file, `${link} to ${location}`);
      else if (hash !== "" && anchors?.has(decodeURIComponent(hash)) === false) note("link to no heading", file, link);
    }
  }
}

function judgeNavigation(docs: Docs, note: Note): void {
  const listed = new Set(routesBelow(docs.navigation));
  for (const { route, path: file, hidden } of docs.pages.values())
    if (!listed.has(route) && !hidden) note("not in the navigation", file, route);
  for (const route of listed) if (!docs.pages.has(route)) note("navigation without a page", "navigation", route);
}

/** A message without what differs between its places. */
function kindOf(message: string): string {
  return message.replaceAll(/"[^"]*"|<[^>]*>|\S*[/.]\S+/g, "…").slice(0, 120);
}

function outline(nodes: readonly NavigationNode[], indent: string): string {
  const lines = nodes.map((node) => {
    if (!isSection(node)) return `${indent}${node.title}  ${node.kind === "link" ? node.href : node.route}`;
    return `${indent}[${node.kind}] ${node.title}  ${node.route ?? ""}\n${outline(node.children, `${indent}  `)}`;
  });
  return lines.join("\n");
}
