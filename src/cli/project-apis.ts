import { requireProject } from "#projects/projects.ts";
import { askApiAddresses, readApiAccess, saveApiAccess } from "#sites/api-addresses/api-access.ts";
import { readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openInstance } from "./open-instance.ts";

const COUNTS = {
  list: { min: 1, max: 1, names: "one PROJECT" },
  hosts: { min: 1, max: 60, names: "PROJECT and its HOSTs" },
  proxy: { min: 2, max: 2, names: "PROJECT and on or off" },
  read: { min: 1, max: 1, names: "one PROJECT" },
};

/** `docent projects api …`: the descriptions of APIs that a site names by address, and the hosts that are asked for them. */
export async function manageApis(args: readonly string[], io: CommandIo): Promise<void> {
  const [action, ...rest] = args;
  if (action !== "list" && action !== "hosts" && action !== "proxy" && action !== "read") {
    throw new UsageError("projects api takes `list`, `hosts`, `proxy` or `read`.");
  }
  const { values, positionals } = readArguments(rest, {}, COUNTS[action]);
  await using instance = await openInstance(values);
  const [idOrSlug, ...hosts] = positionals;
  if (action === "proxy" && hosts[0] !== "on" && hosts[0] !== "off") {
    throw new UsageError("projects api proxy takes on or off.");
  }
  const project = await requireProject(instance, idOrSlug!);
  if (action === "hosts") await saveApiAccess(instance, project, { hosts });
  if (action === "proxy") await saveApiAccess(instance, project, { proxy: hosts[0] === "on" });
  const asked = action === "read" ? await askApiAddresses(instance, project) : 0;
  const access = await readApiAccess(instance, project);
  if (values.json) return writeLine(io.stdout, JSON.stringify(access));
  if (action === "read") return writeLine(io.stdout, `${asked} addresses are asked as soon as the server runs.`);
  const words = access.hosts.length === 0 ? "No host is asked for descriptions." : `Asked: ${access.hosts.join(", ")}`;
  writeLine(io.stdout, words);
  if (access.proxy) writeLine(io.stdout, "Requests that readers try go through this server.");
  if (action !== "list" || access.addresses.length === 0) return;
  const rows = access.addresses.map(({ address, readAt, sizeBytes, trouble }) => [
    address,
    readAt === null ? "never" : readAt.toISOString(),
    sizeBytes === null ? "" : String(sizeBytes),
    trouble ?? "",
  ]);
  writeLine(io.stdout, table(["ADDRESS", "READ", "BYTES", "TROUBLE"], rows));
}
