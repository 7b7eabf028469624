import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to the database that can be cut, opened again, or made to swallow everything in silence. */
export async function createCuttableWay(target: URL) {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isFrozen = false;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    if (isFrozen) {
      sockets.add(client);
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((proxy.address() as { port: number }).port);
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut() {
      isCut = true;
      cutAll();
    },
    /** As a database whose processes are stopped: connections stay, and nothing is answered. */
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    open: () => (isCut = false),
    async [Symbol.asyncDispose]() {
      cutAll();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
