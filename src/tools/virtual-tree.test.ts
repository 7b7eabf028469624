import { expect, it } from "vitest";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { createVirtualTree } from "./virtual-tree.ts";

it("reads the content of an edited file once, however often its files are listed, also in its forks", async () => {
  const tree = createVirtualTree(createTestSnapshot({ "a.md": "a\n" }));
  for (let index = 0; index < 20; index += 1) tree.write(`${index}.md`, new Uint8Array(1024 * 1024).fill(index));
  const cost = async (work: () => Promise<unknown>) => {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  const first = await cost(() => tree.files());
  const many = await cost(async () => {
    for (let times = 0; times < 10; times += 1) await tree.files();
    for (let times = 0; times < 10; times += 1) await tree.fork().files();
  });
  expect(many).toBeLessThan(first * 5); // it would be twenty times as much if each were read again
  tree.write("0.md", "new\n");
  const versions = new Map((await tree.files()).map(({ path, version }) => [path, version]));
  expect(versions.get("0.md")).not.toBe(versions.get("1.md"));
  expect([await tree.exists("a.md"), await tree.exists("0.md"), await tree.exists("b.md")]).toEqual([
    true,
    true,
    false,
  ]);
});
