import { AppError } from "#lib/app-error.ts";
import type { Project } from "#projects/project.ts";
import { createProject, listProjects } from "#projects/projects.ts";
import { siteUrl } from "#site-url.ts";
import { setProject, setProjectSecret, showProject } from "./project-settings.ts";
import { type Command, readArguments } from "./command.ts";
import { table, writeLine } from "./io.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

export const projects: Command = {
  name: "projects",
  summary: "Create, list and set up docs projects",
  usage: `docent projects create NAME [--repo PATH_OR_URL] [--branch main]
docent projects list
docent projects show PROJECT
docent projects set PROJECT NAME [VALUE]
docent projects secret PROJECT NAME < FILE

create copies a git repository into Docent's own code host and serves it at
http://{name}.localhost:4000/. Without --repo the repository starts empty: push to it.

set changes one setting; without a value it takes it out:
  contentRoot      folder of the docs, where docs.json does not say it
  model            model for jobs that name none, for example anthropic/claude-sonnet-4-5
  instructions     standing instructions for the agent
  draftOnFindings  true: a change with findings becomes a draft pull request instead of failing
  models           JSON: own providers and allowed models, as in DOCENT_MODELS
  analytics        JSON: collect, identity, retentionDays, countPrivate, excludedNetworks, allowedOrigins
secret stores a provider's key for this project, encrypted; nothing on standard input takes it out.

Options
  --repo PATH_OR_URL   a local repository or an https:// address
  --branch NAME        branch to publish (default: the repository's own default branch)
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
    if (action !== "create" && action !== "list") {
      throw new AppError("invalid", "projects takes `create`, `list`, `show`, `set` or `secret`.");
    }
    if (action === "create") {
      const { values, positionals } = readArguments(
        rest,
        { repo: { type: "string" }, branch: { type: "string" } },
        { min: 1, max: 1, names: "one NAME (in quotes when it has spaces)" },
      );
      await using workspace = await openWorkspace(values);
      const project = await createProject(workspace, {
        name: positionals[0]!,
        source: values.repo ?? null,
        branch: values.branch ?? null,
        signal: io.signal,
        onProgress: (line) => io.isTerminal && writeLine(io.stderr, line),
      });
      const json = projectToJson(workspace, project);
      if (values.json) return writeLine(io.stdout, JSON.stringify(json));
      writeLine(io.stdout, `Created ${project.name} (${project.id}) from branch ${project.branch}.`);
      writeLine(io.stdout, `Site        ${json.siteUrl}`);
      writeLine(io.stdout, `Repository  ${json.repositoryUrl}`);
      writeLine(io.stdout, `Next        docent keys create ${project.slug}`);
      return;
    }
    const { values } = readArguments(rest, {}, { min: 0, max: 0, names: "" });
    await using workspace = await openWorkspace(values);
    const all = (await listProjects(workspace)).map((project) => projectToJson(workspace, project));
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

function projectToJson(workspace: Workspace, project: Project) {
  return {
    id: project.id,
    slug: project.slug,
    name: project.name,
    branch: project.branch,
    source: project.sourceUrl,
    siteUrl: siteUrl(workspace.baseUrl, workspace.config.siteDomain, project.slug),
    repositoryUrl: `${workspace.baseUrl}/git/${project.slug}.git`,
    createdAt: project.createdAt.toISOString(),
  };
}
