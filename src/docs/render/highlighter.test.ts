import { expect, test, vi } from "vitest";
import { createHighlighter } from "./highlighter.ts";

test("a block has the same colors when the machine pauses in the middle of a line", async () => {
  const highlighter = await createHighlighter(() => 0);
  highlighter.startPage();
  await highlighter.load(["js"]);
  let now = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 60_000));
  try {
    const [line = []] = highlighter.tokens("const a = 1; const b = 2;", "js") ?? [];
    expect(line.filter(({ name }) => name === "keyword").map(({ text }) => text)).toEqual([
      "const ",
      "= ",
      "const ",
      "= ",
    ]);
  } finally {
    clock.mockRestore();
  }
});
