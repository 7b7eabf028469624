import { AppError } from "#lib/app-error.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openProjects } from "./open-places.ts";
import { manageApis } from "./project-apis.ts";
import { manageDomains } from "./project-domains.ts";
import { endProjectVisits, printSiteLink } from "./project-links.ts";
import { setProjectAccess } from "./project-access.ts";
import { setProject, setProjectSecret, showProject } from "./project-settings.ts";
import { manageSources } from "./project-sources.ts";
import { around, createProgressLine } from "./progress.ts";
import { readToken } from "./read-token.ts";

type Action = (args: readonly string[], io: CommandIo) => Promise<void>;

// What works beside a data directory alone brings the store along: loaded when it is run.
const ACTIONS: Record<string, Action> = {
  create,
  list,
  show: showProject,
  set: setProject,
  secret: setProjectSecret,
  token: replaceToken,
  webhook: async (args, io) => (await import("./project-connections.ts")).showWebhook(args, io),
  sources: manageSources,
  domain: manageDomains,
  access: setProjectAccess,
  link: printSiteLink,
  "sign-out": endProjectVisits,
  api: manageApis,
  delete: remove,
};

export const projects: Command = {
  usage: `docent projects create NAME [--repo PATH_OR_URL] [--branch main] [--token-file FILE | --github-app] [--host KIND]
docent projects token PROJECT --token-file FILE
docent projects webhook PROJECT
docent projects list
docent projects show PROJECT
docent projects set PROJECT NAME [VALUE]
docent projects secret PROJECT NAME < FILE
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
  contentRoot      folder of the docs, where docs.json does not say it
  model            model for jobs that name none, for example anthropic/claude-sonnet-4-5
  instructions     standing instructions for the agent
  unseenWords      refuse: words that agents would read and people may not see stop a change (default report)
  draftOnFindings  true: a change with findings becomes a draft pull request instead of failing
  publicPullRequests  true: everybody may read pull requests and previews, not the project's people alone
  mention          name that comments for the agent begin with at the code host (docent); off: no comments
  previewPosts     status, comment or off: how previews of pull requests are shown at the code host
  publicAddress    https://example.com/docs: where another site shows this one, maybe below a path
  redirectToMainDomain  true: readers who come by another name are led to the main domain
  apiHosts         JSON: hosts that the server asks for descriptions of APIs, as api hosts sets them
  apiProxy         true: requests that readers try on API pages go through this server
  models           JSON: own providers and allowed models, as in DOCENT_MODELS
  analytics        JSON: collect, identity, retentionDays, countPrivate, excludedNetworks, allowedOrigins, feedback;
                   fields that are left out stay, null resets one
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
  async run(args, io) {
    const [action = "", ...rest] = args;
    const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (known) return known(rest, io);
    const names = Object.keys(ACTIONS).map((name) => `\`${name}\``);
    throw new UsageError(`projects takes ${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`);
  },
};

async function create(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    {
      repo: { type: "string" },
      branch: { type: "string" },
      "token-file": { type: "string" },
      host: { type: "string" },
      "github-app": { type: "boolean" },
    },
    { min: 1, max: 1, names: "one NAME (in quotes when it has spaces)" },
  );
  const { repo = null, host = null, branch = null, "token-file": tokenFile, "github-app": app = false } = values;
  if (tokenFile !== undefined && app) throw new AppError("invalid", "Say --token-file or --github-app, not both.");
  if (host !== null && tokenFile === undefined && !app) {
    throw new AppError(
      "invalid",
      "--host goes with --token-file or --github-app. Without them the repository is copied, and no host is asked.",
    );
  }
  using line = createProgressLine(io);
  await using place = await openProjects({ ...values, mayMakeStore: true }, around(io, line));
  const token = tokenFile === undefined ? null : (await readToken(io, tokenFile)).reveal();
  const project = await place.create({ name: positionals[0]!, repo, branch, token, app, host });
  line[Symbol.dispose]();
  if (values.json) return writeLine(io.stdout, JSON.stringify(project));
  writeLine(io.stdout, `Created ${project.name} (${project.id}) from branch ${project.branch}.`);
  writeLine(io.stdout, `Site        ${project.siteUrl}`);
  writeLine(io.stdout, `Repository  ${project.repositoryUrl}`);
  writeLine(io.stdout, `Next        docent keys create ${project.slug}`);
  // An app has a webhook of its own.
  if (project.codeHost !== "embedded" && !app) {
    writeLine(
      io.stdout,
      `            docent projects webhook ${project.slug}: what to enter at the host where Docent cannot, so that pushes are live at once`,
    );
  }
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values } = readArguments(args, {}, { min: 0, max: 0, names: "" });
  await using place = await openProjects(values, around(io));
  const all = await place.list();
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  if (all.length === 0)
    return writeLine(io.stdout, "No projects yet. `docent projects create NAME --repo PATH_OR_URL` makes one.");
  const rows = all.map((row) => [row.id, row.name, row.branch, row.siteUrl]);
  writeLine(io.stdout, table(["ID", "NAME", "BRANCH", "SITE"], rows));
}

/** Another token for a connected project, without a gap. */
async function replaceToken(args: readonly string[], io: CommandIo): Promise<void> {
  const options = { "token-file": { type: "string" } } as const;
  const { values, positionals } = readArguments(args, options, { min: 1, max: 1, names: "one PROJECT" });
  const file = values["token-file"];
  if (file === undefined) throw new AppError("invalid", "--token-file FILE is missing; - reads standard input.");
  await using place = await openProjects(values, around(io));
  const project = await place.find(positionals[0]!);
  if (project.connection === null) throw new AppError("not_found", `${project.slug} is not connected to a code host.`);
  await place.replaceToken(project, (await readToken(io, file)).reveal());
  writeLine(io.stdout, values.json ? JSON.stringify({ id: project.id, replaced: true }) : "The new token is in use.");
}

async function remove(args: readonly string[], io: CommandIo): Promise<void> {
  const options = { yes: { type: "boolean" } } as const;
  const { values, positionals } = readArguments(args, options, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openProjects(values, around(io));
  const project = await place.find(positionals[0]!);
  const { slug, id } = project;
  const isWanted = values.yes === true || (await io.confirm(`Delete ${slug} (${id}) with all that belongs to it?`));
  if (isWanted === null) throw new AppError("conflict", `Nothing was deleted. Say --yes to delete ${slug} for good.`);
  if (!isWanted) return writeLine(io.stderr, "Nothing was deleted.");
  await place.remove(project);
  writeLine(io.stdout, values.json ? JSON.stringify({ id, slug, deleted: true }) : `Deleted ${slug} (${id}).`);
}
