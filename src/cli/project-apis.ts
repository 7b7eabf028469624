import { requireProject } from "#projects/projects.ts";
import { askApiAddresses, readApiAccess, saveApiHosts } from "#sites/api-addresses/api-access.ts";
import { readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openInstance } from "./open-instance.ts";

export const APIS_USAGE = `docent projects api list PROJECT
docent projects api hosts PROJECT [HOST …]
docent projects api read PROJECT`;

const MAX_ARGUMENTS = 60;

/** `docent projects api …`: the descriptions of APIs that a site names by address, and the hosts that are asked for them. */
export async function manageApis(args: readonly string[], io: CommandIo): Promise<void> {
  const [action, ...rest] = args;
  if (action !== "list" && action !== "hosts" && action !== "read") {
    throw new UsageError("projects api takes `list`, `hosts` or `read`.");
  }
  const max = action === "hosts" ? MAX_ARGUMENTS : 1;
  const names = action === "hosts" ? "PROJECT and its HOSTs" : "one PROJECT";
  const { values, positionals } = readArguments(rest, {}, { min: 1, max, names });
  await using instance = await openInstance(values);
  const [idOrSlug, ...hosts] = positionals;
  const project = await requireProject(instance, idOrSlug!);
  if (action === "hosts") await saveApiHosts(instance, project, hosts);
  const asked = action === "read" ? await askApiAddresses(instance, project) : 0;
  const access = await readApiAccess(instance, project);
  if (values.json) return writeLine(io.stdout, JSON.stringify(access));
  if (action === "read") return writeLine(io.stdout, `${asked} addresses are asked as soon as the server runs.`);
  const words = access.hosts.length === 0 ? "No host is asked for descriptions." : `Asked: ${access.hosts.join(", ")}`;
  writeLine(io.stdout, words);
  if (action === "hosts" || access.addresses.length === 0) return;
  const rows = access.addresses.map(({ address, readAt, sizeBytes, trouble }) => [
    address,
    readAt === null ? "never" : readAt.toISOString(),
    sizeBytes === null ? "" : String(sizeBytes),
    trouble ?? "",
  ]);
  writeLine(io.stdout, table(["ADDRESS", "READ", "BYTES", "TROUBLE"], rows));
}
