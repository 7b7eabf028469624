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

Prints an address where you create the account of an owner, also when the password of
the last one is lost, and projects. It is good for one hour, and the browser that opened
it for twelve, until it signs out. Give it to nobody who may not own this server.

Options
  --reset-password EMAIL
               print an address where this account gets a new password instead: for the
               last owner who lost it
  --turn-off-two-factor EMAIL
               turn off the two-factor codes of this account instead: for the last owner who
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
