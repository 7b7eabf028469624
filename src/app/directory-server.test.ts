import { get } from "node:http";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import type { Report } from "#features/sites/report/report.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { serveDirectory } from "./directory-server.ts";

const statusFor = (url: string, host: string) =>
  new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
  });

it("serves a directory from disk, reloads open pages after changes, and shows problems to their author", async () => {
  const directory = await createTestDirectory();
  onTestFinished(directory.dispose);
  const write = (name: string, text: string) => writeFile(path.join(directory.path, name), text);
  await mkdir(path.join(directory.path, "guides"));
  await write("index.md", "# Home\n\n[x](/gone)\n");
  await write("guides/a.md", "# A\n");
  const reports: Report[] = [];
  const options = { directory: directory.path, contentRoot: null, onTrouble: () => undefined };
  const onReport = (report: Report) => void reports.push(report);
  await using server = await serveDirectory({ logger: silentLogger }, { ...options, onReport, port: 0 });
  const page = async (at: string) => (await fetch(server.url + at, { headers: { accept: "text/html" } })).text();

  const events = (await fetch(`${server.url}/_docent/changes`)).body!.pipeThrough(new TextDecoderStream()).getReader();
  let told = "";
  const hear = async (event: string) => {
    while (!told.includes(`event: ${event}\n`)) told += (await events.read()).value ?? "";
    told = "";
  };
  await reported(reports, 1);
  expect(await page("/")).toMatch(/1 error\..*On this page:.*line 3:5.*live-reload-/s);
  expect(await page("/guides/a")).not.toContain("On this page");
  expect(await page("/_docent/report")).toContain("/gone is broken");

  await write("index.md", "# Home again\n\n[x](/guides/a)\n");
  await hear("change");
  expect(await page("/")).toContain("Home again");
  await reported(reports, 2);
  expect(reports.at(-1)).toMatchObject({ errors: 0, pages: 2 });

  expect(await statusFor(server.url, "rebound.example")).toBe(403);
  const port = Number(new URL(server.url).port);
  await expect(serveDirectory({ logger: silentLogger }, { ...options, onReport, port })).rejects.toThrow(
    /another program listens there/,
  );
  await events.cancel();
});

it("searches the directory on disk, and leaves no index files behind", async () => {
  const directory = await createTestDirectory();
  onTestFinished(directory.dispose);
  const write = (name: string, text: string) => writeFile(path.join(directory.path, name), text);
  await write("index.md", "# Home\n\n## Boats\n\nBarnacles grow.\n");
  const temporary = await createTestDirectory();
  onTestFinished(temporary.dispose);
  vi.stubEnv("TMPDIR", temporary.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const options = {
    directory: directory.path,
    contentRoot: null,
    onTrouble: () => undefined,
    onReport: () => undefined,
  };
  {
    await using server = await serveDirectory({ logger: silentLogger }, { ...options, port: 0 });
    const found = async (query: string) => {
      for (;;) {
        const answer = (await (await fetch(`${server.url}/_docent/search?q=${query}`)).json()) as {
          indexing: boolean;
          results: { href: string }[];
        };
        if (!answer.indexing) return answer.results.map(({ href }) => href);
      }
    };
    expect(await (await fetch(server.url, { headers: { accept: "text/html" } })).text()).toContain("data-search=");
    expect(await found("barnacles")).toEqual(["/#boats"]);
    expect(await readdir(directory.path)).toEqual(["index.md"]);
    await write("index.md", "# Home\n\n## Ships\n\nBarnacles grow.\n");
    await write("more.md", "# More\n\nNo Barnacles.\n");
    await expect.poll(() => found("barnacles"), { timeout: 30_000 }).toEqual(["/#ships", "/more"]);
  }
  expect(await readdir(temporary.path)).toEqual([]);
});

async function reported(reports: readonly Report[], count: number): Promise<void> {
  while (reports.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
}
