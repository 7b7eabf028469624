import { issueOperatorPass } from "#features/keys/operator-pass.ts";
import { type Command, readArguments } from "#cli/command/command.ts";
import { writeLine } from "#cli/command/io.ts";
import { openInstance, openVault } from "#cli/command/open-instance.ts";

export const admin: Command = {
  usage: `docent admin

Prints an address where you create the account of an owner, also when the password of
the last one is lost, and projects. It is good for one hour, and the browser that opened
it for twelve, until it signs out. Give it to nobody who may not own this server.

Options
  --data DIR   data directory (default ./data, or DOCENT_DATA)
  --json       one JSON object on standard output`,
  async run(args, io) {
    const { values } = readArguments(args, {}, { min: 0, max: 0, names: "" });
    await using instance = await openInstance({
      ...values,
      mayMakeStore: true,
      say: (words) => writeLine(io.stderr, words),
    });
    const pass = issueOperatorPass({ vault: await openVault(instance), clock: instance.clock });
    const url = `${instance.baseUrl}/admin?pass=${encodeURIComponent(pass)}`;
    if (values.json) return writeLine(io.stdout, JSON.stringify({ url }));
    writeLine(io.stdout, url);
    writeLine(io.stderr, "Open it in a browser within an hour.");
    if (!instance.isServing) writeLine(io.stderr, "No server runs on this data directory: `docent serve` starts one.");
  },
};
