import type { Answer } from "#client/client.ts";
import { ONE_PROJECT, onProject, runAction } from "#cli/command/action.ts";
import { UsageError } from "#cli/command/command.ts";
import type { Docent } from "#cli/command/docent.ts";
import { type CommandIo, table } from "#cli/command/io.ts";

const ACTIONS = {
  list: onProject(ONE_PROJECT, {}, () => async (docent) => {
    const apis = await readApis(docent);
    const rows = apis.addresses.map(({ address, readAt, sizeBytes, trouble }) => [
      address,
      readAt ?? "never",
      sizeBytes === null ? "" : String(sizeBytes),
      trouble ?? "",
    ]);
    const addresses = rows.length === 0 ? "" : `\n${table(["ADDRESS", "READ", "BYTES", "TROUBLE"], rows)}`;
    return { json: apis, text: accessText(apis) + addresses };
  }),
  hosts: onProject(
    { min: 1, max: 60, names: "PROJECT and its HOSTs" },
    {},
    ({ words: [, ...hosts] }) =>
      (docent) =>
        change(docent, { hosts }),
  ),
  proxy: onProject({ min: 2, max: 2, names: "PROJECT and on or off" }, {}, ({ words: [, state] }) => {
    if (state !== "on" && state !== "off") throw new UsageError("`docent projects api proxy` takes on or off.");
    return (docent) => change(docent, { proxy: state === "on" });
  }),
  read: onProject(ONE_PROJECT, {}, () => async (docent) => {
    const { addresses } = await docent.call("readApiAddresses");
    const when = docent.beside?.isServing === false ? "as soon as the server runs" : "now";
    return { json: await readApis(docent), text: `${addresses} addresses are asked ${when}.` };
  }),
};

/**
 * `docent projects api …`: API descriptions that a site references by URL, and the hosts from which they may be
 * fetched.
 */
export const manageApis = (args: readonly string[], io: CommandIo) => runAction("projects api", ACTIONS, args, io);

type Apis = Pick<Answer<"listApiAddresses">, "hosts" | "proxy" | "addresses">;

async function readApis({ call }: Docent): Promise<Apis> {
  const addresses: Apis["addresses"] = [];
  for (let query: { cursor?: string } = {}; ;) {
    const page = await call("listApiAddresses", { query });
    addresses.push(...page.addresses);
    if (!page.nextCursor) return { hosts: page.hosts, proxy: page.proxy, addresses };
    query = { cursor: page.nextCursor };
  }
}

async function change(docent: Docent, body: { hosts?: string[]; proxy?: boolean }) {
  await docent.call("setApiAccess", { body });
  const apis = await readApis(docent);
  return { json: apis, text: accessText(apis) };
}

function accessText({ hosts, proxy }: Apis): string {
  const asked = hosts.length === 0 ? "No host is asked for descriptions." : `Asked: ${hosts.join(", ")}`;
  return proxy ? `${asked}\nRequests that readers try go through this server.` : asked;
}
