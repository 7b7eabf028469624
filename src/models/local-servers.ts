import { z } from "zod";
import type { Clock } from "#lib/clock.ts";
import { parseModelName } from "./model.ts";

/** Local model servers with their default ports. */
export const LOCAL_SERVERS = {
  ollama: { label: "Ollama", port: 11_434 },
  "llama-cpp": { label: "llama.cpp", port: 8_080 },
  "lm-studio": { label: "LM Studio", port: 1_234 },
} as const;
export type LocalServerName = keyof typeof LOCAL_SERVERS;

export const localAddress = (name: LocalServerName, port: number = LOCAL_SERVERS[name].port): string =>
  `http://127.0.0.1:${port}/v1`;

/** A running local model server. */
export interface LocalServer {
  name: LocalServerName;
  /** Base URL of its OpenAI-compatible API. */
  address: string;
  /** Names of its text models; empty while none is installed. */
  models: string[];
}

export interface LocalModels extends AsyncDisposable {
  /** The servers running on this machine. Takes at most a second; the result is cached for ten. */
  look(): Promise<readonly LocalServer[]>;
}

export type LocalPorts = Partial<Record<LocalServerName, number>>;

const LOOK_MS = 1_000;
const KEPT_MS = 10_000;

/** Looks for local model servers on these loopback ports. */
export function createLocalModels(
  deps: { fetch: typeof globalThis.fetch; clock: Clock },
  ports: LocalPorts,
): LocalModels {
  const closing = new AbortController();
  let last: { at: number; found: Promise<LocalServer[]> } | null = null;
  return {
    look() {
      const at = deps.clock.now().getTime();
      if (last === null || Math.abs(at - last.at) > KEPT_MS) {
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LOOK_MS)]);
        last = { at, found: findServers(deps.fetch, ports, signal) };
      }
      return last.found;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await last?.found;
    },
  };
}

async function findServers(
  fetch: typeof globalThis.fetch,
  ports: LocalPorts,
  signal: AbortSignal,
): Promise<LocalServer[]> {
  const names = Object.keys(LOCAL_SERVERS) as LocalServerName[];
  const found = await Promise.all(
    names.map(async (name) => {
      const port = ports[name];
      if (port === undefined) return [];
      const address = localAddress(name, port);
      const models = await LISTS[name](async (path) => {
        // A redirect could point to any host.
        const response = await fetch(new URL(path, address), { redirect: "error", signal });
        return response.ok ? ((await response.json()) as unknown) : null;
      }).catch(() => null); // no server, or another program
      return models === null ? [] : [{ name, address, models: models.filter((model) => canWrite(name, model)) }];
    }),
  );
  return found.flat();
}

const NAMED = 3;

/** `Ollama with llama3.2 and qwen3`. */
export function localModelsText(servers: readonly LocalServer[]): string {
  const list = new Intl.ListFormat("en");
  const named = servers.map(({ name, models }) => {
    if (models.length === 0) return `${LOCAL_SERVERS[name].label}, without a model`;
    const more = models.length > NAMED ? [`${models.length - NAMED} more`] : [];
    return `${LOCAL_SERVERS[name].label} with ${list.format([...models.slice(0, NAMED), ...more])}`;
  });
  return named.join("; ");
}

type ReadList = (get: (path: string) => Promise<unknown>) => Promise<string[] | null>;

const OllamaTags = z.looseObject({ models: z.array(z.looseObject({ name: z.string() })) });
const OpenAiList = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), owned_by: z.string().optional() })),
});

/** Lists the models of each server; null if another program has the port. As of November 2026. */
const LISTS: Record<LocalServerName, ReadList> = {
  async ollama(get) {
    const { success, data } = OllamaTags.safeParse(await get("/api/tags"));
    return success ? data.models.map(({ name }) => name) : null;
  },
  async "llama-cpp"(get) {
    const { success, data } = OpenAiList.safeParse(await get("/v1/models"));
    // 8080 is a common port.
    if (!success || !data.data.some(({ owned_by }) => owned_by === "llamacpp")) return null;
    // Without an alias the name is a file path. The server has one model and accepts any name for it.
    return data.data.map(({ id }) => (/^\.{0,2}\/|^[A-Za-z]:\\/.test(id) ? id.replace(/^.*[/\\]/s, "") : id));
  },
  async "lm-studio"(get) {
    const { success, data } = OpenAiList.safeParse(await get("/v1/models"));
    return success ? data.data.map(({ id }) => id) : null;
  },
};

/** Excludes embedding models by name: nomic-embed-text, text-embedding-…. */
const canWrite = (server: LocalServerName, model: string): boolean =>
  parseModelName(`${server}/${model}`) !== null && !/embed/i.test(model);
