import { AppError } from "#lib/app-error.ts";
import { ONE_PROJECT, onProject, runAction } from "#cli/command/action.ts";
import type { Command } from "#cli/command/command.ts";
import { printableLine, table } from "#cli/command/io.ts";
import { ROLES } from "#kit/levels.ts";

export const members: Command = {
  usage: `docent members list PROJECT
docent members set PROJECT EMAIL ROLE
docent members remove PROJECT EMAIL
docent members log PROJECT [--limit N]

People with a role in a project. set gives somebody with an account the role ${ROLES.join(", ")}; invite others on
the members page. log shows who did what, newest first.

Options
  --limit N   entries to show, 1 to 100 (default 20)
  --json      one JSON object (set, remove) or array (list, log) on standard output

Example
  docent members set harbor-docs ada@example.com editor`,
  run: (args, io) => runAction("members", ACTIONS, args, io),
};

const ACTIONS = {
  list: onProject(ONE_PROJECT, {}, () => async ({ all }) => {
    const found = await all("listMembers", {});
    const rows = found.map(({ id, name, email, role }) => [id, name, email, role].map(printableLine));
    const none = "No members yet. Owners of the server see every project.";
    return { json: found, text: rows.length === 0 ? none : table(["ID", "NAME", "EMAIL", "ROLE"], rows) };
  }),
  set: onProject({ min: 3, max: 3, names: "PROJECT, EMAIL and ROLE" }, {}, ({ words: [, email = "", wanted] }) => {
    const role = ROLES.find((each) => each === wanted);
    if (role === undefined) throw new AppError("invalid", `A role is ${ROLES.join(", ")}.`);
    return async ({ call }) => {
      const member = await call("setMember", { body: { email, role } });
      return { json: member, text: printableLine(`${member.name} is ${member.role} now.`) };
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
  log: onProject(ONE_PROJECT, { limit: { type: "string" } }, ({ values: { limit = "20" } }) => {
    if (!/^(?:[1-9]\d?|100)$/.test(limit)) throw new AppError("invalid", "--limit takes a number from 1 to 100.");
    return async ({ call }) => {
      const { events } = await call("listAuditEvents", { query: { limit: Number(limit) } });
      const rows = events.map(({ at, actor, sentence }) => [at, printableLine(`${actor.name} ${sentence}`)]);
      return { json: events, text: rows.length === 0 ? "Nothing was recorded yet." : table(["WHEN", "WHAT"], rows) };
    };
  }),
};
