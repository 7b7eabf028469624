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

create copies a git repository into Docent's own code host and serves it at http://{name}.localhost:4000/.
Without --repo, the repository starts empty, for you to push to. With --token-file or --github-app, the
repository stays on its host: Docent publishes every push there, and the agent opens its pull requests there.
token replaces the token. webhook shows what to enter at the host, so that pushes are noticed immediately.

set changes one setting, or removes it if you give no value:
  name             name of the project
  slug             name in addresses; earlier ones redirect
  branch           branch to publish
  contentRoot      folder of the docs, if docs.json does not set it
  model            model for jobs that do not name one, such as anthropic/claude-sonnet-4-5
  effort           low, medium or high: how long models think, in jobs that do not set it
  instructions     standing instructions for the agent
  unseenWords      refuse: reject changes with words that agents read and people may not see (default report)
  draftOnFindings  true: a change with findings becomes a draft pull request instead of failing
  publicPullRequests  true: everyone can read pull requests and previews, not only members of the project
  mention          name that starts a comment for the agent at the code host (default docent); off: no comments
  previewPosts     status, comment or off: how previews of pull requests are shown at the code host
  publicAddress    https://example.com/docs: address at which another site shows this one
  externalSite     https://docs.example.com: address at which another service, such as Vercel, publishes the site;
                   pages here redirect there
  redirectToMainDomain  true: other domains redirect to the main domain
  apiHosts         JSON: hosts from which the server fetches API descriptions, as in api hosts
  apiProxy         true: requests from the API pages go through this server
  webHosts         JSON: hosts whose web pages the agent can read, such as ["www.example.com"]
  quotas           JSON: jobsPerDay, storageMb; needs an instance key. null resets a field to the server's default
  models           JSON: providers and allowed models, as in DOCENT_MODELS
  analytics        JSON: collect, identity, retentionDays, countPrivate, excludedNetworks, allowedOrigins, feedback;
                   omitted fields stay unchanged, null resets a field

archive keeps the site online and refuses jobs, automations and pushes. unarchive reverses it.
delete deletes a project permanently: repository, jobs, keys, pull requests and counts. It asks for confirmation;
--yes skips the question.
domain adds domains to the site. The first one is the main domain. Its DNS records must point to this server.
access sets who can read the site: public, password (read from standard input), dashboard (members of the project)
or links. Each change signs out everyone who had access before. link creates a link that opens a private site;
sign-out invalidates all links and ends all sessions of readers.
api hosts sets the hosts from which the server fetches API descriptions that the docs name by URL. Give the full
list; an empty list turns it off. api list shows the fetched descriptions, api read fetches them again now, and
api proxy sends requests from the API pages through the server.
sources adds other repositories, such as the product's code, that the agent can read but not change.
secret stores a provider's API key for this project, encrypted. Empty standard input removes it.

All actions except webhook also work at a server (docent help places): create and list with an instance key, the others
also with a project key of the scope admin. webhook shows a secret and works only on the data directory.

Options
  --repo PATH_OR_URL   a local repository (only on the data directory) or an https:// address
  --branch NAME        branch to publish (default: the repository's own default branch)
  --token-file FILE    file with the token of the code host; - reads standard input
  --github-app         use the GitHub App of this server instead of a token (docent github-app)
  --host KIND          github, gitlab, gitea or forgejo, if the address does not show it
  --path PATH          page that the link opens (default: the first page)
  --days N             days until the link expires (default 7)
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
    if (tokenFile !== undefined && app) throw new AppError("invalid", "Give --token-file or --github-app, not both.");
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
    throw new AppError("conflict", `Nothing was deleted. To delete ${slug} permanently, add --yes.`);
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
