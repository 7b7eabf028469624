import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server on a free port of a loopback address, whose connections end with it. */
export async function listen(
  answer: RequestListener,
  address = "127.0.0.1",
): Promise<AsyncDisposable & { port: number; url: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${address}:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
