import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";

interface DemoResult {
  jobs: { status: string; prLink: string; pullRequest: { state: string } }[];
  commits: number;
  prLink: string;
  livePageChanged: boolean;
  visitors: { totals: object; visitors: { path: string; human: number; ai: number; total: number }[] };
}

/** Runs the demo of a `docent` as a person with a server of their own does, and looks at what it shows and leaves behind; returns what it said. */
export async function runDemo(
  [command, ...args]: readonly [string, ...string[]],
  { home, environment }: { home: string; environment: NodeJS.ProcessEnv },
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(command, [...args, "demo", "--json"], {
    cwd: home,
    env: {
      ...environment,
      HOME: home,
      TMPDIR: home,
      // A server of its user's: the demo must not write into its database, nor go by its addresses and limits.
      DATABASE_URL: "postgres://docent@127.0.0.1:1/production",
      DOCENT_DATA: path.join(home, "production"),
      DOCENT_BASE_URL: "https://docs.example.com",
      DOCENT_SITE_DOMAIN: "docs.example.com",
      DOCENT_JOBS_AT_ONCE: "0",
      DOCENT_AGENT_CALLS_PER_HOUR: "1",
    },
    timeout: 110_000,
  });
  expect(stdout.trim().split("\n")).toHaveLength(1);
  const result = JSON.parse(stdout) as DemoResult;
  expect(result).toMatchObject({ commits: 2, livePageChanged: true });
  expect(result.jobs).toHaveLength(1);
  expect(result.jobs[0]).toMatchObject({ status: "completed", prLink: result.prLink });
  // One browser on two pages and back, MistralAI-User and Claude-User on one page; two crawlers that count nowhere.
  expect(result.visitors.totals).toEqual({ human: 1, ai: 2, total: 3 });
  expect(result.visitors.visitors.map(({ human, ai, total }) => ({ human, ai, total }))).toEqual([
    { human: 1, ai: 2, total: 3 },
    { human: 1, ai: 0, total: 1 },
  ]);
  expect(stderr).toContain("as counted by hand");
  expect(existsSync(path.join(home, "production"))).toBe(false);
  expect(readdirSync(home).filter((name) => name.startsWith("docent-demo-"))).toEqual([]);
  return stderr;
}
