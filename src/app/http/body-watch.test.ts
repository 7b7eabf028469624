import { once } from "node:events";
import { createServer, request, type ClientRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { createBodyWatch } from "./body-watch.ts";

let stop: () => void = () => undefined;
afterEach(() => stop());

async function open(limits: { idleMs: number; totalMs: number }, mayTakeLong: boolean): Promise<ClientRequest> {
  const bodies = createBodyWatch(limits);
  const server = createServer({ requestTimeout: 0 }, (incoming, outgoing) => {
    bodies.watch(incoming, { mayTakeLong });
    text(incoming).then(
      (body) => outgoing.end(`${body.length} bytes`),
      () => undefined,
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  stop = () => {
    bodies[Symbol.dispose]();
    server.closeAllConnections();
    server.close();
  };
  const sent = request({
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    method: "POST",
    headers: { "transfer-encoding": "chunked" },
  });
  sent.write("x");
  return sent;
}

/** Sends a byte every 20 ms until it is stopped or the connection is cut. */
function trickle(sent: ClientRequest, bytes: number): Promise<string> {
  return new Promise((resolve) => {
    let left = bytes;
    const timer = setInterval(() => {
      if (left-- > 0) sent.write("x");
      else {
        clearInterval(timer);
        sent.end();
      }
    }, 20);
    sent.once("error", () => {
      clearInterval(timer);
      resolve("cut");
    });
    sent.once("response", (answer) => void text(answer).then(resolve));
  });
}

it("has no total limit for a large body while bytes keep arriving", async () => {
  const sent = await open({ idleMs: 1_200, totalMs: 100 }, true);
  expect(await trickle(sent, 100)).toBe("101 bytes");
});

it("cuts a small body that never ends", async () => {
  const sent = await open({ idleMs: 1_200, totalMs: 300 }, false);
  expect(await trickle(sent, Infinity)).toBe("cut");
});

it("cuts a body that stops arriving", async () => {
  const sent = await open({ idleMs: 240, totalMs: 60_000 }, true);
  const [error] = (await once(sent, "error").catch((cause: unknown) => [cause])) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNRESET");
});
