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

it("shows formulas in dollars as the current settings say, also on an unchanged page", async () => {
  const config = (latex: boolean) => JSON.stringify({ name: "Docs", styling: { latex } });
  await using site = await createTestSite({ "docs.json": config(true), "index.md": "# Start\n\nUse $x^2$ here.\n" });
  const hasFormula = async () => (await (await site.request("/")).text()).includes("<math");
  expect(await hasFormula()).toBe(true);
  await site.push({ "docs.json": config(false) });
  site.passTime(60_000);
  expect(await hasFormula()).toBe(false);
});
