import { describe, expect, it } from "vitest";
import { indexNames } from "#rules/grammar/names.ts";
import { compile, type Node } from "#rules/grammar/template.ts";
import type { ChoreForm } from "./chore-form.ts";
import { choreForms } from "./chore-forms.ts";

describe("rows of chores", () => {
  it("read all of their slots", () => {
    const unread = choreForms.flatMap((form) =>
      form.forms.flatMap((row) => unreadSlots(form, slotsOf(compile(row))).map((slot) => `${slot} of ${row}`)),
    );
    expect(unread).toEqual([]);
  });

  it("are found if a slot is not read", () => {
    const form: ChoreForm = {
      tool: "fix_links",
      forms: [],
      inputs: (slots) => (slots["page"] === undefined ? null : [{ in: slots["page"] }]),
    };
    const slots = slotsOf(compile("fix links of {page:page} [in {version:version}]"));
    expect(unreadSlots(form, slots)).toEqual(["version"]);
  });

  it("do not compile with an unknown slot type, and are named in the error", () => {
    expect(() => compile("fix links on {inPage:pgae}")).toThrow("no slot type “pgae” in: fix links on {inPage:pgae}");
  });
});

/** The names of all slots of a template. */
function slotsOf(node: Node): ReadonlySet<string> {
  switch (node.kind) {
    case "slot":
      return new Set([node.name]);
    case "sequence":
      return new Set(node.nodes.flatMap((each) => [...slotsOf(each)]));
    case "choice":
      return new Set(node.options.flatMap((each) => [...slotsOf(each)]));
    case "repeated":
      return slotsOf(node.node);
    default:
      return new Set();
  }
}

/** Slots of its forms that `inputs` never reads: a person's words there would be dropped. */
function unreadSlots(form: ChoreForm, slots: ReadonlySet<string>): string[] {
  const read = new Set<string>();
  const watched = (filled: Record<string, readonly string[]>) =>
    new Proxy(filled, {
      get(target, name) {
        if (typeof name === "string") read.add(name);
        return Reflect.get(target, name) as unknown;
      },
    });
  const said = "guides/sample.yaml";
  const sample = (name: string) => [name, [said]] as const;
  const known = indexNames({ pages: [], groups: [{ title: said, pages: [said] }] });
  const names = [...slots];
  const cases = [
    names,
    [],
    ...names.map((name) => [name]),
    ...names.map((name) => names.filter((other) => other !== name)),
  ];
  // Some forms read their slots only if all docs are meant.
  for (const options of [{}, { everywhere: true }])
    for (const filled of cases) form.inputs(watched(Object.fromEntries(filled.map(sample))), options, known);
  return names.filter((name) => !read.has(name));
}
