import { readdir } from "node:fs/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { createSpool, type Spool } from "./spool.ts";

const readAll = async (spool: Spool): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of spool.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

it("returns what was written, in memory and in a file, read during and after the write", async () => {
  await using folder = await createTestDirectory();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ maxLength: 12 }), { maxLength: 20 }), async (texts) => {
      await using spool = createSpool(folder.path, { memoryBytes: 40 });
      const meanwhile = readAll(spool);
      for (const text of texts) await spool.write(Buffer.from(text));
      spool.end();
      const expected = texts.join("");
      expect(await meanwhile).toBe(expected);
      expect(await readAll(spool)).toBe(expected);
      expect(await readdir(folder.path)).toEqual([]); // an unlinked file
    }),
    { numRuns: 50 },
  );
});

it("fails its readers when the writer failed", async () => {
  await using folder = await createTestDirectory();
  await using spool = createSpool(folder.path);
  await spool.write(Buffer.from("half"));
  spool.end(new Error("cut"));
  await expect(readAll(spool)).rejects.toThrow("cut");
});
