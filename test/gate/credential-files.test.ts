import { expect, it } from "vitest";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const SECRET = "hunter2";

it("neither sites nor previews serve a file whose name indicates credentials", async () => {
  const files = [
    "guides/credentials.json",
    "server.pem",
    "static/passwords.csv",
    "terraform.tfvars",
    "CLIENT_SECRET.JSON",
  ];
  await using server = await startTestServer({
    engine: "sqlite",
    files: {
      "docs.json": JSON.stringify({ name: "Test", navigation: ["index", "import", "guides/credentials"] }),
      "index.md": "# Start\n\nWe sell the Blue Heron.\n",
      "guides/credentials.md": "# Credentials\n\nKeep them safe.\n",
      "guides/sample.json": '{ "word": "sample" }',
      "import.mdx":
        'import shown from "/guides/sample.json"\nimport kept from "/guides/secrets.json"\n\n# Import\n\n{shown.word} {kept.word}\n\n<Snippet file="secrets.json" />\n',
      "snippets/secrets.json": SECRET,
      "guides/secrets.json": `{ "word": "${SECRET}" }`,
      ...Object.fromEntries(files.map((path) => [path, SECRET])),
    },
  });
  const { baseUrl, instance } = server;
  const prompt = 'Replace "Blue Heron" with "Green Heron".';
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
  const preview = new URL((await waitForJob(baseUrl, instance, body.id)).previewLink ?? "http://none");
  using client = createSiteClient(server);
  const opened = await client.send(preview.pathname + preview.search, {
    headers: { host: preview.host, accept: "text/html" },
  });
  const cookie = String(opened.headers["set-cookie"]).split(";")[0]!;
  for (const headers of [{}, { host: preview.host, cookie }]) {
    for (const path of ["/", "/guides/credentials", "/guides/credentials.md", "/guides/sample.json"])
      expect([path, (await client.send(path, { headers })).status]).toEqual([path, 200]);
    for (const path of ["/import", "/import.md", "/llms-full.txt"]) {
      const { status, text } = await client.send(path, { headers });
      expect([path, status, text.includes("sample"), text.includes(SECRET)]).toEqual([path, 200, true, false]);
    }
    for (const path of [...files.map((file) => `/${file}`), "/passwords.csv", "/guides/%63redentials.json"]) {
      const answer = await client.send(path, { headers });
      expect([path, answer.status, answer.text.includes(SECRET)]).toEqual([path, 404, false]);
    }
  }
});
