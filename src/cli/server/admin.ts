import { issueOperatorPass } from "#features/keys/operator-pass.ts";
import { recordAudit } from "#features/accounts/audit.ts";
import { findByEmail, readEmail } from "#features/accounts/people.ts";
import { issueReset } from "#features/accounts/password-reset.ts";
import { turnOffTwoFactor } from "#features/accounts/two-factor.ts";
import { type Command, readArguments } from "#cli/command/command.ts";
import { type CommandIo, writeLine } from "#cli/command/io.ts";
import { openInstance, type OpenInstance, openVault } from "#cli/command/open-instance.ts";
import { AppError } from "#lib/app-error.ts";

export const admin: Command = {
  usage: `docent admin [--reset-password EMAIL | --turn-off-two-factor EMAIL]

Prints a link to the server's own pages, where you create projects and an owner's account, even
if the last owner's password is lost. The link expires after one hour. The browser that opens
it stays signed in for twelve hours. Anyone with the link has full control of the server.

Options
  --reset-password EMAIL
               print a link for setting a new password instead, if the last owner lost
               it
  --turn-off-two-factor EMAIL
               turn off the two-factor codes of this account instead, if the last owner
               lost the phone and the recovery codes
  --data DIR   data directory (default ./data, or DOCENT_DATA)
  --json       one JSON object on standard output`,
  async run(args, io) {
    const { values } = readArguments(
      args,
      { "reset-password": { type: "string" }, "turn-off-two-factor": { type: "string" } },
      { min: 0, max: 0, names: "" },
    );
    await using instance = await openInstance(values);
    const email = values["turn-off-two-factor"];
    if (email !== undefined) return await turnOff(instance, email, io);
    const vault = await openVault(instance);
    const forgotten = values["reset-password"];
    const path =
      forgotten === undefined
        ? `/admin?pass=${encodeURIComponent(issueOperatorPass({ vault, clock: instance.clock }))}`
        : await resetPath({ ...instance, vault }, forgotten);
    const url = instance.baseUrl + path;
    if (values.json) return writeLine(io.stdout, JSON.stringify({ url }));
    writeLine(io.stdout, url);
    writeLine(io.stderr, "Open it in a browser within an hour.");
    if (!instance.isServing) writeLine(io.stderr, "No server runs on this data directory: `docent serve` starts one.");
  },
};

async function resetPath(deps: Parameters<typeof issueReset>[0], entered: string): Promise<string> {
  const email = readEmail(entered);
  const issued = await issueReset(deps, email);
  if (issued !== null) return `/-/reset?token=${encodeURIComponent(issued.token)}`;
  throw new AppError("not_found", `There is no account with the address ${email} and a password.`);
}

async function turnOff({ database, clock }: OpenInstance, entered: string, io: CommandIo): Promise<void> {
  const email = readEmail(entered);
  const found = await findByEmail(database.kysely, email);
  if (found === null) throw new AppError("not_found", `There is no account with the address ${email}.`);
  const { id } = found.person;
  if (!(await turnOffTwoFactor(database, id)))
    throw new AppError("conflict", `Two-factor codes are off for ${email} already.`);
  const actor = { kind: "operator", id: "operator", name: "operator" } as const;
  const done = { at: clock.now(), projectId: null, actor, action: "people/two-factor", subject: email, address: "" };
  await recordAudit(database, { ...done, target: `/-/people/${id}/two-factor` });
  writeLine(io.stdout, `Two-factor codes are off for ${email}. Sign-in asks for the password alone.`);
}
