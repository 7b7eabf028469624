import type { Item } from "#client/client.ts";
import type { ProjectId } from "#lib/ids.ts";
import { ONE_PROJECT, onProject, runAction } from "#cli/command/action.ts";
import { type Command, wholeNumber } from "#cli/command/command.ts";
import { table } from "#cli/command/io.ts";

export const deployments: Command = {
  usage: `docent deployments list PROJECT [--limit N]
docent deployments pin PROJECT COMMIT
docent deployments unpin PROJECT

list shows the commits that were published, newest first. pin publishes one of them, or
an earlier commit of the branch, until you unpin it: newer commits are not published, and
jobs still use the newest commit. Readers see the change within a second.

Options
  --limit N   deployments to show, 1 to 100 (default 20)
  --json      one JSON object (pin, unpin) or array (list) on standard output

Example
  docent deployments pin harbor-docs 4f2a9c1`,
  run: (args, io) => runAction("deployments", ACTIONS, args, io),
};

const ACTIONS = {
  list: onProject(ONE_PROJECT, { limit: { type: "string" } }, ({ values }) => {
    const limit = wholeNumber("--limit", values.limit ?? "20", 1, 100);
    return async ({ call, name, projectId, beside }) => {
      const { deployments: found, pin } = await call("listDeployments", { query: { limit } });
      if (found.length === 0) {
        return { json: found, text: "No deployments yet: the server writes them down as it sees them." };
      }
      const rows = found.map((one) => [
        `#${one.number}`,
        one.commit.slice(0, 7),
        one.noticedAt,
        stateOf(one, pin !== null),
        one.author,
        one.subject,
      ]);
      const lines = table(["NUMBER", "COMMIT", "AT", "STATE", "AUTHOR", "SUBJECT"], rows);
      const isMissing = pin !== null && (await beside?.repoStore.resolve(projectId as ProjectId, pin.commit)) === null;
      return { json: found, text: pin ? `${lines}\n${pinText(name, pin, isMissing)}` : lines };
    };
  }),
  pin: onProject({ min: 2, max: 2, names: "PROJECT and COMMIT" }, {}, ({ words: [, commit] }) => async (docent) => {
    const made = await docent.call("pinSite", { body: { commit: commit! } });
    const { name } = docent;
    return { json: made, text: `${name} shows ${made.commit} now. \`docent deployments unpin ${name}\` ends it.` };
  }),
  unpin: onProject(ONE_PROJECT, {}, () => async ({ call, name }) => {
    await call("unpinSite");
    return { json: { pinned: null }, text: `${name} shows the newest commit of its branch.` };
  }),
};

function pinText(project: string, { commit }: { commit: string }, isMissing: boolean): string {
  const name = commit.slice(0, 7);
  if (!isMissing) return `Pinned to ${name}; newer commits wait.`;
  return `Pinned to ${name}, which is not in the repository any more: nothing is live. Restore the repository, pin another commit, or run \`docent deployments unpin ${project}\`.`;
}

function stateOf({ live, state, liveAt }: Item<"listDeployments">, isPinned: boolean): string {
  if (live) return "live";
  return state === "ready" ? (liveAt === null && isPinned ? "waiting" : "earlier") : state;
}
