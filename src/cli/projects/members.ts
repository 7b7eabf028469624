import { AppError } from "#lib/app-error.ts";
import { ONE_PROJECT, onProject, runAction } from "#cli/command/action.ts";
import type { Command } from "#cli/command/command.ts";
import { printableLine, table } from "#cli/command/io.ts";
import { ROLES } from "#kit/levels.ts";

export const members: Command = {
  usage: `docent members list PROJECT
docent members set PROJECT EMAIL ROLE
docent members invite PROJECT EMAIL ROLE
docent members remove PROJECT EMAIL
docent members log PROJECT [--limit N] [--actor NAME] [--from DATE] [--to DATE]

Manages the members of a project. The roles are ${ROLES.join(", ")}. set gives a role to a person who has an account.
invite prints a link for a person without one; it works once and expires after a week. log shows who did what, newest first.

Options
  --limit N              entries to show, 1 to 100 (default 20)
  --actor NAME           only actions of this person or key; part of the name is enough
  --from, --to DATE      first and last day, such as 2026-11-28
  --json                 one JSON object (set, invite, remove) or array (list, log) on standard output

Example
  docent members set harbor-docs ada@example.com editor`,
  run: (args, io) => runAction("members", ACTIONS, args, io),
};

const PERSON_AND_ROLE = { min: 3, max: 3, names: "PROJECT, EMAIL and ROLE" };
const LOG_OPTIONS = {
  limit: { type: "string" },
  actor: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
} as const;

function readRole(wanted: string | undefined) {
  const role = ROLES.find((each) => each === wanted);
  if (role === undefined) throw new AppError("invalid", `ROLE is ${ROLES.slice(0, -1).join(", ")} or ${ROLES.at(-1)}.`);
  return role;
}

const ACTIONS = {
  list: onProject(ONE_PROJECT, {}, () => async ({ all }) => {
    const found = await all("listMembers", {});
    const rows = found.map(({ id, name, email, role }) => [id, name, email, role].map(printableLine));
    const none = "No members yet. Owners of the server see every project.";
    return { json: found, text: rows.length === 0 ? none : table(["ID", "NAME", "EMAIL", "ROLE"], rows) };
  }),
  set: onProject(PERSON_AND_ROLE, {}, ({ words: [, email = "", wanted] }) => {
    const role = readRole(wanted);
    return async ({ call }) => {
      const member = await call("setMember", { body: { email, role } });
      return { json: member, text: printableLine(`${member.name} is ${member.role} now.`) };
    };
  }),
  invite: onProject(PERSON_AND_ROLE, {}, ({ words: [, email = "", wanted] }) => {
    const role = readRole(wanted);
    return async ({ call }) => {
      const invited = await call("inviteMember", { body: { email, role } });
      const mailed = invited.isMailed
        ? "The invitation is on its way. The link is also:"
        : `Send this link to ${email}:`;
      return { json: invited, text: `${printableLine(mailed)}\n${invited.url}` };
    };
  }),
  remove: onProject({ min: 2, max: 2, names: "PROJECT and EMAIL" }, {}, ({ words: [, email = ""] }) => {
    return async ({ call, all }) => {
      const member = (await all("listMembers", {})).find((each) => each.email === email.trim().toLowerCase());
      if (!member) throw new AppError("not_found", `No member has the address ${email}.`);
      await call("removeMember", { id: member.id });
      return {
        json: { id: member.id, removed: true },
        text: printableLine(`${member.name} has no role in the project now.`),
      };
    };
  }),
  log: onProject(ONE_PROJECT, LOG_OPTIONS, ({ values: { limit = "20", ...filter } }) => {
    if (!/^(?:[1-9]\d?|100)$/.test(limit)) throw new AppError("invalid", "--limit takes a number from 1 to 100.");
    return async ({ call }) => {
      const { events } = await call("listAuditEvents", { query: { limit: Number(limit), ...filter } });
      const rows = events.map(({ at, actor, sentence }) => [at, printableLine(`${actor.name} ${sentence}`)]);
      return { json: events, text: rows.length === 0 ? "Nothing was recorded yet." : table(["WHEN", "WHAT"], rows) };
    };
  }),
};
