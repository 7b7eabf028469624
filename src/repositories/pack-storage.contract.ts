import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/database.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import type { NewPack, PackStorage } from "./pack-storage.ts";
import { readRepository } from "./repository-reads.ts";
import { changeRepository, deleteRepository, insertRepository, type RepositoryStorage } from "./repository-rows.ts";

/** What every place of packs keeps. `countStored` counts what it holds of packs with and without rows. */
export function describePackStorage(
  place: string,
  open: () => Promise<{ database: Database; packs: PackStorage; countStored(): Promise<number> }>,
): void {
  describe(`packs in ${place}`, () => {
    let storage: RepositoryStorage;
    let countStored: () => Promise<number>;
    beforeAll(async () => {
      const { database, packs, countStored: count } = await open();
      storage = { database, packs, keepMs: 0 };
      countStored = count;
    });

    const packOf = (bytes: Buffer): NewPack => ({
      name: createHash("sha1").update(bytes).digest("hex"),
      sizeBytes: bytes.length - 3,
      indexBytes: 3,
      isPartial: false,
      read: () => [bytes.subarray(0, 5), bytes.subarray(5)],
    });
    const create = async (): Promise<ProjectId> => {
      const id = newProjectId();
      await insertRepository(storage, id, { head: "main", blobs: "here", references: new Map(), pack: null });
      return id;
    };
    const add = (id: ProjectId, pack: NewPack) => changeRepository(storage, id, { pack, updates: [] });
    async function read(id: ProjectId): Promise<Buffer[]> {
      const stored = await readRepository(storage.database, id);
      if (stored === null || stored === "same") return [];
      return Promise.all(
        stored.packs.map(async (pack) => Buffer.concat(await Array.fromAsync(storage.packs.read(id, pack)))),
      );
    }

    it("returns the bytes of a pack, small or larger than a chunk", async () => {
      const id = await create();
      const contents = [Buffer.from("a small pack"), randomBytes(2 * 1024 * 1024 + 7)];
      for (const bytes of contents) await add(id, packOf(bytes));
      const found = await read(id);
      expect(found.sort((a, b) => a.length - b.length).map((bytes, at) => bytes.equals(contents[at]!))).toEqual([
        true,
        true,
      ]);
    });

    it("stores a pack once that two writers store at the same time", async () => {
      const id = await create();
      const bytes = randomBytes(100);
      await Promise.all([add(id, packOf(bytes)), add(id, packOf(bytes))]);
      expect(await read(id)).toEqual([bytes]);
    });

    it("keeps nothing of a change that is refused", async () => {
      const id = await create();
      const before = await countStored();
      const update = { ref: "refs/heads/main", to: "1".repeat(40), expected: "2".repeat(40) };
      expect(await changeRepository(storage, id, { pack: packOf(randomBytes(50)), updates: [update] })).toBeNull();
      expect([await read(id), await countStored()]).toEqual([[], before]);
    });

    it("ends early for a pack that is gone, and keeps nothing of a deleted repository", async () => {
      const before = await countStored();
      const id = await create();
      await add(id, packOf(randomBytes(50)));
      const stored = await readRepository(storage.database, id);
      await deleteRepository(storage, id);
      expect(await countStored()).toBe(before);
      const [pack] = stored === null || stored === "same" ? [] : stored.packs;
      expect(await Array.fromAsync(storage.packs.read(id, pack!))).toEqual([]);
    });
  });
}
