import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { startSourceHost } from "#testing/hosts/source-host.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { runDocent } from "./support/commands.ts";
import { callApi, waitForJob } from "./support/instance.ts";
import { call, edit, finish, startModels } from "./support/models.ts";
import { startTestServer } from "./support/server.ts";

const ALLOW = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32" };

it("a model reads a source, writes the docs from it, and finds its tools only where there is one", async () => {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(
    await startSourceHost({ "src/server.ts": "export const port = 5000;\n", ".env": "A=hunter2\n" }),
  );
  const turns = [
    call("read_source_file", { source: "api", path: "src/server.ts" }),
    call("read_source_file", { source: "api", path: ".env" }),
    edit("index.md", "4000", "5000"),
    finish("Correct the port"),
  ];
  const started = await startModels({
    conversations: [
      { marker: "Check the port", turns },
      { marker: "Say nothing", turns: [finish()] },
    ],
  });
  const models = stack.use(started.models);
  const files = { "index.md": "# Start\n\nIt listens on 4000.\n" };
  const environment = { ...started.environment, ...ALLOW };
  const server = stack.use(await startTestServer({ engine: "sqlite", files, environment }));
  const { baseUrl, instance } = server;
  const directory = stack.use(await createTestDirectory()).path;
  const tokenFile = path.join(directory, "token");
  await writeFile(tokenFile, `${host.token}\n`);
  const sources = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runDocent(
      ["projects", "sources", ...args, "--data", instance.data],
      ALLOW,
    );
    expect(stdout + stderr).not.toContain(host.token);
    return { exitCode, text: stdout + stderr };
  };
  const job = async (prompt: string) => {
    const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt, model: "anthropic/m" } });
    return waitForJob(baseUrl, instance, body.id);
  };
  const offered = () => models.requests.at(-1)!.conversation!.tools.map(({ name }) => name);

  expect(await job("Say nothing")).toMatchObject({ status: "completed" });
  expect(offered().filter((name) => name.includes("source"))).toEqual([]);

  const slug = instance.project.slug;
  const address = ["--repo", host.server.url, "--host", "github", "--token-file", tokenFile];
  expect(await sources("add", slug, "api", ...address)).toMatchObject({ exitCode: 0 });
  expect(await sources("add", slug, "api", ...address)).toMatchObject({
    exitCode: 1,
    text: expect.stringContaining("has a source api already") as string,
  });
  expect((await sources("list", slug)).text).toContain(host.server.url);

  const done = await job("Check the port");
  expect(done).toMatchObject({ status: "completed", prLink: expect.any(String) as string });
  expect(offered()).toContain("source_blame");
  const last = models.requests.at(-1)!;
  expect(last.conversation!.system).toContain(`- api: ${host.server.url}, branch main`);
  const said = JSON.stringify(last.body);
  expect(said).toContain("export const port = 5000;");
  expect(said).toContain("of a kind that holds credentials");
  expect(said).not.toContain("hunter2");

  for (const name of await readdir(instance.data, { recursive: true })) {
    const bytes = await readFile(path.join(instance.data, name)).catch(() => Buffer.alloc(0));
    expect([name, bytes.includes(host.token)]).toEqual([name, false]);
  }
  expect(await sources("remove", slug, "api")).toMatchObject({ exitCode: 0 });
  expect(await job("Say nothing")).toMatchObject({ status: "completed" });
  expect(offered().filter((name) => name.includes("source"))).toEqual([]);
});
