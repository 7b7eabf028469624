import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { DASHBOARD_FONT, dashboardFont } from "./dashboard-font.ts";

test("the dashboard's font is made from the installed Inter (npm run fix writes it)", async () => {
  const kept = readFileSync(path.join(import.meta.dirname, "..", DASHBOARD_FONT));
  expect(kept.equals(await dashboardFont())).toBe(true);
});
