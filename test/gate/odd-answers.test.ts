import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { COMMANDS } from "#cli/commands.ts";
import { AppError } from "#lib/app-error.ts";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestDirectory } from "#testing/repositories.ts";

/** What the server answers every request with. */
let answer = "";
/** For the logins of the command line. */
let folder: Awaited<ReturnType<typeof createTestDirectory>>;
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(answer));
});

beforeAll(async () => {
  folder = await createTestDirectory();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [name, value] of Object.entries({ DOCENT_SERVER: address, DOCENT_API_KEY: "docent_1", DOCENT_PROJECT: "", XDG_CONFIG_HOME: folder.path, DOCENT_DATA: "", DATABASE_URL: "" })) vi.stubEnv(name, value); // oxfmt-ignore
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
  server.close();
});

const P = "prj_1";
const LINES = [
  ["jobs", "list", P],
  ["jobs", "create", P, "Fix it."],
  ["jobs", "show", "job_1", "--project", P],
  ["jobs", "diff", "job_1", "--project", P, "--json"],
  ["jobs", "message", "job_1", "Go on.", "--project", P],
  ["jobs", "merge", "job_1", "--project", P],
  ["keys", "list", P],
  ["keys", "list", "--instance"],
  ["keys", "create", P],
  ["projects", "list"],
  ["projects", "show", P],
  ["projects", "show", "a-slug"],
  ["projects", "create", "Docs"],
  ["projects", "set", P, "model", "docent/builtin-rules"],
  ["projects", "domain", "list", P],
  ["projects", "access", P],
  ["projects", "delete", P, "--yes"],
  ["webhooks", "list", P],
  ["webhooks", "create", P, "https://example.com/"],
  ["webhooks", "test", P, "whk_1"],
  ["webhooks", "deliveries", P, "whk_1"],
  ["automations", "list", P],
  ["automations", "create", P, "Links", "Fix the links."],
  ["automations", "run", P, "aut_1"],
  ["deployments", "list", P],
  ["deployments", "pin", P, "4f2a9c1"],
  ["analytics", "visitors", P],
  ["analytics", "views", P],
  ["analytics", "searches", P],
  ["projects", "sources", "list", P],
  ["projects", "sources", "add", P, "code", "--repo", "https://example.com/code"],
  ["projects", "sources", "remove", P, "code"],
  ["projects", "api", "list", P],
  ["projects", "api", "read", P],
  ["projects", "link", P],
  ["projects", "sign-out", P],
  ["analytics", "erase", P, "--address", "203.0.113.7", "--yes"],
  ["analytics", "snippet", P],
  ["login", "--server", "SERVER", "--project", P],
];
const ODD = ["null", "5", '"text"', "no JSON", "<html></html>"];

/** Names of lists and things of the API, each with something else in its place. */
const NAMES = "jobs keys projects webhooks deliveries automations runs sources addresses deployments visitors views searches files settings totals source".split(" "); // oxfmt-ignore
const all = (value: unknown) => JSON.stringify({ id: "x", ...Object.fromEntries(NAMES.map((name) => [name, value])) });
const OTHERS = ["[]", "{}", '{"id": 5}', all(null), all(5), all({}), all([null]), all([5]), all([{ id: {} }])];

async function errorOf([name, ...args]: readonly string[]): Promise<unknown> {
  const command = await COMMANDS.find((one) => one.name === name)!.load();
  const { io } = createCommandIo({ readInput: async () => "docent_1" });
  const line = args.map((word) => (word === "SERVER" ? process.env["DOCENT_SERVER"]! : word));
  return command.run(line, io).then(
    () => null,
    (thrown: unknown) => thrown,
  );
}

it.each(LINES)("docent %s %s reports a response that does not come from the API", async (...line) => {
  for (answer of ODD) {
    const error = await errorOf(line);
    expect([answer, error]).toEqual([answer, expect.any(AppError)]);
    expect((error as AppError).message).toMatch(/^The answer is (?:no JSON|a page of HTML)/);
  }
});

it.each(LINES)("docent %s %s does not crash on a response with other fields", async (...line) => {
  for (answer of OTHERS) {
    const error = await errorOf(line);
    expect([answer, error === null || error instanceof AppError]).toEqual([answer, true]);
  }
});
