import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { listen } from "#testing/listen.ts";
import { commitFiles, createTestRepository, git } from "#testing/repositories.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient, type SiteClient } from "#test/support/site-client.ts";
import { ENGINES } from "#testing/databases.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

// The one private address that this server may reach: the others stand for what it must not.
const ALLOWED = "127.0.0.3";
const ENVIRONMENT = { DOCENT_WEBHOOK_ALLOW: ALLOWED };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server whose answers a test changes, and what it was asked. */
async function serveApi(address: string, first: Answer) {
  const state = { answer: first, asked: [] as IncomingMessage["headers"][] };
  const answer: Answer = (request, response) => {
    state.asked.push(request.headers);
    state.answer(request, response);
  };
  const listener = await listen(answer, address);
  return { ...listener, state, host: `${address}:${listener.port}` };
}

const description = (...operations: string[]) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.pets.example" }],
    paths: Object.fromEntries(
      operations.map((name) => [
        `/${name.toLowerCase().replaceAll(" ", "-")}`,
        { get: { tags: ["Pets"], summary: name, description: `Answers with the quokka of ${name}.` } },
      ]),
    ),
  });

/** Answers with a description and its ETag, and "not modified" to whoever has it. */
const serving =
  (text: string): Answer =>
  (request, response) => {
    const etag = `"${text.length}"`;
    if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
    else response.writeHead(200, { "Content-Type": "application/json", ETag: etag }).end(text);
  };

const docs = (address: string) => ({
  "docs.json": `{
  "name": "Docs",
  "navigation": {
    "groups": [
      { "group": "Guides", "pages": ["index"] },
      { "group": "API",
        "openapi": "${address}" }
    ]
  }
}
`,
  "index.md": "# Start\n\nHello.\n",
});

async function call(server: TestServer, method: string, path: string, body?: unknown) {
  const { instance, baseUrl } = server;
  const response = await fetch(`${baseUrl}/v2/project/${instance.project.id}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${instance.key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Access };
}

interface Access {
  hosts: string[];
  addresses: {
    address: string;
    live: boolean;
    readAt: string | null;
    sizeBytes: number | null;
    trouble: string | null;
  }[];
}

const allow = (server: TestServer, ...hosts: string[]) => call(server, "PUT", "/api-addresses", { hosts });
const addressOf = async (server: TestServer) => (await call(server, "GET", "/api-addresses")).body.addresses[0];
const read = (server: TestServer) => call(server, "POST", "/api-addresses/read");

/** What the report of the newest deployment says of an API. */
async function findings(server: TestServer): Promise<{ path: string; line: number | null; message: string }[]> {
  const { instance, baseUrl } = server;
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${instance.key}` };
    const response = await fetch(`${baseUrl}/v2/project/${instance.project.id}${path}`, { headers });
    return (await response.json()) as Record<string, never>;
  };
  const { deployments } = (await ask("/deployments")) as unknown as { deployments: { id: string }[] };
  const newest = deployments[0];
  if (!newest) return [];
  const { report } = (await ask(`/deployments/${newest.id}`)) as unknown as {
    report: { problems: { path: string; line: number | null; message: string }[] } | null;
  };
  return (report?.problems ?? []).filter(({ message }) => message.includes("The API at"));
}

const status = async (client: SiteClient, path: string) => (await client.send(path)).status;

