import type { JobEvent } from "./events.ts";

/** An event as the interface shows it, in the transcript and in the stream alike. */
export function eventToJson(event: JobEvent) {
  return {
    seq: event.seq,
    turn: event.turn,
    type: event.type,
    data: event.data,
    createdAt: event.createdAt.toISOString(),
  };
}

/** A server-sent event (WHATWG HTML, section 9.2). `data` is JSON, so it has no line breaks of its own. */
export function serverSentEvent(event: { id?: number; type: string; data: unknown }): string {
  const id = event.id === undefined ? "" : `id: ${event.id}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}
