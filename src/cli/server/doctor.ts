import { examine, requireStore } from "#app/doctor/examine.ts";
import type { Diagnosis } from "#app/doctor/diagnosis.ts";
import { loadConfig } from "#app/instance/config.ts";
import { type Command, readArguments } from "#cli/command/command.ts";
import { writeLine } from "#cli/command/io.ts";
import { createProgressLine } from "#cli/command/progress.ts";
import { endWith, findingText } from "./findings.ts";
import { requireDirectory } from "#cli/places/place.ts";

export const doctor: Command = {
  usage: `docent doctor [--full]

Checks a server, running or not: the database, repositories, visitor counts, the encryption key, disk, clock, configuration,
connections and domains. It prints one line for each, with ok, warning or problem and what to do, and changes nothing. Run it with the
same environment variables as the server. The exit status is 1 if there is a problem.

Options
  --full      also read every object of the repositories and every index of SQLite, which can take minutes
  --data DIR  data directory (default ./data, or DOCENT_DATA)
  --json      one JSON object on standard output`,
  async run(args, io) {
    const { values } = readArguments(args, { full: { type: "boolean" } }, { min: 0, max: 0, names: "" });
    requireDirectory(values);
    const config = loadConfig({ data: values.data });
    requireStore(config);
    const findings: Diagnosis[] = [];
    using line = createProgressLine(io);
    await examine(config, {
      full: values.full ?? false,
      signal: io.signal,
      progress: line.show,
      tell(finding) {
        findings.push(finding);
        line[Symbol.dispose]();
        if (!values.json) writeLine(io.stdout, findingText(finding));
      },
    });
    line[Symbol.dispose]();
    endWith(io, findings, { isJson: values.json ?? false });
  },
};
