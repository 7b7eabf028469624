import { type Action, runAction } from "#cli/command/action.ts";
import { printSearches, printSnippet, printViews, printVisitors } from "./analytics-reports.ts";
import type { Command } from "#cli/command/command.ts";
import { eraseReaders } from "./erase.ts";

export const analytics: Command = {
  usage: `docent analytics visitors PROJECT [--from D] [--to D] [--limit N]
docent analytics views PROJECT [--from D] [--to D] [--limit N]
docent analytics searches PROJECT [--from D] [--to D] [--limit N]
docent analytics import-log PROJECT FILE [--drop-older]
docent analytics rebuild PROJECT
docent analytics erase PROJECT --address A [--user-agent U]… [--cookie C]… [--yes]
docent analytics snippet PROJECT
docent analytics agents
docent analytics agents update FILE [--agent NAME]

visitors and views count the visitors and views of a site and its pages. searches lists what readers searched for. These, erase and
snippet also work at a server; the other actions work only on the data directory.

import-log imports an access log in the combined, common or JSON format (Caddy, nginx, Traefik, Cloudflare), compressed with gzip or not.
Logs cannot confirm a view, so each page that a browser requested counts as human. Importing a log twice adds nothing, an interrupted
import continues where it stopped, and a log that has grown adds its new lines. If views are older than the project's retention, the
command asks before it drops them; --drop-older skips the question. It can run while the server runs.

rebuild computes the visitor index again from the stored views, and compares it with the old one. It can run while the server runs.

erase deletes the stored data of all readers behind an IP address (for IPv6, its /64 network): their views and visitors, and what they
add to counts. It asks for confirmation; --yes skips the question. It finds them for every day and every known browser and program by
computing their visitor ids. --user-agent adds a program that is not known, and --cookie the id in a reader's \`docent_visitor\`
cookie. Visitors that were counted with a deleted secret cannot be found by anyone. While the server runs, the command waits up to half
a minute until the journal is counted. At a server, it reports which data only the machine's administrator can delete.

snippet prints the script that counts a site hosted elsewhere. The site's origin must be the project's \`externalSite\` or one of its
\`allowedOrigins\`.

agents shows the age of the address lists that verify AI agents. update adds newer lists to the data directory: a file as the agent's
operator publishes it, or your own file, which can also name new agents. If the name of an operator's file does not show the agent, add
--agent. A running server uses the new lists within ten seconds, and verifies earlier unverified views within six hours.

Options
  --from D     first day, YYYY-MM-DD (default: the first day with data)
  --to D       day after the last day, YYYY-MM-DD
  --limit N    rows, 1 to 250 (searches: 100; default 50)
  --json       one JSON object on standard output

Example
  docent analytics import-log harbor-docs /var/log/nginx/access.log.1.gz`,
  run: (args, io) => runAction("analytics", ACTIONS, args, io),
};

const upkeep = () => import("./analytics-upkeep.ts");

const ACTIONS: Record<string, Action> = {
  visitors: printVisitors,
  views: printViews,
  searches: printSearches,
  // These work on a data directory only, and import the store.
  "import-log": async (args, io) => (await upkeep()).runImport(args, io),
  rebuild: async (args, io) => (await upkeep()).runRebuild(args, io),
  erase: eraseReaders,
  snippet: printSnippet,
  agents: async (args, io) => (await import("./agent-lists.ts")).runAgents(args, io),
};
