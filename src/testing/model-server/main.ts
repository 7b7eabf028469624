import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createModelServer } from "./server.ts";
import { Script } from "./script.ts";

const usage = `node src/testing/model-server/main.ts --script FILE [--port 0] [--key test-key] [--idle-seconds 600]

Answers like Anthropic ({url}/v1), OpenAI ({url}/v1) and Google ({url}/v1beta), as the JSON script says; its shape
is in script.ts. Prints {"url": …} when it listens, and stops by itself when nobody has asked for a while.`;

const { values } = parseArgs({
  options: {
    script: { type: "string" },
    port: { type: "string", default: "0" },
    key: { type: "string", default: "test-key" },
    "idle-seconds": { type: "string", default: "600" },
    help: { type: "boolean", default: false },
  },
});
if (values.help || values.script === undefined) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
const script = Script.parse(JSON.parse(await readFile(values.script, "utf8")));
const server = await createModelServer({ script, port: Number(values.port), apiKey: values.key });
console.log(JSON.stringify({ url: server.url }));

const idleMs = Number(values["idle-seconds"]) * 1_000;
let seen: unknown;
let lastSeenAt = Date.now();
const watch = setInterval(
  () => {
    const last = server.requests.at(-1);
    if (last !== seen) [seen, lastSeenAt] = [last, Date.now()];
    if (Date.now() - lastSeenAt > idleMs) void stop();
  },
  Math.min(1_000, idleMs),
);

async function stop(): Promise<void> {
  clearInterval(watch);
  await server.close();
}
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
