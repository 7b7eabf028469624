import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { connect, Socket } from "node:net";
import { expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { createTestApp } from "#testing/test-app.ts";
import { listen } from "./server.ts";
import { createTurnOwners } from "./turn-owners.ts";

/** A server that records in which order it starts requests; those of one call of `send` arrive together. */
async function startRecorder() {
  const made = new AsyncDisposableStack();
  const app = made.use(await createTestApp("sqlite", { trustedProxies: "127.0.0.1/32" }));
  const started: string[] = [];
  const record = (headers: { get(name: string): string | null }) => void started.push(headers.get("x-name") ?? "");
  const recording: typeof app.app = {
    ...app.app,
    siteOf: (host) => (host?.endsWith(".test") === true ? host.replace(".test", "") : null),
    async site(request, slug, connection) {
      record(request.headers);
      return app.app.site(request, slug, connection);
    },
    async fetch(request, connection) {
      record(request.headers);
      return app.app.fetch(request, connection);
    },
  };
  const server = await listen({ app: recording, logger: silentLogger }, { host: "127.0.0.1", port: 0 });
  made.defer(() => server.close());
  const send = async (requests: readonly { name: string; path?: string; host?: string; from?: string }[]) => {
    started.length = 0;
    const socket = connect(server.port, "127.0.0.1");
    const lines = requests.map(({ name, path = "/", host = "localhost", from = "203.0.113.1" }, index) => {
      const end = index === requests.length - 1 ? "Connection: close\r\n" : "";
      const headers = `X-Name: ${name}\r\nX-Forwarded-For: ${from}\r\nAuthorization: Bearer ${app.key}\r\n${end}`;
      return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
    });
    socket.write(lines.join(""));
    socket.resume();
    await once(socket, "close");
    return started;
  };
  return { app, send, [Symbol.asyncDispose]: () => made.disposeAsync() };
}

it("gives a project one turn in a round, by whichever of its names requests come", async () => {
  await using server = await startRecorder();
  const { id, slug } = server.app.project;
  const repository = `/git/${slug}.git/info/refs?service=git-upload-pack`;
  await server.send([{ name: "an answer names the project", path: repository }]);
  const started = await server.send([
    { name: "api", path: `/v2/agent/${id}/jobs` },
    { name: "repository", path: repository },
    { name: "dashboard", path: `/${slug}/jobs` },
    { name: "site", host: `${slug}.test` },
    { name: "preview", host: `pr-7--${slug}.test` },
    { name: "another preview", host: `branch-0123456789--${slug}.test` },
    { name: "of another project", host: "other.test" },
  ]);
  expect(started).toEqual([
    "api",
    "of another project",
    "repository",
    "dashboard",
    "site",
    "preview",
    "another preview",
  ]);
});

it("gives clients behind a trusted proxy a turn each", async () => {
  await using server = await startRecorder();
  const started = await server.send([
    ...["a1", "a2", "a3"].map((name) => ({ name, path: "/account", from: "203.0.113.1" })),
    { name: "b1", path: "/account", from: "203.0.113.2" },
  ]);
  expect(started).toEqual(["a1", "b1", "a2", "a3"]);
});

it("counts a domain for its project, once it was answered", () => {
  const owners = createTurnOwners({ addressOf: (_, peer) => peer });
  const incoming = new IncomingMessage(new Socket());
  expect(owners.ownerOf(incoming, "docs.example.com")).toBe("docs.example.com");
  owners.learn("docs.example.com", "prj_1");
  expect(owners.ownerOf(incoming, "docs.example.com")).toBe("prj_1");
});
