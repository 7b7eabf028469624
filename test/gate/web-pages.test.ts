import { expect, it } from "vitest";
import { saveSettings } from "#features/projects/projects.ts";
import { listen } from "#testing/listen.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish, startModels } from "#test/support/models.ts";
import { startTestServer } from "#test/support/server.ts";

it("reads web pages of hosts that the project names, and has no such tool before", async () => {
  await using web = await listen((_request, response) => {
    response.setHeader("Content-Type", "text/html").end("<main><p>Harbor 3 listens on port 8443.</p></main>");
  });
  const turns = [
    call("read_web_page", { url: `${web.url}/release` }),
    edit("index.mdx", "port 443", "port 8443"),
    finish("Say the new port", `The port is named on ${web.url}/release.`),
  ];
  const { models, environment } = await startModels({
    conversations: [
      { marker: "Follow the release", turns },
      { marker: "Wait", turns: [finish("", "No.", "impossible")] },
    ],
  });
  await using _ = models;
  await using server = await startTestServer({
    engine: "sqlite",
    files: { "index.mdx": "---\ntitle: Start\n---\n\nIt listens on port 443.\n" },
    environment: { ...environment, DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32" },
  });
  const { baseUrl, instance } = server;
  const run = async (prompt: string) => {
    const created = await callApi(baseUrl, instance, { path: "/job", body: { prompt, model: "anthropic/m" } });
    return waitForJob(baseUrl, instance, created.body.id);
  };
  await run("Wait.");
  expect(models.requests[0]!.conversation!.tools.map(({ name }) => name)).not.toContain("read_web_page");

  await saveSettings(instance, instance.project, { webHosts: [new URL(web.url).host] });
  expect(await run("Follow the release.")).toMatchObject({ status: "completed", pullRequest: { state: "open" } });
  const { system, messages } = models.requests.at(-1)!.conversation!;
  expect(system).toContain(`With read_web_page you read web pages of these hosts: ${new URL(web.url).host}.`);
  expect(JSON.stringify(messages)).toContain("Harbor 3 listens on port 8443.");
});
