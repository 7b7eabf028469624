import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createContentProcess } from "#docs/render/process/content-process.ts";
import { siteUrl } from "#app/instance/site-url.ts";
import { AppError } from "#lib/app-error.ts";
import type { Project } from "#features/projects/project.ts";
import { requireProject } from "#features/projects/projects.ts";
import { readSiteAccess } from "#features/projects/site-access.ts";
import { createKeptAddresses } from "#features/sites/api-addresses/kept-addresses.ts";
import { exportSite } from "#features/sites/export/export-site.ts";
import { siteOf } from "#features/sites/site-project.ts";
import { createLargeFiles } from "#features/sites/media/large-files.ts";
import { type Command, readArguments, UsageError } from "#cli/command/command.ts";
import { openExportFolder } from "./export-folder.ts";
import { type CommandIo, writeLine } from "#cli/command/io.ts";
import { openInstance, type OpenInstance, siteUrlOf } from "#cli/command/open-instance.ts";
import { createProgressLine } from "#cli/command/progress.ts";

const PRIVATE_SITE =
  "This site is private here. Wherever you put its files, everyone who can reach them can read them.";
const SHOWN_WARNINGS = 20;
const PROGRESS_AFTER_MS = 2_000;

/** `docent export`. */
export const exportCommand: Command = {
  usage: `docent export PROJECT --out DIR [--url URL] [--data DIR] [--json]

Writes the site of a project into a folder that any web server can serve: pages, their Markdown, files, llms.txt,
sitemap, redirects, 404.html, and a search that needs no server. Views are not counted there.

  --out DIR   new or empty folder, or an earlier export, which is replaced once the new one is complete
  --url URL   address at which the site will be published, such as https://docs.example.com, for the sitemap and links in
              Markdown (default: the site's main domain, otherwise its address on this server). It cannot have a path

A folder DIR.unfinished is from an interrupted export. The next export removes it. If the exit status is 1, nothing was replaced.`,

  async run(args, io) {
    const { values, positionals } = readArguments(
      args,
      { out: { type: "string" }, url: { type: "string" } },
      { min: 1, max: 1, names: "one PROJECT" },
    );
    if (!values.out) throw new UsageError("--out DIR is missing: the folder for the site.");
    await using instance = await openInstance(values);
    const project = await requireProject(instance, positionals[0]!);
    const origin = originOf(values.url ?? (await addressOf(instance, project)));
    const target = path.resolve(values.out);
    await using folder = await openExportFolder(target);
    await using stack = new AsyncDisposableStack();
    const { logger, repoStore, clock, database } = instance;
    const contentProcess = stack.use(createContentProcess({ logger }));
    const temporary = await mkdtemp(path.join(tmpdir(), "docent-export-"));
    stack.defer(() => rm(temporary, { recursive: true, force: true }));
    const largeFiles = stack.use(createLargeFiles({ repoStore, directory: temporary }));
    // Uses the copies of API descriptions that the server fetched; requests none.
    const addresses = { ...createKeptAddresses({ database, clock, logger }), want: () => undefined };
    using progress = createProgressLine(io);
    const startedAt = performance.now();
    const exported = await exportSite(
      { repoStore, addresses, contentProcess, largeFiles, logger, clock },
      {
        project: siteOf(project),
        origin,
        write: folder.write,
        signal: io.signal,
        onProgress(done, total) {
          if (performance.now() - startedAt < PROGRESS_AFTER_MS) return;
          progress.show(`${done.toLocaleString("en")} of ${total.toLocaleString("en")} pages`);
        },
      },
    );
    const { commit, pages, files } = exported;
    const { mode } = await readSiteAccess(instance.database.kysely, project.id);
    const warnings = mode === "public" ? exported.warnings : [PRIVATE_SITE, ...exported.warnings];
    await folder.finish({ project: project.slug, commit, url: origin, pages });
    progress[Symbol.dispose]();
    if (values.json)
      return writeLine(io.stdout, JSON.stringify({ folder: target, url: origin, ...exported, warnings }));
    writeLine(
      io.stdout,
      `Exported ${project.slug} at ${commit.slice(0, 7)}: ${pages.toLocaleString("en")} pages, ${files.toLocaleString("en")} files in ${target}.`,
    );
    tellWarnings(io, warnings);
  },
};

function tellWarnings(io: CommandIo, warnings: readonly string[]): void {
  for (const warning of warnings.slice(0, SHOWN_WARNINGS)) writeLine(io.stderr, `Warning: ${warning}`);
  const more = warnings.length - SHOWN_WARNINGS;
  if (more > 0) writeLine(io.stderr, `And ${more} more: --json has them all.`);
}

/** The URL in the site's pages, if it is the root of a host. */
async function addressOf(instance: OpenInstance, project: Project): Promise<string> {
  const url = await siteUrlOf(instance, project);
  const { baseUrl, config } = instance;
  return new URL(url).pathname === "/" ? url : siteUrl(baseUrl, config.siteDomain, project.slug);
}

function originOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.pathname === "/") return parsed.origin;
  throw new AppError("invalid", "--url takes an address without a path, such as https://docs.example.com.");
}
