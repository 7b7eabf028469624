import path from "node:path";
import { serveDirectory } from "#app/directory-server.ts";
import { trimContentRoot } from "#docs/routes.ts";
import { createLogger } from "#lib/logger.ts";
import { readDirectoryArguments } from "./check.ts";
import { type Command, wholeNumber } from "#cli/command/command.ts";
import { writeLine } from "#cli/command/io.ts";
import { reportText } from "./report-text.ts";

const DEFAULT_PORT = 3000;
const MAX_SHOWN = 50;

export const dev: Command = {
  usage: `docent dev [DIR] [--port 3000] [--content-root FOLDER]

Serves the docs of a directory as they are on disk, to this machine alone, at http://localhost:3000. Pages load again
when a file changes; what is wrong with the docs stands above each page and here. The search finds what is on disk.

Options
  --port N               port to listen on; 0 takes a free one (default 3000)
  --content-root FOLDER  folder of the pages in DIR (default: where the configuration is)

No data directory is needed and nothing is counted. Stop it with Ctrl-C.`,
  async run(args, io) {
    const { directory, values } = await readDirectoryArguments(args, {
      port: { type: "string" },
      "content-root": { type: "string" },
    });
    const port = values.port === undefined ? DEFAULT_PORT : wholeNumber("--port", values.port, 0, 65_535);
    const pathOf = (file: string) => path.relative(process.cwd(), path.join(directory, file));
    await using server = await serveDirectory(
      { logger: createLogger({ level: "error" }) },
      {
        directory,
        port,
        contentRoot: values["content-root"] === undefined ? null : trimContentRoot(values["content-root"]),
        onReport(report) {
          writeLine(io.stderr);
          for (const line of reportText(report, pathOf, MAX_SHOWN)) writeLine(io.stderr, line);
        },
        onTrouble: (message) => writeLine(io.stderr, `docent: ${message}`),
      },
    );
    if (values.json) writeLine(io.stdout, JSON.stringify({ url: server.url }));
    else writeLine(io.stdout, `${pathOf("") || "The current directory"} is at ${server.url}. Ctrl-C stops it.`);
    await new Promise<void>((resolve) => {
      if (io.signal.aborted) resolve();
      io.signal.addEventListener("abort", () => resolve(), { once: true });
    });
  },
};
