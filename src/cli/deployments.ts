import type { Project, SitePin } from "#projects/project.ts";
import { requireProject } from "#projects/projects.ts";
import { type Deployment, findLive, listDeployments } from "#sites/deployments/deployment.ts";
import { deploymentToJson } from "#sites/deployments/deployment-json.ts";
import { pinSite, unpinSite } from "#sites/deployments/pins.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { wholeNumber } from "./numbers.ts";
import { openInstance, type OpenInstance } from "./open-instance.ts";

export const deployments: Command = {
  usage: `docent deployments list PROJECT [--limit N]
docent deployments pin PROJECT COMMIT
docent deployments unpin PROJECT

list shows the commits that came to be the newest of the site's branch, newest first.
pin has the site show one of them, or an earlier commit of the branch, until unpin;
newer commits wait, and jobs go on with the branch. Readers see it within a second.

Options
  --limit N   deployments to show, 1 to 100 (default 20)
  --data DIR  data directory (default ./data, or DOCENT_DATA)
  --json      one JSON object (pin, unpin) or array (list) on standard output

Example
  docent deployments pin harbor-docs 4f2a9c1`,
  async run(args, io) {
    const [action, ...rest] = args;
    if (action === "list") return list(rest, io);
    if (action === "pin") return pin(rest, io);
    if (action === "unpin") return unpin(rest, io);
    throw new UsageError("deployments takes `list`, `pin` or `unpin`.");
  },
};

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    { limit: { type: "string" } },
    { min: 1, max: 1, names: "one PROJECT" },
  );
  const limit = wholeNumber("--limit", values.limit ?? "20", 1, 100);
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const found = await listDeployments(instance, { projectId: project.id, limit, before: null });
  const live = await findLive(instance, project);
  if (values.json) {
    return writeLine(io.stdout, JSON.stringify(found.map((one) => deploymentToJson(one, live?.id ?? null))));
  }
  if (found.length === 0)
    return writeLine(io.stdout, "No deployments yet: the server writes them down as it sees them.");
  const rows = found.map((one) => [
    `#${one.number}`,
    one.commit.slice(0, 7),
    one.noticedAt.toISOString(),
    one.id === live?.id ? "live" : stateOf(one, project),
    one.author,
    one.subject,
  ]);
  writeLine(io.stdout, table(["NUMBER", "COMMIT", "AT", "STATE", "AUTHOR", "SUBJECT"], rows));
  if (project.pin) writeLine(io.stdout, await pinText(instance, project, project.pin));
}

async function pinText({ repoStore }: OpenInstance, { id, slug }: Project, { commit }: SitePin): Promise<string> {
  const name = commit.slice(0, 7);
  if ((await repoStore.resolve(id, commit)) !== null) return `Pinned to ${name}; newer commits wait.`;
  return `Pinned to ${name}, which is not in the repository any more: nothing is live. Restore the repository, pin another commit, or run \`docent deployments unpin ${slug}\`.`;
}

const stateOf = ({ state, liveAt }: Deployment, { pin }: Project): string =>
  state === "ready" ? (liveAt === null && pin ? "waiting" : "earlier") : state;

async function pin(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and COMMIT" });
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const { commit, at, by } = await pinSite(instance, project, {
    commit: positionals[1]!,
    by: "docent deployments pin",
  });
  if (values.json) return writeLine(io.stdout, JSON.stringify({ commit, at: at.toISOString(), by }));
  writeLine(io.stdout, `${project.slug} shows ${commit} now. \`docent deployments unpin ${project.slug}\` ends it.`);
}

async function unpin(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  await unpinSite(instance, project.id);
  if (values.json) return writeLine(io.stdout, JSON.stringify({ pinned: null }));
  writeLine(io.stdout, `${project.slug} shows the newest commit of ${project.branch}.`);
}
