import { requireStore } from "#app/doctor/examine.ts";
import { examineUpgrade } from "#app/doctor/upgrade-check.ts";
import { loadConfig } from "#app/instance/config.ts";
import { type Command, readArguments, UsageError } from "#cli/command/command.ts";
import { writeLine } from "#cli/command/io.ts";
import { requireDirectory } from "#cli/places/place.ts";
import { endWith, findingText } from "./findings.ts";

export const upgrade: Command = {
  usage: `docent upgrade --check

Shows what the first start of this version would do to a data directory: the version that ran last, the database migrations and the
space that they need, whether the encryption key is the right one, and whether a server is running. It changes nothing, and works while
the old version runs. Run it with the same environment variables as the server. The exit status is 1 if something prevents the upgrade.

Options
  --check     required: \`docent serve\` does the upgrade
  --data DIR  data directory (default ./data, or DOCENT_DATA)
  --json      one JSON object on standard output

Example
  /opt/docent-next/bin/docent upgrade --check --data /var/lib/docent`,
  async run(args, io) {
    const { values } = readArguments(args, { check: { type: "boolean" } }, { min: 0, max: 0, names: "" });
    if (values.check !== true)
      throw new UsageError(
        "The first `docent serve` of a new version upgrades the data. To see what it would do, add --check.",
      );
    requireDirectory(values);
    const config = loadConfig({ data: values.data });
    requireStore(config);
    const findings = await examineUpgrade(config, io);
    if (!values.json) for (const finding of findings) writeLine(io.stdout, findingText(finding));
    endWith(io, findings, { isJson: values.json ?? false });
  },
};
