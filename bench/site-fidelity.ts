import { execFile } from "node:child_process";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { isSection, routesBelow, type NavigationNode } from "#docs/tree/navigation.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { createIcons } from "#docs/render/icons.ts";
import type { RenderedPage } from "#docs/render/page.ts";
import { causeOf, type Cause } from "./site-fidelity/causes.ts";
import { expectedEntries, type ExpectedEntry } from "./site-fidelity/expected.ts";
import { serveSite } from "./site-fidelity/serve-site.ts";
import { lostTexts, textsOfSource } from "./site-fidelity/words.ts";

const HELP = `Serves documentation repositories unchanged and compares every entry of their navigation with its source.

  npm run bench bench/site-fidelity.ts -- --repo PATH [--repo PATH …] [--limit N] [--list] [--json]

  --repo    a repository with a docs.json in it (its newest commit counts)
  --limit   entries of each repository, evenly spread
  --list    every finding with its page, not only the causes
`;

const { values } = parseArgs({
  options: {
    repo: { type: "string", multiple: true, default: [] },
    limit: { type: "string", default: "1000000" },
    list: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help || values.repo.length === 0) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

interface Finding extends Cause {
  page: string;
  detail: string;
}

const directory = await mkdtemp(path.join(tmpdir(), "docent-fidelity-"));
const run = promisify(execFile);
try {
  const reports = [];
  for (const [index, repo] of values.repo.entries()) {
    const report = await judge(repo, path.join(directory, String(index)));
    reports.push(report);
    if (!values.json) print(report);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function judge(source: string, work: string) {
  await using site = await serveSite(source, work);
  const { docs, get } = site;
  const checkout = path.join(work, "checkout");
  await run("git", ["clone", "--quiet", "--shared", source, checkout]);

  const listed = new Set(routesBelow(docs.navigation));
  const folder = path.join(checkout, docs.contentRoot);
  const all = await expectedEntries(folder);
  const step = Math.max(1, all.length / Number(values.limit));
  const entries = all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const findings: Finding[] = [];
  const judged = new Map<string, { ours: boolean; author: boolean }>();
  const note = (page: string, cause: Cause, detail: string) => {
    findings.push({ page, ...cause, detail });
    const known = judged.get(page) ?? { ours: false, author: false };
    known[cause.fault] = true;
    judged.set(page, known);
  };
  const missingOperation = await missingOperationsOf(checkout, docs);
  const startedAt = performance.now();
  const seen = new Set<string>();
  for (const entry of entries) {
    for (const { name, route } of await routesOf(entry, { docs, folder, note, missingOperation })) {
      if (seen.has(route)) continue;
      seen.add(route);
      if (!judged.has(name)) judged.set(name, { ours: false, author: false });
      await judgePage(name, route);
    }
  }
  for (const name of missingIcons(docs.navigation)) note("navigation", causeOf("There is no icon"), name);
  judged.delete("navigation");

  async function judgePage(name: string, route: string): Promise<void> {
    let answer = await get(route);
    for (let hops = 0; answer.location !== null && hops < 3; hops += 1) answer = await get(answer.location);
    const page = docs.pages.get(route);
    if (answer.status !== 200) return note(name, { fault: "ours", name: `answers ${answer.status}` }, route);
    if (page === undefined) return note(name, { fault: "ours", name: "leads to another page" }, route);
    if (!listed.has(route)) note(name, { fault: "ours", name: "is not in the navigation" }, route);
    const content = answer.rendered;
    if (content === null) return note(name, { fault: "ours", name: "was not rendered" }, route);
    if (!answer.text.includes(escaped(page.title)))
      note(name, { fault: "ours", name: "shows another title" }, page.title);
    const source = page.isGenerated ? "" : await readFile(path.join(checkout, page.path), "utf8");
    for (const { line, message } of content.warnings)
      note(name, causeOf(message, source), `${line ?? "-"}: ${message}`);
    if (!page.isGenerated) judgeWords(name, { page, content, source });
    const documents = page.operation !== null || page.openapi !== null || page.api !== null;
    if (documents && content.operation === null) note(name, missingOperation(page.openapi ?? ""), route);
  }

  function judgeWords(
    name: string,
    { page, content, source }: { page: Page; content: RenderedPage; source: string },
  ): void {
    const texts = textsOfSource(source, page.format);
    const lost = texts === null ? [] : lostTexts(texts, content.html);
    if (lost.length > 0) note(name, { fault: "ours", name: "lost words" }, lost.slice(0, 12).join(" | "));
    for (const { src } of content.images) {
      const asset = src.replace(/[?#].*/s, "");
      if (asset.startsWith("/") && !docs.assets.has(asset))
        note(name, { fault: "author", name: "image is not in the repository" }, src);
    }
  }

  const total = judged.size;
  const share = (count: number) => Math.round((count / Math.max(1, total)) * 10_000) / 100;
  const states = [...judged.values()];
  return {
    repository: path.basename(source),
    entries: entries.length,
    pages: total,
    withoutOurFault: share(states.filter(({ ours }) => !ours).length),
    withoutAny: share(states.filter(({ ours, author }) => !ours && !author).length),
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    problems: docs.problems.length,
    causes: grouped(findings),
    ...(values.list ? { findings, problemList: docs.problems } : {}),
  };
}

/** The addresses that an entry should lead to; impossible ones are recorded. */
async function routesOf(
  entry: ExpectedEntry,
  {
    docs,
    folder,
    note,
    missingOperation,
  }: {
    docs: Docs;
    folder: string;
    note(page: string, cause: Cause, detail: string): void;
    missingOperation(reference: string): Cause;
  },
): Promise<{ name: string; route: string }[]> {
  if (entry.kind === "page") {
    const name = entry.reference.replace(/[?#].*/s, "").replace(/^\/+|\.mdx?$/g, "");
    const files = [".mdx", ".md", "/index.mdx", "/index.md", "/README.mdx", "/README.md"];
    const found = await Promise.all(files.map((end) => isFile(path.join(folder, name + end))));
    if (!found.includes(true)) {
      note(name, { fault: "author", name: "names a page that does not exist" }, name);
      return [];
    }
    const page = [...docs.pages.values()].find(({ path: file }) => {
      const stem = file.replace(/\.(mdx?|markdown)$/i, "");
      const wanted = path.posix.join(docs.contentRoot, name);
      return stem === wanted || stem.toLowerCase() === `${wanted}/index` || stem.toLowerCase() === `${wanted}/readme`;
    });
    if (page === undefined) note(name, { fault: "ours", name: "file is no page" }, name);
    if (
      page?.hidden === true &&
      /^hidden:\s*true/m.test(await readFile(path.join(folder, page.path.slice(docs.contentRoot.length)), "utf8"))
    )
      return [];
    return page === undefined ? [] : [{ name, route: page.route }];
  }
  const pages = [...docs.pages.values()].filter(({ operation }) => operation !== null);
  if (entry.kind === "operation") {
    const [, method = "", at = ""] =
      /(\w+)\s+(\S.*)$/.exec(entry.reference.replace(/^\S+\.(?:json|ya?ml)\s+/i, "")) ?? [];
    const page = pages.find(
      ({ operation }) => operation?.method === method.toUpperCase() && slashless(operation.path) === slashless(at),
    );
    if (page !== undefined) return [{ name: entry.reference, route: page.route }];
    note(entry.reference, missingOperation(entry.reference), entry.files.join(", "));
    return [];
  }
  const routes: { name: string; route: string }[] = [];
  for (const file of entry.files) {
    const own = pages.filter(
      ({ operation, isGenerated }) => isGenerated && operation?.file === file.replace(/^\/+/, ""),
    );
    if (own.length === 0) {
      const isAddress = /^https?:/.test(file);
      note(file, { fault: "ours", name: isAddress ? "description at an address" : "description without pages" }, file);
    }
    for (const { route, operation } of own) {
      if (!docs.pages.get(route)?.hidden) routes.push({ name: `${operation?.method} ${operation?.path}`, route });
    }
  }
  return routes;
}

/** Decides whose fault it is that an operation has no page. */
async function missingOperationsOf(checkout: string, docs: Docs): Promise<(reference: string) => Cause> {
  const { stdout } = await run("git", ["-C", checkout, "ls-files", "*.json", "*.yaml", "*.yml"], {
    maxBuffer: 50_000_000,
  });
  let described = "";
  for (const file of stdout.split("\n").filter((line) => line !== "")) {
    const text = await readFile(path.join(checkout, file), "utf8").catch(() => "");
    if (/^[\s{]{0,100}["']?(?:openapi|swagger|asyncapi)["']?\s*:/m.test(text.slice(0, 4_096))) described += text;
  }
  const isElsewhere = docs.config.api.source?.files.some((file) => /^https?:/.test(file)) ?? false;
  return (reference) => {
    const at = /\s(\/?\S+)$/.exec(reference.trim())?.[1] ?? reference;
    if (described.includes(at)) return { fault: "ours", name: "operation without a page" };
    return isElsewhere
      ? { fault: "ours", name: "operation of a description at an address" }
      : { fault: "author", name: "names an operation that is nowhere described" };
  };
}

function slashless(written: string): string {
  return written.trim().replace(/^\/|\/$/g, "");
}

function isFile(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function missingIcons(navigation: readonly NavigationNode[]): string[] {
  const icons = createIcons();
  const missing: string[] = [];
  const visit = (node: NavigationNode): void => {
    const icon = node.kind === "link" ? null : node.icon;
    if (icon && !/[/.]/.test(icon.name) && icons.svg(icon.name, icon.type, icon.library) === null)
      missing.push(icon.name);
    if (isSection(node)) for (const child of node.children) visit(child);
  };
  for (const node of navigation) visit(node);
  return missing;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function grouped(findings: readonly Finding[]) {
  const groups = new Map<string, { fault: string; cause: string; pages: Set<string>; examples: string[] }>();
  for (const { fault, name, page, detail } of findings) {
    const key = `${fault} ${name}`;
    const group = groups.get(key) ?? { fault, cause: name, pages: new Set<string>(), examples: [] };
    groups.set(key, group);
    group.pages.add(page);
    if (group.examples.length < 3) group.examples.push(`${page}: ${detail}`.slice(0, 220));
  }
  return [...groups.values()]
    .map(({ pages, ...group }) => ({ ...group, pages: pages.size }))
    .sort((a, b) => b.pages - a.pages);
}

function print(report: Awaited<ReturnType<typeof judge>>): void {
  const { repository, pages, withoutOurFault, withoutAny, seconds, causes, problems } = report;
  process.stdout.write(
    `\n${repository}: ${pages} pages of the navigation, ${withoutOurFault} % without a fault of ours, ${withoutAny} % without any; ${problems} problems; ${seconds} s\n`,
  );
  for (const { fault, cause, pages: count, examples } of causes) {
    process.stdout.write(`  ${String(count).padStart(5)} ${fault.padEnd(6)} ${cause}\n`);
    for (const example of examples.slice(0, 2)) process.stdout.write(`          ${example}\n`);
  }
}
