import type { Schemas } from "#client/client.ts";
import { AppError } from "#lib/app-error.ts";
import { actionOn, ONE_PROJECT, onProject, runAction } from "#cli/command/action.ts";
import type { Command } from "#cli/command/command.ts";
import type { Docent } from "#cli/command/docent.ts";
import { type CommandIo, table, writeLine } from "#cli/command/io.ts";
import { createProgressLine } from "#cli/command/progress.ts";
import { printedProject } from "./printed-project.ts";
import { setProjectAccess } from "./project-access.ts";
import { manageApis } from "./project-apis.ts";
import { manageDomains } from "./project-domains.ts";
import { endProjectVisits, printSiteLink } from "./project-links.ts";
import { archiveProject, setProject, setProjectSecret, showProject } from "./project-settings.ts";
import { manageSources } from "./project-sources.ts";
import { readToken } from "./read-token.ts";

export const projects: Command = {
  usage: `docent projects create NAME [--repo PATH_OR_URL] [--branch main] [--token-file FILE | --github-app] [--host KIND]
docent projects token PROJECT --token-file FILE
docent projects webhook PROJECT
docent projects list
docent projects show PROJECT
docent projects set PROJECT NAME [VALUE]
docent projects secret PROJECT NAME < FILE
docent projects archive PROJECT
docent projects unarchive PROJECT
docent projects delete PROJECT [--yes]
docent projects sources add PROJECT NAME --repo URL [--token-file FILE] [--branch NAME] [--host KIND]
docent projects sources list PROJECT
docent projects sources token PROJECT NAME --token-file FILE
docent projects sources remove PROJECT NAME
docent projects domain add PROJECT DOMAIN
docent projects domain list PROJECT
docent projects domain main PROJECT DOMAIN
docent projects domain remove PROJECT DOMAIN
docent projects access PROJECT [MODE]
docent projects link PROJECT [--path PATH] [--days N]
docent projects sign-out PROJECT
docent projects api list PROJECT
docent projects api hosts PROJECT [HOST …]
docent projects api proxy PROJECT on|off
docent projects api read PROJECT

create copies a git repository into Docent's own code host and serves it at
http://{name}.localhost:4000/. Without --repo the repository starts empty: push to it.
With a token the repository stays where it is, and Docent follows it: pushes there
are live here, and the agent opens its pull requests there. token replaces the token;
webhook shows what to enter at the host, so that it says at once what happened there.

set changes one setting; without a value it takes it out:
  name             what people call it
  slug             its part of addresses; earlier ones redirect
  branch           branch to publish
  contentRoot      folder of the docs, where docs.json does not say it
  model            model for jobs that name none, for example anthropic/claude-sonnet-4-5
  effort           low, medium or high: how long models think in jobs that do not set an effort
  instructions     standing instructions for the agent
  unseenWords      refuse: words that agents would read and people may not see stop a change (default report)
  draftOnFindings  true: a change with findings becomes a draft pull request instead of failing
  publicPullRequests  true: everybody may read pull requests and previews, not the project's people alone
  mention          name that comments for the agent begin with at the code host (docent); off: no comments
  previewPosts     status, comment or off: how previews of pull requests are shown at the code host
  publicAddress    https://example.com/docs: where another site shows this one, maybe below a path
  externalSite     https://docs.example.com: where another service, such as Vercel, publishes the site; pages here
                   redirect there
  redirectToMainDomain  true: readers who come by another name are led to the main domain
  apiHosts         JSON: hosts that the server asks for descriptions of APIs, as api hosts sets them
  apiProxy         true: requests that readers try on API pages go through this server
  webHosts         JSON: hosts whose web pages the agent may read, such as ["www.example.com"]
  quotas           JSON: jobsPerDay, storageMb; with a key of the instance. null resets one to the server's
  models           JSON: own providers and allowed models, as in DOCENT_MODELS
  analytics        JSON: collect, identity, retentionDays, countPrivate, excludedNetworks, allowedOrigins, feedback;
                   fields that are left out stay, null resets one
archive keeps the site up and refuses jobs, automations and pushes; unarchive ends that.
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

All but webhook work at a server too (docent help places): create and list with a key of the instance, the others with an admin
key of the project as well. webhook shows a secret, and works beside the data directory alone.

Options
  --repo PATH_OR_URL   a local repository (beside the data directory alone) or an https:// address
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
  run: (args, io) => runAction("projects", ACTIONS, args, io),
};

const text = { type: "string" } as const;
type HostKind = NonNullable<NonNullable<Schemas["NewProject"]["repository"]>["host"]>;

const create = actionOn(
  () => "new project",
  { min: 1, max: 1, names: "one NAME (in quotes when it has spaces)" },
  { repo: text, branch: text, "token-file": text, host: text, "github-app": { type: "boolean" } } as const,
  ({ words: [name], values, io }) => {
    const { repo = null, branch, host: kind, "token-file": tokenFile, "github-app": app = false } = values;
    if (tokenFile !== undefined && app) throw new AppError("invalid", "Say --token-file or --github-app, not both.");
    const isCopied = tokenFile === undefined && !app;
    if (kind !== undefined && isCopied) {
      throw new AppError(
        "invalid",
        "--host goes with --token-file or --github-app. Without them the repository is copied, and no host is asked.",
      );
    }
    if (repo === null && !isCopied) {
      throw new AppError("invalid", "--token-file and --github-app go with --repo and the address of a repository.");
    }
    return async (docent) => {
      const token = tokenFile === undefined ? undefined : (await readToken(io, tokenFile)).reveal();
      const project =
        docent.beside && repo !== null && isCopied
          ? await copied(docent, { name: name!, source: repo, branch: branch ?? null }, io)
          : await docent.call("createProject", {
              body: {
                name: name!,
                ...(branch !== undefined && { branch }),
                ...(repo !== null && {
                  repository: {
                    url: addressOf(repo),
                    ...(token && { token }),
                    ...(app && { app }),
                    ...(kind && { host: kind as HostKind }),
                  },
                }),
              },
            });
      const { id, slug, siteUrl, repository } = project;
      const lines = [
        `Created ${project.name} (${id}) from branch ${project.branch}.`,
        `Site        ${siteUrl}`,
        `Repository  ${repository.url}`,
        `Next        docent keys create ${slug}`,
      ];
      // A GitHub App has its own webhook.
      if (repository.host !== "embedded" && !app) {
        lines.push(
          `            docent projects webhook ${slug}: what to enter at the host where Docent cannot, so that pushes are live at once`,
        );
      }
      return { json: printedProject(project), text: lines.join("\n") };
    };
  },
);

/** On a data directory, a repository can be copied from a folder, or from a URL that only this machine can reach. */
async function copied(
  { beside, call }: Docent,
  input: { name: string; source: string; branch: string | null },
  io: CommandIo,
): Promise<Schemas["Project"]> {
  const { createProject } = await import("#features/projects/projects.ts");
  const { cloneProgress } = await import("#git/transfer/clone-progress.ts");
  using line = createProgressLine(io);
  const onProgress = (text: string) => line.show(cloneProgress(text) ?? "");
  const { id } = await createProject(beside!, { ...input, signal: io.signal, onProgress });
  return call("getProject", { projectId: id });
}

function addressOf(repo: string): string {
  if (/^https?:/i.test(repo)) return repo;
  throw new AppError(
    "invalid",
    "--repo takes a path beside the data directory alone. A server is given an https:// address; or create the project without --repo and push to it.",
  );
}

const list = actionOn(
  () => "instance",
  { min: 0, max: 0, names: "" },
  {},
  () =>
    async ({ all }) => {
      const found = (await all("listProjects", {})).map(printedProject).toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
      const rows = found.map((row) => [
        row.id,
        row.name + (row.archivedAt === null ? "" : " (archived)"),
        row.branch,
        row.siteUrl,
      ]);
      const none = "No projects yet. `docent projects create NAME --repo PATH_OR_URL` makes one.";
      return { json: found, text: rows.length === 0 ? none : table(["ID", "NAME", "BRANCH", "SITE"], rows) };
    },
);

/** Replaces the token of a connected project without an interruption. */
const replaceToken = onProject(ONE_PROJECT, { "token-file": text }, ({ values: { "token-file": file }, io }) => {
  if (file === undefined) throw new AppError("invalid", "--token-file FILE is missing; - reads standard input.");
  return async ({ call }) => {
    const { id, slug, connection } = await call("getProject");
    if (connection === null) throw new AppError("not_found", `${slug} is not connected to a code host.`);
    await call("replaceProjectToken", { body: { token: (await readToken(io, file)).reveal() } });
    return { json: { id, replaced: true }, text: "The new token is in use." };
  };
});

const remove = onProject(ONE_PROJECT, { yes: { type: "boolean" } }, ({ values, io }) => async ({ call }) => {
  const { id, slug, name } = await call("getProject");
  const isConfirmed = values.yes === true || (await io.confirm(`Delete ${slug} (${id}) with all that belongs to it?`));
  if (isConfirmed === null)
    throw new AppError("conflict", `Nothing was deleted. Say --yes to delete ${slug} for good.`);
  if (!isConfirmed) return writeLine(io.stderr, "Nothing was deleted.");
  await call("deleteProject", { query: { name } });
  return { json: { id, slug, deleted: true }, text: `Deleted ${slug} (${id}).` };
});

const ACTIONS = {
  create,
  list,
  show: showProject,
  set: setProject,
  secret: setProjectSecret,
  token: replaceToken,
  // Works on a data directory only, and imports the store.
  webhook: async (args: readonly string[], io: CommandIo) =>
    (await import("./project-webhook.ts")).showWebhook(args, io),
  sources: manageSources,
  domain: manageDomains,
  access: setProjectAccess,
  link: printSiteLink,
  "sign-out": endProjectVisits,
  api: manageApis,
  archive: archiveProject(true),
  unarchive: archiveProject(false),
  delete: remove,
};
