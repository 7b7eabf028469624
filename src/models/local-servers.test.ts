import { expect, it } from "vitest";
import { createModelServer } from "#testing/model-server/server.ts";
import type { LocalKind } from "#testing/model-server/model-lists.ts";
import { createLocalModels, localModelsText, type LocalPorts } from "./local-servers.ts";

const script = { conversations: [] };
const start = (local: LocalKind, models: string[]) => createModelServer({ script, local, models });
const portOf = ({ url }: { url: string }) => Number(new URL(url).port);
const clock = { now: () => new Date("2026-11-20T12:00:00Z") };
const lookAt = async (ports: LocalPorts) => {
  await using models = createLocalModels({ fetch, clock }, ports);
  return await models.look();
};

it("finds each local model server with its text models", async () => {
  await using ollama = await start("ollama", ["llama3.2:latest", "nomic-embed-text:latest"]);
  await using llamaCpp = await start("llama-cpp", ["/models/SmolLM2-135M-Instruct-Q8_0.gguf"]);
  await using lmStudio = await start("lm-studio", ["qwen/qwen3-8b", "text-embedding-nomic-embed-text-v1.5", "a b"]);
  const ports = { ollama: portOf(ollama), "llama-cpp": portOf(llamaCpp), "lm-studio": portOf(lmStudio) };
  const found = await lookAt(ports);
  expect(found).toEqual([
    { name: "ollama", address: `${ollama.url}/v1`, models: ["llama3.2:latest"] },
    { name: "llama-cpp", address: `${llamaCpp.url}/v1`, models: ["SmolLM2-135M-Instruct-Q8_0.gguf"] },
    { name: "lm-studio", address: `${lmStudio.url}/v1`, models: ["qwen/qwen3-8b"] },
  ]);
  expect(localModelsText(found)).toBe(
    "Ollama with llama3.2:latest; llama.cpp with SmolLM2-135M-Instruct-Q8_0.gguf; LM Studio with qwen/qwen3-8b",
  );
});

it("ignores a port with another program, or with none", async () => {
  await using other = await start("lm-studio", ["gpt-4"]);
  const closed = await start("ollama", []);
  await closed.close();
  expect(await lookAt({ ollama: portOf(closed), "llama-cpp": portOf(other) })).toEqual([]);
  expect(await lookAt({ ollama: portOf(other) })).toEqual([]);
});

it("finds a server without models", async () => {
  await using ollama = await start("ollama", []);
  const found = await lookAt({ ollama: portOf(ollama) });
  expect(found).toEqual([{ name: "ollama", address: `${ollama.url}/v1`, models: [] }]);
  expect(localModelsText(found)).toBe("Ollama, without a model");
});

it("gives up on a program that does not respond", async () => {
  const hangs: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init!.signal!.addEventListener("abort", () => reject(new Error("aborted")));
    });
  await using models = createLocalModels({ fetch: hangs, clock }, { ollama: 1 });
  expect(await models.look()).toEqual([]);
});

it("caches its result for ten seconds", async () => {
  let now = clock.now();
  let looks = 0;
  const counting: typeof fetch = async () => {
    looks++;
    return Response.json({ models: [] });
  };
  await using models = createLocalModels({ fetch: counting, clock: { now: () => now } }, { ollama: 1 });
  await Promise.all([models.look(), models.look()]);
  expect(looks).toBe(1);
  now = new Date(now.getTime() + 11_000);
  await models.look();
  expect(looks).toBe(2);
});
