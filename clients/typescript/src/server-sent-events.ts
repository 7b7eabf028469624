/** One message of an event stream. */
export interface ServerSentEvent {
  type: string;
  data: string;
  /** The last id that the stream gave, on this message or before it. */
  id: string | null;
  /** The wait before a new connection that the stream asked for last. */
  retryMs: number | null;
}

// More than any event of ours, which are kept to a few kilobytes each.
const LONGEST_LINE = 4 * 1024 * 1024;
const MOST_DATA = 4 * 1024 * 1024; // of one event, in all of its lines

/**
 * Reads an event stream as the HTML standard says; ends where the stream ends, and drops a message cut off there.
 * `onActivity` hears of everything that arrives, of comments too.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onActivity: () => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let id: string | null = null;
  let retryMs: number | null = null;
  let type = "";
  let data: string[] = [];
  let size = 0;
  for await (const line of readLines(body)) {
    onActivity();
    if (line === "") {
      if (data.length > 0) yield { type: type || "message", data: data.join("\n"), id, retryMs };
      type = "";
      data = [];
      size = 0;
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") type = value;
    else if (field === "data") {
      size += value.length + 1;
      if (size > MOST_DATA) throw new Error("an event of the stream is too long");
      data.push(value);
    } else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "retry" && /^\d+$/.test(value)) retryMs = Number(value);
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line end.
      const whole = rest.endsWith("\r") ? rest.length - 1 : rest.length;
      const lines = rest.slice(0, whole).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "") + rest.slice(whole);
      if (rest.length > LONGEST_LINE) throw new Error("a line of the event stream is too long");
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
