import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createFairBytes } from "#lib/fair-bytes.ts";
import type { PlainAnswer } from "#lib/network/plain-http.ts";

/** Accounts for the memory of responses until their readers have received them. */
export interface AnswersOnTheirWay {
  /** Counts a response until it is sent or its connection closes. `AppError unavailable` if it exceeds the limit. */
  add(answer: PlainAnswer, to: { outgoing: ServerResponse; socket: Socket }): void;
}

/** A smaller body costs little more than the connection itself. */
const MIN_COUNTED_BYTES = 32 * 1024;

/**
 * Bounds the bytes of responses that wait for slow readers, in total and per project. A body that is sent to many
 * readers counts once, because it is in memory once.
 */
export function createAnswersOnTheirWay(limits: { total: number; perOwner: number }): AnswersOnTheirWay {
  const room = createFairBytes(limits);
  const bodies = new Map<Uint8Array, { readers: number; held: Disposable }>();
  /** Callbacks for the end of a connection: Node does not notify responses that are queued behind another one. */
  const open = new WeakMap<Socket, Set<() => void>>();

  const holdFor = (owner: string, bytes: Uint8Array) => {
    const known = bodies.get(bytes);
    if (known !== undefined) return known;
    const held = room.hold(owner);
    held.take(bytes.length);
    const body = { readers: 0, held };
    bodies.set(bytes, body);
    return body;
  };

  const endsOf = (socket: Socket) => {
    const known = open.get(socket);
    if (known !== undefined) return known;
    const ends = new Set<() => void>();
    open.set(socket, ends);
    socket.once("close", () => {
      for (const end of ends) end();
    });
    return ends;
  };

  return {
    add({ body: bytes, owner = "" }, { outgoing, socket }) {
      if (!(bytes instanceof Uint8Array) || bytes.length < MIN_COUNTED_BYTES || socket.destroyed) return;
      const body = holdFor(owner, bytes);
      body.readers += 1;
      const ends = endsOf(socket);
      const end = () => {
        if (!ends.delete(end)) return;
        body.readers -= 1;
        if (body.readers > 0) return;
        bodies.delete(bytes);
        body.held[Symbol.dispose]();
      };
      ends.add(end);
      outgoing.once("close", end);
    },
  };
}
