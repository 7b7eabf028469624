import { createReadStream, type ReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";

const MAX_LINE_BYTES = 64 * 1024;

export interface LogLine {
  /** null for a line over 64 KiB. */
  text: string | null;
  /** Offset of the next line, in uncompressed bytes. */
  end: number;
}

/** The lines of a file, gzip or not, from its start. `onBytes` is told how much of the file itself was read so far. */
export async function* readLogLines(file: string, onBytes: (bytes: number) => void): AsyncGenerator<LogLine> {
  const isGzip = await startsWithGzip(file);
  const raw = createReadStream(file);
  try {
    yield* splitLines(isGzip ? unzipped(raw) : raw, () => onBytes(raw.bytesRead));
  } finally {
    raw.destroy();
  }
}

function unzipped(raw: ReadStream): AsyncIterable<Buffer> {
  const gunzip = createGunzip();
  raw.on("error", (error) => gunzip.destroy(error)); // `pipe` passes no errors on
  return raw.pipe(gunzip);
}

async function* splitLines(stream: AsyncIterable<Buffer>, onChunk: () => void): AsyncGenerator<LogLine> {
  let pending: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  let offset = 0;
  for await (const chunk of stream) {
    onChunk();
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const bytes = Buffer.concat([pending, chunk.subarray(from, at)]);
      offset += at - from + 1;
      yield { text: isTooLong || bytes.length > MAX_LINE_BYTES ? null : lineText(bytes), end: offset };
      pending = Buffer.alloc(0);
      isTooLong = false;
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    offset += rest.length;
    if (pending.length + rest.length > MAX_LINE_BYTES) {
      isTooLong = true;
      pending = Buffer.alloc(0);
    } else pending = Buffer.concat([pending, rest]);
  }
  if (pending.length > 0 || isTooLong) yield { text: isTooLong ? null : lineText(pending), end: offset };
}

const lineText = (bytes: Buffer) => bytes.toString("utf8").replace(/\r$/, "");

async function startsWithGzip(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
