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

visitors and views show how many there were of a site and its pages, searches what was searched for. They, erase and snippet
work at servers, too; the others beside the data directory alone.

import-log takes combined, common and JSON access logs (Caddy, nginx, Traefik, Cloudflare), gzip or not. A log cannot
confirm a view, so a page that was delivered to a browser counts as human. The same log again adds nothing, an
interrupted import goes on where it was, and a log that has grown adds what is new. When some of its views are older
than the project keeps, it says so first and asks; --drop-older answers yes.

rebuild makes the index of visitors again from the stored views and says whether the new one equals the old one.
Both work beside a running server.

erase deletes what is stored of the readers of an address (of IPv6 the /64): views, visitors, and what they add to any
count. It asks first; --yes answers. It computes their visitor numbers with the secret that is kept, for every day and
every browser and program that is known; --user-agent names a program that is not, --cookie the id in a reader's
\`docent_visitor\` cookie. Everybody behind the address is meant. What was counted with a secret that is destroyed cannot
be found by anybody. Beside a running server it waits for half a minute, until the journal is counted. At a server it leaves
what only whoever has the machine can rewrite, and says so.

snippet prints the script for a site of the project that is hosted elsewhere. Its origin has to be that of the
project's \`externalSite\`, or one of its \`allowedOrigins\`.

agents says how old the addresses are by which AI agents are checked; update takes newer ones into the data directory, from
a file as the agent's operator publishes it or from one of yours that names new agents, too. --agent says whose addresses
an operator's file has, where its name does not. A running server uses them within ten seconds, and judges views that were
unverified again within six hours.

Options
  --from D     first day, YYYY-MM-DD (default: the first there is)
  --to D       day after the last
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
