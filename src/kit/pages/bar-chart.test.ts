import { expect, test } from "vitest";
import { barChart } from "./bar-chart.ts";

test("a bar that stands for several days says so, with the average", () => {
  const days = Array.from({ length: 241 }, (_, index) => ({ label: `day ${index}`, human: index < 3 ? 1 : 0, ai: 0 }));
  const titles = [...String(barChart(days)).matchAll(/<title>([^<]*)</g)].map(([, title]) => title);
  expect(titles[0]).toBe("3 days from day 0: on average 1.0 people, 0.0 AI a day");
  expect(titles.at(-1)).toBe("day 240: 0 people, 0 AI");
});

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
