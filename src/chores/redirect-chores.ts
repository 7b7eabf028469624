import { z } from "zod";
import { resolveHref } from "#docs/hrefs.ts";
import { anchorsOf } from "#docs/links/headings.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { createRedirects, isPatternSegment } from "#docs/tree/redirects.ts";
import { canonicalPath, encodePath, stripContentRoot, type Route } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { count } from "#tools/outcome.ts";
import { choreTool, type ChoreReport, NeedsAnswer } from "./chore.ts";
import { resolvePage, noSuchName } from "./edits/names.ts";
import { refuseInTool } from "./edits/navigation/other-tools.ts";
import { configurationLinks, insertRedirect, removeRedirectsFrom } from "./edits/navigation/redirect-edits.ts";
import type { Workspace } from "./edits/workspace.ts";

const Address = z.string().trim().min(1).max(400);
const AddInput = z.strictObject({
  from: Address.describe("Address on this site that readers still ask for, such as /old-name or /v1/*"),
  to: Address.describe("Page, address on this site, or https address that they come to"),
});
const RemoveInput = z.strictObject({
  from: Address.describe("Address that the redirect leads away from"),
  to: Address.optional().describe("Where it leads, if that is known: another redirect is left"),
});

const MAX_LISTED_LINKS = 20;

export const redirectTools = [
  choreTool({
    name: "add_redirect",
    description:
      "Adds a redirect from an address without a page to a page. Refuses what would hide a page, lead in a circle or " +
      "replace another redirect.",
    input: AddInput,
    mutates: true,
    run: add,
  }),
  choreTool({
    name: "remove_redirect",
    description: "Removes the redirect from an address. Refuses while links lead by it.",
    input: RemoveInput,
    mutates: true,
    run: remove,
  }),
];

async function add(input: z.infer<typeof AddInput>, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  refuseInTool(docs, "redirects");
  if (docs.configFile === null && docs.tool === null)
    throw new AppError("invalid", "There is no docs.json to hold a redirect.");
  const source = sourceOf(input.from);
  if (docs.tool !== null && source.split("/").some(isPatternSegment))
    throw new AppError(
      "invalid",
      `A redirect of ${docs.tool.title} leads from one address; “${input.from}” is a pattern.`,
    );
  const hidden = docs.pages.get(source)?.path ?? docs.assets.get(source)?.path;
  if (hidden !== undefined) {
    throw new AppError(
      "invalid",
      `“${source}” is the address of ${hidden}, and a page comes before a redirect. Move or remove it with a redirect instead.`,
    );
  }
  const destination = destinationOf(docs, source, input.to);
  const same = docs.config.redirects.filter((redirect) => canonicalSource(redirect.source) === source);
  if (same.some((redirect) => redirect.destination === destination))
    return { summary: `There is a redirect from ${source} to ${destination} already`, notes: [] };
  if (same[0]) {
    throw new NeedsAnswer(`${source} leads to ${same[0].destination} already.`, [
      `Remove the redirect from "${source}" and add a redirect from "${source}" to "${input.to}"`,
    ]);
  }
  refuseCircle(docs, { source, destination });
  if (!(await insertRedirect(workspace, { source, destination })))
    throw new AppError("invalid", "The list of redirects in docs.json cannot be edited: it is no list.");
  return {
    summary: `Added a redirect from ${source} to ${destination}`,
    notes: await destinationNotes(workspace, destination),
  };
}

