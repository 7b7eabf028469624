import { expect, test } from "vitest";
import { markFormulas } from "./mark-formulas.ts";

const marked = (source: string) => markFormulas(source, "likely").replaceAll("$$$$", "¤");

test.each([
  ["$x$ and $n$", "¤x¤ and ¤n¤"],
  ["Mass is $E = mc^2$.", "Mass is ¤E = mc^2¤."],
  ["In $\\frac{a}{b}$ and $O(n \\log n)$", "In ¤\\frac{a}{b}¤ and ¤O(n \\log n)¤"],
  ["$O(n log n)$, $2n$, $a_{ij}$, $-1 < x$", "¤O(n log n)¤, ¤2n¤, ¤a_{ij}¤, ¤-1 < x¤"],
  ["| $x_1$ | $5 |", "| ¤x_1¤ | $5 |"],
  ["- ($x^2$)", "- (¤x^2¤)"],
])("%s has formulas", (source, expected) => {
  expect(marked(source)).toBe(expected);
});

test.each([
  "It costs $5 and $10.",
  "$5-$10 a month, or $5/$10",
  "US$ 5 and 6$ and $7",
  "Set $HOME/bin and $PATH, or $HOME/$USER.",
  "$VAR$ and $MY_VAR$ of Windows shells",
  "It is $20 (or $25) for teams, $99 for more, \\$5 and \\$6",
  "from $100 to $200k$ and so on",
  "`$x^2$` and ``a ` $x^2$``",
  "```sh\necho $x $y_1$\n```",
  "~~~\n$x^2$\n~~~",
  "- item\n  ```\n  $x^2$\n  ```",
  "---\ntitle: $x^2$\n---\n",
  'export const a = "$x^2$";\n\ntext',
  "{`${a}$x^2$`}",
  '<Card title="$x^2$" />',
  "$$x^2$$ and $$\\$5$$",
  "$$\nx^2 $y$\n$$",
  "${name} and ${other}",
  "a $x\ny^2$ b",
])("%j has no formulas", (source) => {
  expect(markFormulas(source, "likely")).toBe(source);
});

test("a long formula is one", () => {
  const long = `x^2${" + x^2".repeat(1_000)}`;
  const four = "$".repeat(4);
  expect(markFormulas(`$${long}$`, "likely")).toBe(four + long + four);
});

test("a site can treat all as formulas, or none", () => {
  expect(markFormulas("$some words$ of $5 and $10", "all")).toBe("$$$$some words$$$$ of $5 and $10");
  expect(markFormulas("$x^2$", "none")).toBe("$x^2$");
});

test("a megabyte of text that looks like the start of a formula is read to its end", () => {
  for (const piece of ["$x ", "$x`", "<a {", "$x <a b='", "{$x ", "`$x``$", "$$$$x$$$ ", "$x\\", "\n$$$x\n"]) {
    const source = piece.repeat(1_000_000 / piece.length);
    expect(markFormulas(source, "likely").length).toBeGreaterThanOrEqual(source.length);
  }
});
