import { AppError } from "#lib/app-error.ts";
import type { Project } from "#projects/project.ts";
import { deleteProject, finishDeletions } from "#projects/delete-project.ts";
import { createProject, listProjects, requireProject } from "#projects/projects.ts";
import { setProject, setProjectSecret, showProject } from "./project-settings.ts";
import { connect, removeWebhookOf, replaceProjectTokenOf, showWebhook } from "./project-connections.ts";
import { ACCESS_USAGE, endProjectVisits, printSiteLink, setProjectAccess } from "./project-access.ts";
import { APIS_USAGE, manageApis } from "./project-apis.ts";
import { DOMAINS_USAGE, manageDomains } from "./project-domains.ts";
import { manageSources, SOURCES_USAGE } from "./project-sources.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { cloneProgress } from "#git/transfer/clone-progress.ts";
import { createProgressLine } from "./progress.ts";
import { openInstance, type OpenInstance, repositoryUrlOf, siteUrlOf } from "./open-instance.ts";

export const projects: Command = {
  usage: `docent projects create NAME [--repo PATH_OR_URL] [--branch main] [--token-file FILE | --github-app] [--host KIND]
docent projects token PROJECT --token-file FILE
docent projects webhook PROJECT
docent projects list
docent projects show PROJECT
docent projects set PROJECT NAME [VALUE]
docent projects secret PROJECT NAME < FILE
docent projects delete PROJECT [--yes]
${SOURCES_USAGE}
${DOMAINS_USAGE}
${ACCESS_USAGE}
${APIS_USAGE}

create copies a git repository into Docent's own code host and serves it at
http://{name}.localhost:4000/. Without --repo the repository starts empty: push to it.
With a token the repository stays where it is, and Docent follows it: pushes there
are live here, and the agent opens its pull requests there. token replaces the token;
webhook shows what to enter at the host, so that it says at once what happened there.

set changes one setting; without a value it takes it out:
  contentRoot      folder of the docs, where docs.json does not say it
  model            model for jobs that name none, for example anthropic/claude-sonnet-4-5
  instructions     standing instructions for the agent
  draftOnFindings  true: a change with findings becomes a draft pull request instead of failing
  publicPullRequests  true: everybody may read pull requests and previews, not the project's people alone
  mention          name that comments for the agent begin with at the code host (docent); off: no comments
  previewPosts     status, comment or off: how previews of pull requests are shown at the code host
  publicAddress    https://example.com/docs: where another site shows this one, maybe below a path
  redirectToMainDomain  true: readers who come by another name are led to the main domain
  apiHosts         JSON: hosts that the server asks for descriptions of APIs, as api hosts sets them
  apiProxy         true: requests that readers try on API pages go through this server
  models           JSON: own providers and allowed models, as in DOCENT_MODELS
  analytics        JSON: collect, identity, retentionDays, countPrivate, excludedNetworks, allowedOrigins, feedback
delete removes a project for good: repository, jobs, keys, pull requests, counts. It asks first; --yes answers.
domain gives the site names of its own, the first of them the main one: its DNS has to lead to this server.
access says who may read the site: public, password (from standard input), dashboard (who may sign in
there) or links; every change ends what let somebody in before. link makes an address that opens a private
site, sign-out ends all of them and every sign-in.
api hosts names the hosts that the server asks for descriptions of APIs which the docs name by address, all of
them each time, none to turn it off; list shows what is kept, read has the addresses asked again now. api proxy
has the requests that readers try on API pages go through the server.
sources names further repositories, such as the product's code, that the agent reads and never writes.
secret stores a provider's key for this project, encrypted; nothing on standard input takes it out.

Options
  --repo PATH_OR_URL   a local repository or an https:// address
  --branch NAME        branch to publish (default: the repository's own default branch)
  --token-file FILE    token of the code host, in a file; - for standard input
  --github-app         in place of a token: the GitHub App of this server (docent github-app)
  --host KIND          github, gitlab, gitea or forgejo, where the address does not tell
  --path PATH          page that the link opens (default: the first)
  --days N             days that the link lives (default 7)
  --data DIR           data directory (default ./data, or DOCENT_DATA)
  --json               one JSON object (create) or array (list) on standard output

Example
  docent projects create "Harbor docs" --repo ./harbor-docs
  docent keys create harbor-docs`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "show") return showProject(rest, io);
    if (action === "set") return setProject(rest, io);
    if (action === "secret") return setProjectSecret(rest, io);
    if (action === "delete") return removeProject(rest, io);
    if (action === "webhook") return showWebhook(rest, io);
    if (action === "sources") return manageSources(rest, io);
    if (action === "domain") return manageDomains(rest, io);
    if (action === "api") return manageApis(rest, io);
    if (action === "access") return setProjectAccess(rest, io);
    if (action === "link") return printSiteLink(rest, io);
    if (action === "sign-out") return endProjectVisits(rest, io);
    if (action === "token") return replaceProjectTokenOf(rest, io);
    if (action !== "create" && action !== "list") {
      throw new UsageError(
        "projects takes `create`, `list`, `show`, `set`, `secret`, `token`, `webhook`, `sources`, `domain`, `access`, `link`, `sign-out`, `api` or `delete`.",
      );
    }
    if (action === "create") {
      const { values, positionals } = readArguments(
        rest,
        {
          repo: { type: "string" },
          branch: { type: "string" },
          "token-file": { type: "string" },
          host: { type: "string" },
          "github-app": { type: "boolean" },
        },
        { min: 1, max: 1, names: "one NAME (in quotes when it has spaces)" },
      );
      await using instance = await openInstance({ ...values, mayMakeStore: true });
      const name = positionals[0]!;
      const { repo, host, branch = null, "token-file": tokenFile, "github-app": byApp } = values;
      if (tokenFile !== undefined && byApp)
        throw new AppError("invalid", "Say --token-file or --github-app, not both.");
      if (host !== undefined && tokenFile === undefined && !byApp) {
        throw new AppError(
          "invalid",
          "--host goes with --token-file or --github-app. Without them the repository is copied, and no host is asked.",
        );
      }
      const project =
        tokenFile === undefined && !byApp
          ? await copyIntoProject(instance, io, { name, source: repo ?? null, branch })
          : await connect(instance, io, { name, url: repo, tokenFile: tokenFile ?? null, host, branch });
      const json = await projectToJson(instance, project);
      if (values.json) return writeLine(io.stdout, JSON.stringify(json));
      writeLine(io.stdout, `Created ${project.name} (${project.id}) from branch ${project.branch}.`);
      writeLine(io.stdout, `Site        ${json.siteUrl}`);
      writeLine(io.stdout, `Repository  ${json.repositoryUrl}`);
      writeLine(io.stdout, `Next        docent keys create ${project.slug}`);
      // An app has a webhook of its own.
      if (project.codeHost !== "embedded" && !byApp) {
        writeLine(
          io.stdout,
          `            docent projects webhook ${project.slug}: what to enter at the host where Docent cannot, so that pushes are live at once`,
        );
      }
      return;
    }
    const { values } = readArguments(rest, {}, { min: 0, max: 0, names: "" });
    await using instance = await openInstance(values);
    const all = await Promise.all((await listProjects(instance)).map((project) => projectToJson(instance, project)));
    if (values.json) return writeLine(io.stdout, JSON.stringify(all));
    if (all.length === 0)
      return writeLine(io.stdout, "No projects yet. `docent projects create NAME --repo PATH_OR_URL` makes one.");
    writeLine(
      io.stdout,
      table(
        ["ID", "NAME", "BRANCH", "SITE"],
        all.map((row) => [row.id, row.name, row.branch, row.siteUrl]),
      ),
    );
  },
};

