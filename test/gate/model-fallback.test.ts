import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { edit, finish, startModels } from "#test/support/models.ts";
import { startTestServer } from "#test/support/server.ts";

const PAGE = "index.md";

/** A provider that answers `answers` requests as the one at `origin`, and is overloaded from then on. */
async function tiring(origin: string, answers: number) {
  const server = createServer((request, response) => {
    void (async () => {
      const body: Buffer[] = [];
      for await (const piece of request) body.push(piece as Buffer);
      if ((answers -= 1) < 0)
        return response.writeHead(529, { "retry-after": "0.02" }).end('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'); // oxfmt-ignore
      const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
      const answer = await fetch(origin + request.url, {
        method: "POST",
        headers: headers as Record<string, string>,
        body: Buffer.concat(body),
      });
      const type = answer.headers.get("content-type") ?? "";
      return response.writeHead(answer.status, { "content-type": type }).end(Buffer.from(await answer.arrayBuffer()));
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("continues with the next model from the last step while a provider is down, and says so", async () => {
  const { models, environment } = await startModels({
    conversations: [
      { marker: "Rename the product.", turns: [edit(PAGE, "Harbor Cloud", "Harbor Platform"), edit(PAGE, "harbour", "port"), finish()] }, // oxfmt-ignore
      { marker: "Rename it again.", turns: [edit(PAGE, "Cloud", "Platform"), finish()] },
    ],
  });
  onTestFinished(() => models.close());
  const { providers } = JSON.parse(environment["DOCENT_MODELS"]!) as { providers: Record<string, object> };
  const tired = { ...providers["anthropic"], baseUrl: `${await tiring(models.url, 1)}/v1` };
  const settings = { providers: { ...providers, tired }, fallback: ["tired/other", "openai/m"] };
  await using server = await startTestServer({
    engine: "sqlite",
    files: { [PAGE]: "# Start\n\nHarbor Cloud, harbour.\n" },
    environment: { ...environment, DOCENT_MODELS: JSON.stringify(settings), DOCENT_DEFAULT_MODEL: "tired/m" },
  });
  const { baseUrl, instance } = server;
  const carriedOut = async (prompt: string) => {
    const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
    const job = (await waitForJob(baseUrl, instance, body.id)) as unknown as AgentJobBody;
    const { body: read } = await callApi(baseUrl, instance, { path: `/job/${body.id}/events` });
    const { events } = read as unknown as { events: { type: string; data: { code?: string; text?: string } }[] };
    return { job, notices: events.filter(({ data }) => data.code === "model_fallback").map(({ data }) => data.text) };
  };
  const said = expect.stringMatching(/could not answer \(529\).* The job continues with openai\/m\.$/) as string;

  const running = await carriedOut("Rename the product.");
  expect(running.job.error).toBeNull();
  expect(running.job).toMatchObject({ status: "completed", model: "tired/m", usage: { steps: 3 } });
  expect(running.notices).toEqual([said]);
  // One that begins while the provider is away begins with the other model.
  const queued = await carriedOut("Rename it again.");
  expect(queued.job).toMatchObject({ status: "completed", usage: { steps: 2 } });
  expect(queued.notices).toEqual([said]);
  // What a job chose itself goes to no provider that it did not choose.
  const own = { prompt: "Rename it again.", model: "tired/other" };
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: own });
  const seen = async () =>
    (await callApi(baseUrl, instance, { path: `/job/${body.id}` })).body as unknown as AgentJobBody;
  await expect.poll(async () => (await seen()).waitingFor, { timeout: 10_000 }).toMatchObject({ provider: "tired" });
}, 30_000);
