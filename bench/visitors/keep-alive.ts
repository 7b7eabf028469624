import { once } from "node:events";
import { connect } from "node:net";
import { userAgents } from "#testing/views.ts";

/** One connection that is kept: a request at a time, as bytes made before, so that the sender costs as little as can be. */
export interface Connection extends Disposable {
  /** Resolves with the status once the whole answer is there. `isHead`: an answer without a body. */
  send(request: Buffer, isHead?: boolean): Promise<number>;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const NO_BODY = new Set([204, 304]);

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  await once(socket, "connect");
  let received: Buffer = Buffer.alloc(0);
  let waiting: (PromiseWithResolvers<number> & { isHead: boolean }) | null = null;
  const fail = (error: Error) => waiting?.reject(error);
  socket.on("error", fail).on("close", () => fail(new Error("the server closed a connection")));
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0 || waiting === null) return;
    const head = received.toString("latin1", 0, headEnd);
    const status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    const body = received.subarray(headEnd + HEAD_END.length);
    const isWhole =
      waiting.isHead ||
      NO_BODY.has(status) ||
      (length === undefined ? body.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : body.length >= Number(length));
    if (!isWhole) return;
    const { resolve } = waiting;
    received = Buffer.alloc(0);
    waiting = null;
    resolve(status);
  });
  return {
    send(request, isHead = false) {
      waiting = { ...Promise.withResolvers<number>(), isHead };
      socket.write(request);
      return waiting.promise;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** A page, as a browser asks for it. */
export function pageRequest(host: string, path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgents.chrome}\r\n` +
      "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n",
  );
}
