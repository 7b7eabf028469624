import { expect, it } from "vitest";
import { createTestSite } from "#testing/site.ts";

it("shows the current value of a variable, also on an unchanged page", async () => {
  const config = (product: string) => JSON.stringify({ name: "Docs", variables: { product } });
  await using site = await createTestSite({
    "docs.json": config("Harbor"),
    "index.md": "# Start\n\nUse {{product}}.\n",
  });
  const shown = async () => /Use [\w{}]+\./.exec(await (await site.request("/")).text())?.[0];
  expect(await shown()).toBe("Use Harbor.");
  await site.push({ "docs.json": config("Haven") });
  site.passTime(60_000);
  expect(await shown()).toBe("Use Haven.");
});
