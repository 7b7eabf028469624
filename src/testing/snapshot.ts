import { createHash } from "node:crypto";
import type { Snapshot, SnapshotFile } from "#docs/snapshot.ts";

/** A snapshot of the given files, in memory. `reads` counts how often each file's bytes were read. */
export function createTestSnapshot(
  files: Record<string, string | Uint8Array | { linkTo: string }>,
): Snapshot & { reads: Map<string, number> } {
  const reads = new Map<string, number>();
  const contents = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "object" && "linkTo" in content
        ? { kind: "symlink" as const, bytes: Buffer.from(content.linkTo) }
        : { kind: "file" as const, bytes: Buffer.from(content) },
    ]),
  );
  const listing: SnapshotFile[] = [...contents]
    .map(([path, { kind, bytes }]) => ({
      path,
      version: createHash("sha256").update(bytes).digest("hex"),
      sizeBytes: bytes.length,
      kind,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    reads,
    files: () => Promise.resolve(listing),
    read(path) {
      reads.set(path, (reads.get(path) ?? 0) + 1);
      const file = contents.get(path);
      return Promise.resolve(file?.kind === "file" ? file.bytes : null);
    },
  };
}
