import { AppError } from "#lib/app-error.ts";
import { readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openProjects } from "./open-places.ts";
import { around } from "./progress.ts";

/**
 * `docent projects domain …`: the names that a site has beside its slug. The operator's word is enough; what a project's
 * own key adds at a server is asked of DNS.
 */
export async function manageDomains(args: readonly string[], io: CommandIo): Promise<void> {
  const [action, ...rest] = args;
  if (action === "add" || action === "main" || action === "remove") return change(action, rest, io);
  if (action === "list") return list(rest, io);
  throw new UsageError("projects domain takes `add`, `list`, `main` or `remove`.");
}

async function change(action: "add" | "main" | "remove", args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and DOMAIN" });
  await using place = await openProjects(values, around(io));
  const project = await place.find(positionals[0]!);
  const domain = positionals[1]!.trim().toLowerCase();
  const { domains } = project;
  if (action !== "add" && !domains.includes(domain)) {
    throw new AppError("not_found", `The project does not have the domain ${domain}.`);
  }
  const others = domains.filter((one) => one !== domain);
  const wanted = { add: [...new Set([...domains, domain])], main: [domain, ...others], remove: others };
  const changed = await place.change(project, { domains: wanted[action] });
  if (values.json) return writeLine(io.stdout, JSON.stringify(rowsOf(changed.domains)));
  const words = {
    add: `${project.slug} is served at ${domain} as soon as its DNS leads here.`,
    main: `${domain} is the main domain of ${project.slug}.`,
    remove: `${domain} belongs to no project any more.`,
  };
  writeLine(io.stdout, words[action]);
}

async function list(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openProjects(values, around(io));
  const all = rowsOf((await place.find(positionals[0]!)).domains);
  if (values.json) return writeLine(io.stdout, JSON.stringify(all));
  if (all.length === 0) return writeLine(io.stdout, "No domains. `docent projects domain add` names one.");
  const rows = all.map(({ domain, isMain }) => [domain, isMain ? "main" : ""]);
  writeLine(io.stdout, table(["DOMAIN", ""], rows));
}

const rowsOf = (domains: readonly string[]) => domains.map((domain, index) => ({ domain, isMain: index === 0 }));
