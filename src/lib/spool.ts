import { randomBytes } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import path from "node:path";
import type { ByteHold } from "./fair-bytes.ts";

/**
 * Buffers bytes between a slow client and a program that should not wait for it: in memory while they are few, then in
 * an unlinked file, which no other process can open and which disappears with this one.
 */
export interface Spool extends AsyncDisposable {
  /** One write at a time. `AppError unavailable` when there is no room left for it on disk. */
  write(chunk: Buffer): Promise<void>;
  /** Ends the input; with an error, readers fail after the bytes before it. */
  end(error?: Error): void;
  /** Everything from the start, also while it is still being written. */
  read(): AsyncGenerator<Buffer, void>;
}

const MEMORY_BYTES = 1024 * 1024;
const READ_BYTES = 256 * 1024;

/** `folder` holds the file if one is needed; `room` limits its size and is released at the end. */
export function createSpool(
  folder: string,
  { memoryBytes = MEMORY_BYTES, room }: { memoryBytes?: number; room?: ByteHold } = {},
): Spool {
  let memory: Buffer[] = [];
  let file: FileHandle | null = null;
  let size = 0;
  let ending: { error: Error | undefined } | null = null;
  let changed = Promise.withResolvers<void>();
  const tell = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const readAt = async (offset: number): Promise<Buffer> => {
    if (file === null) {
      memory = [Buffer.concat(memory)];
      return memory[0]?.subarray(offset) ?? Buffer.alloc(0);
    }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(READ_BYTES, size - offset)), {
      position: offset,
    });
    return buffer.subarray(0, bytesRead);
  };

  return {
    async write(chunk) {
      if (file === null && size + chunk.length > memoryBytes) {
        room?.take(size + chunk.length);
        const made = await openNameless(folder);
        try {
          await writeAt(made, Buffer.concat(memory), 0);
        } catch (error) {
          await made.close();
          throw error;
        }
        file = made;
        memory = [];
      } else if (file !== null) room?.take(chunk.length);
      if (file === null) memory.push(chunk);
      else await writeAt(file, chunk, size);
      size += chunk.length;
      tell();
    },
    end(error) {
      ending ??= { error };
      tell();
    },
    async *read() {
      for (let offset = 0; ;) {
        if (offset < size) {
          const chunk = await readAt(offset);
          offset += chunk.length;
          yield chunk;
        } else if (ending === null) await changed.promise;
        else if (ending.error) throw ending.error;
        else return;
      }
    },
    async [Symbol.asyncDispose]() {
      ending ??= { error: undefined };
      tell();
      await file?.close();
      room?.[Symbol.dispose]();
    },
  };
}

async function openNameless(folder: string): Promise<FileHandle> {
  // The prefix is git's own for packs and objects, so that its housekeeping removes files that a crash left behind.
  const place = path.join(folder, `tmp_obj_${randomBytes(8).toString("hex")}`);
  const handle = await open(place, "wx+", 0o600);
  await rm(place).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  return handle;
}

async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}