/** Makes a project of a copied repository, with the copy's progress on one line of the terminal. */
export async function copyIntoProject(
  instance: OpenInstance,
  io: CommandIo,
  given: { name: string; source: string | null; branch: string | null },
): Promise<Project> {
  using progress = createProgressLine(io);
  const onProgress = (line: string) => {
    const words = cloneProgress(line);
    if (words !== null) progress.show(words);
  };
  return await createProject(instance, { ...given, signal: io.signal, onProgress });
}

async function removeProject(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { yes: { type: "boolean" } },
    { min: 1, max: 1, names: "one PROJECT" },
  );
  await using instance = await openInstance(values);
  const deps = { ...instance, dataDirectory: instance.config.dataDirectory };
  await finishDeletions(deps);
  const project = await requireProject(instance, positionals[0]!);
  const { slug, id } = project;
  const isWanted = values.yes === true || (await io.confirm(`Delete ${slug} (${id}) with all that belongs to it?`));
  if (isWanted === null) throw new AppError("conflict", `Nothing was deleted. Say --yes to delete ${slug} for good.`);
  if (!isWanted) return writeLine(io.stderr, "Nothing was deleted.");
  await removeWebhookOf(instance, io, project);
  await deleteProject(deps, project);
  writeLine(io.stdout, values.json ? JSON.stringify({ id, slug, deleted: true }) : `Deleted ${slug} (${id}).`);
}

async function projectToJson(instance: OpenInstance, project: Project) {
  return {
    id: project.id,
    slug: project.slug,
    name: project.name,
    branch: project.branch,
    source: project.sourceUrl,
    siteUrl: await siteUrlOf(instance, project),
    codeHost: project.codeHost,
    repositoryUrl: repositoryUrlOf(instance, project),
    createdAt: project.createdAt.toISOString(),
  };
}
