import { expect, test } from "vitest";
import { barChart } from "./bar-chart.ts";

test.each([
  [0, ["0", "1", "2"]],
  [1, ["0", "1", "2"]],
  [3, ["0", "2", "4"]],
  [5, ["0", "3", "6"]],
  [8, ["0", "5", "10"]],
  [41, ["0", "30", "60"]],
  [1_900, ["0", "1K", "2K"]],
])("for a maximum of %i visitors, the axis labels are whole numbers above it", (human, marks) => {
  const chart = String(barChart([{ label: "2026-11-20", human, ai: 0 }]));
  expect([...chart.matchAll(/text-anchor="end">([^<]*)</g)].map(([, mark]) => mark).slice(0, 3)).toEqual(marks);
});
