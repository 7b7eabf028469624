/**
 * A body that is read from its source only when the client reads more, so that a slow client buffers one chunk. `close`
 * is called when the client disconnects; the source then ends.
 */
export function pulledStream(
  source: AsyncGenerator<string, void, undefined>,
  close: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await source.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      async cancel() {
        close();
        await source.return();
      },
    },
    { highWaterMark: 0 },
  );
}
