import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { createContentProcess } from "./content-process.ts";

test("a rendered page can be garbage collected while its process lives on", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await using content = createContentProcess({ logger: silentLogger, isWarmedUp: false });
  const render = async () => {
    const readInclude = () => Promise.resolve(null);
    const page = await content.render({ path: "page.md", source: "# Page\n", format: "md", readInclude });
    return new WeakRef(page);
  };
  const pages = [await render(), await render(), await render()];
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  expect(pages.map((page) => page.deref())).toEqual([undefined, undefined, undefined]);
});
