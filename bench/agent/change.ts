import { createHash } from "node:crypto";
import { diffLines } from "diff";
import type { Snapshot } from "#docs/snapshot.ts";

/** One file that differs; null where it is absent. */
export interface FileEdit {
  path: string;
  before: string | null;
  after: string | null;
}

/** A docs repository before and after a change. */
export interface Change {
  before: Snapshot;
  after: Snapshot;
  edits: readonly FileEdit[];
}

export async function readText(snapshot: Snapshot, path: string): Promise<string | null> {
  const bytes = await snapshot.read(path);
  return bytes === null ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

export async function compare(before: Snapshot, after: Snapshot): Promise<Change> {
  const versions = async (snapshot: Snapshot) =>
    new Map((await snapshot.files()).map(({ path, version }) => [path, version]));
  const [old, now] = [await versions(before), await versions(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path));
  const edits = await Promise.all(
    paths
      .toSorted()
      .map(async (path) => ({ path, before: await readText(before, path), after: await readText(after, path) })),
  );
  return { before, after, edits };
}

/** The change that gives files these texts. */
export async function changeBy(before: Snapshot, texts: ReadonlyMap<string, string | null>): Promise<Change> {
  return compare(before, overlay(before, texts));
}

function overlay(base: Snapshot, texts: ReadonlyMap<string, string | null>): Snapshot {
  return {
    async files() {
      const kept = (await base.files()).filter(({ path }) => !texts.has(path));
      const known = new Map((await base.files()).map((file) => [file.path, file]));
      const edited = await Promise.all(
        [...texts].map(async ([path, text]) => {
          if (text === null) return [];
          const same = known.get(path);
          if (same !== undefined && (await readText(base, path)) === text) return [same];
          const version = createHash("sha256").update(text).digest("hex");
          return [{ path, version, sizeBytes: Buffer.byteLength(text), kind: "file" as const }];
        }),
      );
      return [...kept, ...edited.flat()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
    },
    read(path) {
      const text = texts.get(path);
      if (text === undefined) return base.read(path);
      return Promise.resolve(text === null ? null : Buffer.from(text));
    },
  };
}

/** Lines that a file's edit adds and removes. */
export function changedLines({ before, after }: FileEdit): { added: string[]; removed: string[] } {
  const lines = (value: string) => value.replace(/\n$/, "").split("\n");
  const parts = diffLines(before ?? "", after ?? "");
  return {
    added: parts.filter(({ added }) => added).flatMap(({ value }) => lines(value)),
    removed: parts.filter(({ removed }) => removed).flatMap(({ value }) => lines(value)),
  };
}
