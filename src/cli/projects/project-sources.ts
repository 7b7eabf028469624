import type { Input, Item } from "#client/client.ts";
import { AppError } from "#lib/app-error.ts";
import { ONE_PROJECT, onProject, runAction } from "#cli/command/action.ts";
import type { Docent } from "#cli/command/docent.ts";
import { type CommandIo, table } from "#cli/command/io.ts";
import { readToken } from "./read-token.ts";

type Source = Item<"listSources">;
type HostKind = Input<"addSource">["body"]["host"];

/** A source in the output of commands, which keep the old name for its host's software. */
const printed = ({ id, name, host, url, branch, syncedAt, trouble }: Source) => ({
  id,
  name,
  kind: host,
  url,
  branch,
  syncedAt,
  trouble,
});

async function named({ all }: Docent, name: string): Promise<Source> {
  const source = (await all("listSources", {})).find((one) => one.name === name);
  if (source) return source;
  throw new AppError("not_found", `There is no source ${JSON.stringify(name)}.`);
}

const text = { type: "string" } as const;
const TWO = { min: 2, max: 2, names: "PROJECT and NAME" };

const ACTIONS = {
  add: onProject(
    TWO,
    { repo: text, "token-file": text, branch: text, host: text },
    ({ words: [, name], values: { repo, branch, host, "token-file": file }, io }) => {
      if (repo === undefined) {
        throw new AppError("invalid", "--repo URL is missing: the https address of the repository.");
      }
      return async ({ call }) => {
        const body = {
          name: name!,
          url: repo,
          ...(file !== undefined && { token: (await readToken(io, file)).reveal() }),
          ...(host !== undefined && { host: host as NonNullable<HostKind> }),
          ...(branch !== undefined && { branch }),
        };
        const source = await call("addSource", { body });
        const words = `The agent can read ${source.name}: ${source.url}, branch ${source.branch}.`;
        return { json: printed(source), text: words };
      };
    },
  ),
  list: onProject(ONE_PROJECT, {}, () => async ({ all }) => {
    const found = await all("listSources", {});
    const rows = found.map((one) => [one.name, one.url, one.branch, one.syncedAt ?? "", one.trouble ?? ""]);
    const lines = table(["NAME", "REPOSITORY", "BRANCH", "CURRENT AS OF", "TROUBLE"], rows);
    const none = "No sources. `docent projects sources add` names one.";
    return { json: found.map(printed), text: rows.length === 0 ? none : lines };
  }),
  token: onProject(TWO, { "token-file": text }, ({ words: [, name], values: { "token-file": file }, io }) => {
    if (file === undefined) throw new AppError("invalid", "--token-file FILE is missing; - reads standard input.");
    return async (docent) => {
      const { id } = await named(docent, name!);
      await docent.call("replaceSourceToken", { id, body: { token: (await readToken(io, file)).reveal() } });
      return { json: { id, replaced: true }, text: "The new token is in use." };
    };
  }),
  remove: onProject(TWO, {}, ({ words: [, name] }) => async (docent) => {
    const { id } = await named(docent, name!);
    await docent.call("removeSource", { id });
    return { json: { id }, text: `Removed ${name} and its mirror.` };
  }),
};

/** `docent projects sources …`: additional repositories that the agent of a project reads. */
export const manageSources = (args: readonly string[], io: CommandIo) =>
  runAction("projects sources", ACTIONS, args, io);
