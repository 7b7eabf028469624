import { once } from "node:events";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

export interface SiteAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Requests to the site of a server's project over kept connections, with headers as they are given. */
export function createSiteClient({ instance, port }: { instance: { project: { slug: string } }; port: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const host = `${instance.project.slug}.localhost:${port}`;
  return {
    host,
    async send(
      path: string,
      given: { method?: string; headers?: Record<string, string>; body?: string } = {},
    ): Promise<SiteAnswer> {
      const { method = "GET", headers = {}, body } = given;
      const sent = request({ agent, host: "127.0.0.1", port, path, method, headers: { host, ...headers } });
      sent.end(body);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

export type SiteClient = ReturnType<typeof createSiteClient>;
