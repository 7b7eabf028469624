import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { runDocent } from "#test/support/commands.ts";
import type { SiteClient } from "#test/support/site-client.ts";

const DAY_MS = 86_400_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const AGENTS = [
  "Claude-User (claude-code/2.1.90; +https://support.anthropic.com/)",
  "Mozilla/5.0 (compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)",
];
const PAGES = [
  "/",
  "/quickstart",
  "/guides/events",
  "/api-reference/events/send-an-event",
  "/guides/retries",
  "/guides/signatures",
  "/changelog",
];
const FORM = "application/x-www-form-urlencoded";
const REFERRERS = ["-", "https://www.google.com/", "https://github.com/harbor", "-"];
/** What was searched for, how many results there were, and which page was opened. */
const SEARCHES: readonly (readonly [string, number, string | null])[] = [
  ["retries", 5, "/guides/retries"],
  ["retries", 5, "/guides/retries"],
  ["retries", 5, null],
  ["signature", 3, "/guides/signatures"],
  ["replay", 2, "/guides/retries"],
  ["terraform", 0, null],
  ["terraform", 0, null],
];
const WORDS: readonly (readonly [string, boolean, string])[] = [
  ["/quickstart", true, "Five minutes, as promised."],
  ["/guides/retries", false, "What happens after the sixteenth attempt? I looked for it here."],
  ["/guides/events", false, "The link to the plans leads nowhere."],
  ["/guides/signatures", true, ""],
  ["/guides/retries", true, ""],
];

/** Twenty-eight days of readers by an access log, and today's searches and feedback over HTTP. The same in every run. */
export async function seedReaders(options: { data: string; slug: string; client: SiteClient }): Promise<void> {
  const { data, slug, client } = options;
  const file = path.join(data, "access.log");
  await writeFile(file, accessLog(Date.now()));
  const args = ["analytics", "import-log", slug, file, "--drop-older", "--data", data];
  const { exitCode, stderr } = await runDocent(args);
  if (exitCode !== 0) throw new Error(stderr);
  await rm(file);

  for (const [query, results, opened] of SEARCHES) {
    const headers = { "user-agent": BROWSER, "sec-fetch-site": "same-origin", origin: `http://${client.host}` };
    const told = new URLSearchParams({ q: query, results: String(results), ...(opened && { page: opened }) });
    const { status } = await client.send(`/_docent/search?${told.toString()}`, { method: "POST", headers });
    if (status !== 204) throw new Error(`telling a search was answered with ${status}`);
  }
  for (const [at, [page, helpful, comment]] of WORDS.entries()) {
    const headers = { "user-agent": `${BROWSER} Reader/${at}`, "content-type": FORM, origin: `http://${client.host}` };
    const body = new URLSearchParams({ path: page, helpful: helpful ? "yes" : "no", comment }).toString();
    const answer = await client.send("/_docent/feedback", { method: "POST", headers, body });
    if (answer.status >= 400) throw new Error(answer.text);
  }
}

/** Fewer readers at weekends, more as time goes on, some of them agents. */
function accessLog(nowMs: number): string {
  const lines: string[] = [];
  for (let ago = 28; ago >= 1; ago--) {
    const day = new Date(nowMs - ago * DAY_MS);
    const isWeekend = [0, 6].includes(day.getUTCDay());
    const readers = Math.round((isWeekend ? 9 : 22) + (28 - ago) * 0.6 + ((ago * 7) % 5));
    for (let reader = 0; reader < readers; reader++) {
      const address = `198.51.100.${(reader * 7 + ago * (reader % 3)) % 250}`;
      const agent = reader % 4 === 3 ? AGENTS[(reader >> 2) % AGENTS.length]! : BROWSER;
      for (let view = 0; view <= reader % 3; view++) {
        const page = PAGES[(reader + view * view + (reader % 2) * ago) % PAGES.length]!;
        lines.push(logLine({ address, day, page, referrer: REFERRERS[reader % 4]!, agent }));
      }
    }
  }
  return `${lines.join("\n")}\n`;
}

interface Line {
  address: string;
  day: Date;
  page: string;
  referrer: string;
  agent: string;
}

function logLine({ address, day, page, referrer, agent }: Line): string {
  const date = `${String(day.getUTCDate()).padStart(2, "0")}/${MONTHS[day.getUTCMonth()]}/${day.getUTCFullYear()}`;
  return `${address} - - [${date}:12:00:00 +0000] "GET ${page} HTTP/1.1" 200 8120 "${referrer}" "${agent}"`;
}
