import { expect, it } from "vitest";
import { createDiagrams } from "./diagrams.ts";

const diagrams = createDiagrams(() => 0);

it.each([
  'flowchart LR\n  A["<b>a</b><br/>b"] -->|yes| B{Ok?}\n  click A "https://example.com"\n',
  "---\ntitle: T\n---\n%%{init: { 'theme': 'dark' }}%%\n%% a note\ngraph TD; A-->B;\n",
  "sequenceDiagram\n  A->>B: hi\n  Note over A: x\n",
  "classDiagram\n  A <|-- B\n  class C~T~ {\n    <<interface>>\n    +f() int\n  }\n",
  "sequenceDiagram\n  box Aqua Group\n  participant A\n  end\n  A->>A: x\n",
  "stateDiagram-v2\n  [*] --> A\n",
  "erDiagram\n  A ||--o{ B : has\n",
  "gantt\n  title T\n  section A\n  a :a1, 2014-01-01, 30d\n",
  'pie title T\n  "a" : 10\n',
  "gitGraph\n  commit\n  branch x\n  checkout x\n  commit\n",
  "timeline\n  title T\n  2002 : a\n",
  "journey\n  title T\n  section A\n  x: 5: me\n",
  "quadrantChart\n  x-axis a --> b\n  A: [0.3, 0.6]\n",
  "xychart-beta\n  x-axis [a, b]\n  bar [1, 2]\n",
  "block-beta\n  a b\n",
  "sankey-beta\n\na,b,1\n",
  'C4Context\n  Person(a, "b")\n',
  "kanban\n  a\n    b[c]\n",
  "requirementDiagram\n  requirement a {\n    id: 1\n    text: x\n  }\n",
  'packet-beta\n  0-15: "a"\n',
  "radar-beta\n  axis a, b\n  curve c{1, 2}\n",
  'treemap-beta\n  "a"\n    "b": 1\n',
])("reads a diagram that the site's script can draw: %s", (source) => {
  expect(diagrams.problem(source)).toBeNull();
});

it.each([
  ["nothing", "", "it is empty"],
  ["another kind", "%% a note\nfoo bar\n", 'it begins with "foo", which is not a kind of diagram'],
  ["a kind that the site lacks", "mindmap\n  a\n", "Docent has no mindmap diagrams"],
  [
    "a bracket",
    "flowchart LR\n  A --> ((B\n",
    `Mermaid says "Parse error on line 2: ...lowchart LR A --> ((B unexpected 'PS'"`,
  ],
  [
    "a missing colon",
    'pie title T\n  "a" 10\n',
    "Mermaid says \"Parse error on line 2, column 7: Expecting token of type ':' but found `10`.\"",
  ],
  [
    "a branch",
    "gitGraph\n  checkout x\n",
    'Mermaid says "Trying to checkout branch which is not yet created. (Help try using "branch x")"',
  ],
  ["too many lines", `graph LR\n${"a-->b\n".repeat(501)}`, "it has more than 500 connections"],
  ["too many characters", "a".repeat(50_001), "it has more than 50000 characters"],
])("says why a diagram cannot be drawn: %s", (_what, source, problem) => {
  expect(diagrams.problem(source)?.message.slice(0, problem.length)).toBe(problem);
});

it.each([
  ["that the clock stops is read again", [1, 10_000], { isKnown: true }],
  ["that takes too long is not called invalid", [1], { isKnown: false, message: "it takes too long to read" }],
])("a diagram %s", (_what, triesMs, problem) => {
  expect(createDiagrams(() => 0, { triesMs }).problem("flowchart LR\n  A --> ((B\n")).toMatchObject(problem);
});

it("reads the others in the next attempt once the page is out of time", () => {
  let time = 0;
  const slow = createDiagrams(() => (time += 600));
  const sources = ["pie\n", "foo\n", "bar\n"];
  const attempt = () => {
    slow.startPage();
    return [sources.map((source) => slow.problem(source)?.isKnown), slow.ranOut()];
  };
  expect(attempt()).toEqual([[undefined, false, false], true]);
  expect([attempt(), attempt()].at(-1)).toEqual([[undefined, true, true], false]);
});