it.each(ENGINES)(
  "pages of a description at an address are there when the project allows its host, follow it, and outlive it, on %s",
  async (engine) => {
    await using api = await serveApi(ALLOWED, serving(description("List pets")));
    const address = `http://${api.host}/openapi.json`;
    let ahead = 0;
    const clock = { now: () => new Date(Date.now() + ahead) };
    await using server = await startTestServer({
      engine,
      files: docs(address),
      environment: ENVIRONMENT,
      server: { clock },
    });
    using client = createSiteClient(server);
    // An address is not asked again within five seconds.
    const readLater = async () => {
      ahead += 5_000;
      await read(server);
    };

    // Off by default: nobody is asked, and the author hears where they named it.
    expect(await status(client, "/")).toBe(200);
    await expect
      .poll(() => findings(server))
      .toEqual([
        {
          severity: "warning",
          code: "api_description",
          path: "docs.json",
          line: 7,
          message: `The API at ${address}: It is not read: ${api.host} is not among \`apiHosts\` of the project.`,
        },
      ]);
    expect(api.state.asked).toEqual([]);
    expect(await status(client, "/api-reference/pets/list-pets")).toBe(404);

    expect(await allow(server, api.host.toUpperCase())).toMatchObject({ status: 200, body: { hosts: [api.host] } });
    await expect.poll(() => status(client, "/api-reference/pets/list-pets")).toBe(200);
    const page = await client.send("/api-reference/pets/list-pets");
    expect(page.text).toContain("Answers with the quokka of List pets.");
    expect((await client.send("/")).text).toContain('href="/api-reference/pets/list-pets"');
    expect((await client.send("/api-reference/pets/list-pets.md")).text).toContain(
      "GET https://api.pets.example/list-pets",
    );
    expect((await client.send("/llms.txt")).text).toContain("List pets");
    await expect
      .poll(
        async () => (await client.send("/_docent/search?q=quokka", { headers: { accept: "application/json" } })).text,
      )
      .toContain("/api-reference/pets/list-pets");
    await expect.poll(() => findings(server)).toEqual([]);
    expect(await addressOf(server)).toMatchObject({ address, live: true, trouble: null });
    expect(api.state.asked[0]).toHaveProperty("user-agent", expect.stringMatching(/^Docent\//));
    expect(Object.keys(api.state.asked[0]!)).not.toContain("authorization");

    // Another description takes its place without a push.
    api.state.answer = serving(description("List pets", "Add a pet"));
    await expect
      .poll(
        async () => {
          await readLater();
          return status(client, "/api-reference/pets/add-a-pet");
        },
        { interval: 100 },
      )
      .toBe(200);
    expect((await client.send("/llms.txt")).text).toContain("Add a pet");

    // Asked again it is not sent again; what is no description does not take its place, nor does a host that is away.
    const asked = api.state.asked.length;
    const answered: number[] = [];
    const good = api.state.answer;
    api.state.answer = (request, response) => {
      good(request, response);
      answered.push(response.statusCode);
    };
    await expect
      .poll(
        async () => {
          await readLater();
          return api.state.asked.length;
        },
        { interval: 100 },
      )
      .toBeGreaterThan(asked);
    expect(answered[0]).toBe(304);
    api.state.answer = (_, response) => void response.writeHead(200).end("<!doctype html><title>Sign in</title>");
    const troubled = async () => {
      await readLater();
      return (await addressOf(server))?.trouble;
    };
    await expect.poll(troubled, { interval: 100 }).toContain("What it answers cannot be used");
    await api[Symbol.asyncDispose]();
    await expect
      .poll(async () => (await findings(server)).map(({ path, line, message }) => `${path}:${line} ${message}`))
      .toEqual([expect.stringMatching(/^docs\.json:7 .*the last good copy is shown/)]);
    expect(await status(client, "/api-reference/pets/add-a-pet")).toBe(200);

    // Without its host it is gone.
    await allow(server);
    await expect.poll(() => status(client, "/api-reference/pets/add-a-pet")).toBe(404);
  },
);

it("connects to no private address, through any name, redirect or list of hosts", async () => {
  await using inside = await serveApi("127.0.0.1", serving(description("Secret")));
  await using outside = await serveApi(ALLOWED, (request, response) => {
    const targets: Record<string, string> = {
      "/to-private": `http://127.0.0.1:${inside.port}/openapi.json`,
      "/to-name": `http://localhost:${inside.port}/openapi.json`,
      "/to-other": `http://${ALLOWED}:1/openapi.json`,
      "/to-file": "file:///etc/passwd",
      "/round": "/round",
    };
    response.writeHead(302, { Location: targets[request.url ?? ""] ?? "/" }).end();
  });
  const at = (path: string) => `http://${outside.host}${path}`;
  const addresses = {
    [`http://127.0.0.1:${inside.port}/openapi.json`]: "not on the public Internet",
    [`http://localhost:${inside.port}/openapi.json`]: "not on the public Internet",
    [`http://[::ffff:127.0.0.1]:${inside.port}/openapi.json`]: "not on the public Internet",
    [at("/to-private")]: "not on the public Internet",
    [at("/to-name")]: "not on the public Internet",
    [at("/to-other")]: "not among `apiHosts`",
    [at("/to-file")]: "not among `apiHosts`",
    [at("/round")]: "redirects too often",
  };
  const list = Object.keys(addresses).map((address) => ({ group: "API", openapi: address }));
  const files = {
    "docs.json": JSON.stringify({ name: "Docs", navigation: { groups: list } }),
    "index.md": "# Start\n",
  };
  await using server = await startTestServer({ engine: "sqlite", files, environment: ENVIRONMENT });
  using client = createSiteClient(server);
  await allow(
    server,
    `127.0.0.1:${inside.port}`,
    `localhost:${inside.port}`,
    `[::ffff:7f00:1]:${inside.port}`,
    outside.host,
  );
  expect(await status(client, "/")).toBe(200);
  const troubles = async () => {
    const { body } = await call(server, "GET", "/api-addresses");
    return body.addresses.filter(({ trouble }) => trouble !== null).length;
  };
  await expect.poll(troubles).toBe(list.length);
  const { body } = await call(server, "GET", "/api-addresses");
  for (const [address, words] of Object.entries(addresses)) {
    const kept = body.addresses.find((each) => each.address === new URL(address).href);
    expect(kept).toHaveProperty("trouble", expect.stringContaining(words));
  }
  expect(inside.state.asked).toEqual([]);
});

it("cuts off 100 MB, and a host that never responds delays neither pushes nor other addresses", async () => {
  let sent = 0;
  await using huge = await serveApi(ALLOWED, (_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    const piece = Buffer.alloc(1_000_000, 32);
    const send = () => {
      while (sent < 100_000_000 && !response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once("drain", send);
      }
      response.end();
    };
    send();
  });
  await using silent = await serveApi(ALLOWED, () => undefined);
  await using good = await serveApi(ALLOWED, serving(description("List pets")));
  const groups = [huge, silent, good].map(({ host }, index) => ({
    group: `API ${index}`,
    openapi: `http://${host}/openapi.json`,
  }));
  const files = { "docs.json": JSON.stringify({ name: "Docs", navigation: { groups } }), "index.md": "# Start\n" };
  await using server = await startTestServer({ engine: "sqlite", files, environment: ENVIRONMENT });
  using client = createSiteClient(server);
  await allow(server, huge.host, silent.host, good.host);
  await expect.poll(() => status(client, "/api-reference/pets/list-pets")).toBe(200);
  await expect
    .poll(async () => (await call(server, "GET", "/api-addresses")).body.addresses.map(({ trouble }) => trouble))
    .toContain("It is larger than 10 MB.");
  expect(sent).toBeLessThan(40_000_000);

  const { instance } = server;
  expect(silent.state.asked).toHaveLength(1);
  await using work = await createTestRepository(files);
  await git(work.path, "pull", "--quiet", "--rebase", instance.repoStore.directory(instance.project.id), "main");
  await commitFiles(work.path, { "new.md": "# New\n" }, "Add a page");
  await git(work.path, "push", "--quiet", "--force", instance.repoStore.directory(instance.project.id), "HEAD:main");
  await expect.poll(() => status(client, "/new"), { timeout: 10_000 }).toBe(200);
  const waiting = async () =>
    (await call(server, "GET", "/api-addresses")).body.addresses.find(({ address }) => address.includes(silent.host));
  // The long form waits until it is given up.
  const trouble = async () => (await waiting())?.trouble;
  await expect.poll(trouble).toBe(LONG_TESTS ? "No answer within 20 seconds." : null);
  expect(await status(client, "/api-reference/pets/list-pets")).toBe(200);
});
