import { once } from "node:events";
import { connect } from "node:net";
import { userAgents } from "#testing/views.ts";

/** One connection that is kept: a request at a time, as bytes made before, so that the sender costs as little as can be. */
export interface Connection extends Disposable {
  /** Resolves with the status once the whole answer is there. `isHead`: an answer without a body. */
  send(request: Buffer, isHead?: boolean): Promise<number>;
}

const HEAD_END = "\r\n\r\n";
const LENGTH = "\r\nContent-Length: ";
const NO_BODY = new Set([204, 304]);
const DIGIT_0 = 0x30;

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  await once(socket, "connect");
  let waiting: (PromiseWithResolvers<number> & { isHead: boolean }) | null = null;
  let head: Buffer | null = null;
  /** Bytes of the answer that are not there yet; null until its head is. */
  let missing: number | null = null;
  let status = 0;
  const fail = (error: Error) => waiting?.reject(error);
  socket.on("error", fail).on("close", () => fail(new Error("the server closed a connection")));
  socket.on("data", (chunk: Buffer) => {
    if (waiting === null) return;
    if (missing === null) {
      head = head === null ? chunk : Buffer.concat([head, chunk]);
      const headEnd = head.indexOf(HEAD_END, 0, "latin1");
      if (headEnd < 0) return;
      status = readDigits(head, 9);
      const isEmpty = waiting.isHead || NO_BODY.has(status);
      const at = isEmpty ? -1 : head.indexOf(LENGTH, 0, "latin1");
      if (!isEmpty && (at < 0 || at > headEnd)) return fail(new Error("an answer tells no length"));
      const length = isEmpty ? 0 : readDigits(head, at + LENGTH.length);
      missing = headEnd + HEAD_END.length + length - head.length;
      head = null;
    } else missing -= chunk.length;
    if (missing > 0) return;
    const { resolve } = waiting;
    waiting = null;
    missing = null;
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

function readDigits(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start; ; at++) {
    const digit = (bytes[at] ?? 0) - DIGIT_0;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}

/** A page, as a browser asks for it. */
export function pageRequest(host: string, path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgents.chrome}\r\n` +
      "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n",
  );
}
