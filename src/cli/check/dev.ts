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

Serves the docs in a directory at http://localhost:3000, to this machine only. Pages reload when a file changes. Problems appear above
each page and in the terminal. The search covers the files on disk.

Options
  --port N               port to listen on; 0 chooses a free one (default 3000)
  --content-root FOLDER  folder of the pages in DIR (default: the folder of the configuration)

No data directory is needed, and no views are counted. Press Ctrl-C to stop.`,
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
