import { normaliseDomain } from "#projects/domain-name.ts";
import { addDomain, listDomains, makeMainDomain, removeDomain } from "#projects/domains.ts";
import { requireProject } from "#projects/projects.ts";
import { readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openInstance } from "./open-instance.ts";

export const DOMAINS_USAGE = `docent projects domain add PROJECT DOMAIN
docent projects domain list PROJECT
docent projects domain main PROJECT DOMAIN
docent projects domain remove PROJECT DOMAIN`;

const CHANGES = { add: addDomain, main: makeMainDomain, remove: removeDomain };

/** `docent projects domain …`: the names that a site has beside its slug. The operator's word is enough: no proof is asked for. */
export async function manageDomains(args: readonly string[], io: CommandIo): Promise<void> {
  const [action, ...rest] = args;
  if (action === "add" || action === "main" || action === "remove") return change(action, rest, io);
  if (action === "list") return list(rest, io);
  throw new UsageError("projects domain takes `add`, `list`, `main` or `remove`.");
}

async function change(action: keyof typeof CHANGES, args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and DOMAIN" });
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  const own = { siteDomain: instance.config.siteDomain, baseUrl: instance.baseUrl };
  const domain = normaliseDomain(positionals[1]!, own);
  await CHANGES[action](instance, project.id, domain);
  if (values.json) return writeLine(io.stdout, JSON.stringify(await listDomains(instance.database.kysely, project.id)));
  const words = {
    add: `${project.slug} is served at ${domain} as soon as its DNS leads here.`,
    main: `${domain} is the main domain of ${project.slug}.`,
    remove: `${domain} belongs to no project any more.`,
  };
  writeLine(io.stdout, words[action]);
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const { id } = await requireProject(instance, positionals[0]!);
  const all = await listDomains(instance.database.kysely, id);
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  if (all.length === 0) return writeLine(io.stdout, "No domains. `docent projects domain add` names one.");
  const rows = all.map(({ domain, isMain }) => [domain, isMain ? "main" : ""]);
  writeLine(io.stdout, table(["DOMAIN", ""], rows));
}
