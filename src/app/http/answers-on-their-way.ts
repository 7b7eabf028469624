import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createFairBytes } from "#lib/fair-bytes.ts";
import type { PlainAnswer } from "#lib/network/plain-http.ts";

/** The memory that answers take until their readers have them. */
export interface AnswersOnTheirWay {
  /** Counts an answer until it is sent or its connection is gone. `AppError unavailable` when there is no room for it. */
  add(answer: PlainAnswer, to: { outgoing: ServerResponse; socket: Socket }): void;
}

/** A smaller body costs hardly more than the connection that it goes to. */
const MIN_COUNTED_BYTES = 32 * 1024;

/**
 * Bounds the answers that wait in memory for slow readers, in all and of each project. A body that goes to many readers
 * is counted once, because it is in memory once.
 */
export function createAnswersOnTheirWay(limits: { total: number; perOwner: number }): AnswersOnTheirWay {
  const room = createFairBytes(limits);
  const bodies = new Map<Uint8Array, { readers: number; held: Disposable }>();
  /** What ends with a connection: Node tells those answers nothing that wait behind another one. */
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
