import { pino } from "pino";
import { requestSite } from "#cli/demo/demo-visits.ts";
import type { TestInstance } from "./instance.ts";
import { serveInstance } from "./server.ts";

/** Serves the instance, and reads a site, its dashboard and its log as people do. */
export async function loggedServer(instance: TestInstance) {
  const lines: string[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const server = await serveInstance(instance, { logger });
  const { project, key } = instance;
  const host = `${project.slug}.localhost`;
  const signedIn = await fetch(`${server.baseUrl}/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ key }),
    redirect: "manual",
  });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    page: (address: string) => requestSite({ port: server.port, host }, { path: address }),
    dashboard: async (address: string) =>
      (await (await fetch(`${server.baseUrl}/${project.slug}${address}`, { headers: { cookie } })).text()).replaceAll(
        /\s+/g,
        " ",
      ),
    log: () => lines.join(""),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
