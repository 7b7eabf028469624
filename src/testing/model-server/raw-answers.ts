import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MockLanguageModelV4 } from "ai/test";
import { createModelCatalogue } from "#models/model.ts";
import { createProviderConnector } from "#models/providers.ts";
import { type Effort, type ProviderSettings, readModelSettings } from "#models/settings.ts";
import { type ModelStep, type OfferedTool, runModelStep } from "#models/step.ts";

const tools: OfferedTool[] = ["read_file", "finish"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
}));

interface RawAnswer {
  type: string;
  body: string;
  status?: number;
}

/** A server of raw answers, and one step of a model at it; for what providers send that `createModelServer` does not. */
export async function createRawAnswers() {
  const requests: unknown[] = [];
  let next = (): RawAnswer => ({ type: "text/plain", body: "" });
  const server = createServer((request, response) => {
    const received: Buffer[] = [];
    request.on("data", (chunk: Buffer) => received.push(chunk));
    request.on("end", () => {
      requests.push(JSON.parse(Buffer.concat(received).toString("utf8")));
      const { status = 200, type, body } = next();
      response.writeHead(status, { "content-type": type }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  async function ask(
    kind: ProviderSettings["kind"],
    options: { streaming?: boolean; effort?: Effort } = {},
  ): Promise<ModelStep> {
    requests.length = 0;
    const { streaming = true, effort } = options;
    const settings = { kind, streaming, baseUrl: `http://127.0.0.1:${port}/v1`, apiKeyEnv: "KEY" };
    const { providers } = readModelSettings(JSON.stringify({ providers: { mine: settings } }), { KEY: "k" });
    const { model, providerOptions } = createModelCatalogue({
      builtin: new MockLanguageModelV4(),
      providers,
      allowed: null,
      connect: createProviderConnector({ fetch }),
    }).resolve("mine/model");
    return runModelStep({
      model,
      providerOptions,
      tools,
      effort,
      messages: [{ role: "user", content: "go" }],
      system: "You edit documentation.",
      signal: new AbortController().signal,
      maxOutputTokens: 1_000,
      timeoutMs: 5_000,
      retries: { attempts: 2, firstWaitMs: 1, totalWaitMs: 10 },
    });
  }

  return {
    /** The bodies that the last step sent. */
    requests,
    ask,
    answerWith(answers: () => RawAnswer) {
      next = answers;
    },
    /** Answers with the events of a stream: an object is the data of one, a text is sent as it is. */
    stream(...events: (object | string)[]) {
      const lines = events.map((event) => (typeof event === "string" ? event : `data: ${JSON.stringify(event)}`));
      const body = lines.map((line) => `${line}\n\n`).join("");
      next = () => ({ type: "text/event-stream", body });
    },
    json(body: object, status = 200) {
      next = () => ({ type: "application/json", body: JSON.stringify(body), status });
    },
    close: () => server.close(),
  };
}
