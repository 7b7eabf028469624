import { readArguments, UsageError } from "./command.ts";
import { type CommandIo, table, writeLine } from "./io.ts";
import { openApis } from "./open-places.ts";
import { around } from "./progress.ts";

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
  const [named, ...hosts] = positionals;
  if (action === "proxy" && hosts[0] !== "on" && hosts[0] !== "off") {
    throw new UsageError("projects api proxy takes on or off.");
  }
  await using place = await openApis(values, named!, around(io));
  if (action === "hosts") await place.change({ hosts });
  if (action === "proxy") await place.change({ proxy: hosts[0] === "on" });
  const asked = action === "read" ? await place.askAgain() : 0;
  const apis = await place.read();
  if (values.json) return writeLine(io.stdout, JSON.stringify(apis));
  if (action === "read") {
    const when = place.isServing ? "now" : "as soon as the server runs";
    return writeLine(io.stdout, `${asked} addresses are asked ${when}.`);
  }
  const words = apis.hosts.length === 0 ? "No host is asked for descriptions." : `Asked: ${apis.hosts.join(", ")}`;
  writeLine(io.stdout, words);
  if (apis.proxy) writeLine(io.stdout, "Requests that readers try go through this server.");
  if (action !== "list" || apis.addresses.length === 0) return;
  const rows = apis.addresses.map(({ address, readAt, sizeBytes, trouble }) => [
    address,
    readAt ?? "never",
    sizeBytes === null ? "" : String(sizeBytes),
    trouble ?? "",
  ]);
  writeLine(io.stdout, table(["ADDRESS", "READ", "BYTES", "TROUBLE"], rows));
}