/** Notes for the reviewer: the target is another site, or an anchor that may be in an included part of the page. */
async function destinationNotes(workspace: Workspace, destination: string): Promise<string[]> {
  if (/^https?:\/\//i.test(destination))
    return [`It leads readers away from this site, to \`${new URL(destination).host}\`.`];
  const [path = "", anchor = ""] = destination.split("#");
  const page = anchor === "" ? undefined : (await workspace.docs()).pages.get(path);
  const parsed = page === undefined ? null : await workspace.page(page.path);
  if (parsed === null || anchorsOf(parsed.root).some(({ id }) => id === anchor)) return [];
  return [`${page?.path} itself has no heading \`#${anchor}\`: check the address.`];
}

/** The address in the form of docs.json and the router. Throws `AppError invalid` if it is not an address of this site. */
function sourceOf(written: string): Route {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(written) || /[?#\s\\]/.test(written)) {
    throw new AppError(
      "invalid",
      `“${written}” is no address on this site: it begins with / and has no “?” and no “#”.`,
    );
  }
  const source = canonicalSource(written);
  if (source === null) throw new AppError("invalid", `“${written}” cannot be redirected.`);
  // People who need such a pattern write it by hand; in an instruction it is mostly a pattern that lost its folder.
  if (isPatternSegment(source.split("/")[1] ?? "")) {
    throw new AppError(
      "invalid",
      `“${written}” would take every address without a page, and readers would never see “not found”. ` +
        "Begin it with a folder, such as /v1/*, or write it into docs.json by hand.",
    );
  }
  return source;
}

function canonicalSource(written: string): Route | null {
  const segments = written.split("/").filter((segment) => segment !== "");
  const canonical = segments.map((segment) =>
    isPatternSegment(segment) ? segment : (canonicalPath(`/${segment}`)?.slice(1) ?? null),
  );
  return canonical.includes(null) ? null : `/${canonical.join("/")}`;
}

function destinationOf(docs: Docs, source: Route, written: string): string {
  if (/^https?:\/\//i.test(written)) {
    const url = URL.canParse(written) ? new URL(written) : null;
    if (url === null || url.username !== "" || url.password !== "")
      throw new AppError("invalid", `“${written}” is no address that readers can be sent to.`);
    return written;
  }
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(written))
    throw new AppError("invalid", `“${written}” is neither a page nor an http address.`);
  const names = written.match(/:[\w-]+\*?|\*/g) ?? [];
  if (names.length > 0) {
    const unknown = names.find((name) => !source.split("/").some((segment) => segment.includes(name)));
    if (unknown !== undefined)
      throw new AppError("invalid", `“${written}” repeats “${unknown}”, which “${source}” does not have.`);
    return written.startsWith("/") ? written : `/${written}`;
  }
  const hash = written.includes("#") ? written.slice(written.indexOf("#")) : "";
  const path = encodePath(written.replace(/[?#].*/s, "").replace(/^\/+/, ""));
  const further = docs.redirects.match(path);
  if (docs.assets.has(path)) return path;
  if (further !== null && !docs.pages.has(path)) return further.location;
  return resolvePage(docs, written).route + hash;
}

/** Refuses a loop by following the new redirect's target as a reader would. */
function refuseCircle(docs: Docs, redirect: { source: Route; destination: string }): void {
  const exists = (path: string) => docs.pages.has(path) || docs.assets.has(path);
  const all = createRedirects([...docs.config.redirects, { ...redirect, permanent: true }], exists);
  const alone = createRedirects([{ ...redirect, permanent: true }], () => true);
  const sample = redirect.source
    .split("/")
    .map((segment) => (isPatternSegment(segment) ? segment.replace(/^:[\w-]+\*?|\*$/, "sample") : segment))
    .join("/");
  const reached = all.match(sample);
  if (reached === null)
    throw new AppError("invalid", `A redirect from ${redirect.source} to ${redirect.destination} leads in a circle.`);
  const first = createRedirects(docs.config.redirects, () => true).match(sample);
  if (first !== null && first.location !== alone.match(sample)?.location)
    throw new AppError(
      "invalid",
      `An earlier redirect takes ${sample} to ${first.location} already, so this one would do nothing.`,
    );
}

async function remove(input: z.infer<typeof RemoveInput>, workspace: Workspace): Promise<ChoreReport> {
  refuseInTool(await workspace.docs(), "redirects");
  const docs = await workspace.docs();
  const source = canonicalSource(input.from);
  const found = docs.config.redirects.filter((redirect) => canonicalSource(redirect.source) === source);
  const [redirect] = found;
  if (source === null || redirect === undefined) {
    throw noSuchName(
      docs.tool?.file ?? "docs.json",
      "redirect from",
      input.from,
      docs.config.redirects.map((each) => each.source),
    );
  }
  if (input.to !== undefined) {
    const requested = destinationOf(docs, source, input.to);
    if (found.some(({ destination }) => destination !== requested && destination !== input.to))
      throw new AppError(
        "invalid",
        `The redirect from ${source} leads to ${redirect.destination}, not to ${requested}.`,
      );
  }
  const places = await linksThrough(workspace, source, found);
  if (places.length > 0) {
    const shown = places.slice(0, MAX_LISTED_LINKS).join(", ");
    const lead = places.length === 1 ? "A link leads" : `${places.length} links lead`;
    throw new NeedsAnswer(`${lead} by this redirect (${shown}), and would be broken without it.`, [
      `Fix broken links and remove the redirect from "${source}"`,
    ]);
  }
  const removed = await removeRedirectsFrom(workspace, (written) => canonicalSource(written) === source);
  if (removed === 0) throw new AppError("invalid", `The redirect from ${source} is in a file that chores do not edit.`);
  const places404 = docs.pages.has(source) ? "" : `, which answers “not found” from now on`;
  return {
    summary: `Removed ${removed === 1 ? "the redirect" : count(removed, "redirect")} from ${source}${places404}`,
    notes: found.map((each) => `It led to \`${each.destination}\`.`),
  };
}

/** The links of pages and of the configuration that need the redirect, as `path:line`. */
async function linksThrough(
  workspace: Workspace,
  source: Route,
  redirects: readonly { source: string; destination: string }[],
): Promise<string[]> {
  const { contentRoot } = await workspace.docs();
  const own = createRedirects(
    redirects.map((each) => ({ ...each, permanent: true })),
    () => true,
  );
  const inPages = (await workspace.links()).links.flatMap((link) => {
    if (link.target?.kind !== "redirect") return [];
    const href = resolveHref(link.url, stripContentRoot(link.path, contentRoot) ?? link.path);
    const path = href.kind === "internal" ? canonicalPath(encodeURI(href.path)) : null;
    return path !== null && own.match(path) !== null ? [`\`${link.path}:${link.line}\``] : [];
  });
  return [...inPages, ...(await configurationLinks(workspace, source))];
}
