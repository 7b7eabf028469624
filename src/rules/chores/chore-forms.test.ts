import { describe, expect, it } from "vitest";
import { compile, slotsOf } from "#rules/grammar/template.ts";
import { type ChoreForm, unreadSlots } from "./chore-form.ts";
import { choreForms } from "./chore-forms.ts";

describe("rows of chores", () => {
  it("have slots that their inputs read, all of them", () => {
    const unread = choreForms.flatMap((form) =>
      form.forms.flatMap((row) => unreadSlots(form, slotsOf(compile(row))).map((slot) => `${slot} of ${row}`)),
    );
    expect(unread).toEqual([]);
  });

  it("are told from one whose slot nobody reads", () => {
    const form: ChoreForm = {
      tool: "fix_links",
      forms: [],
      honours: [],
      inputs: (slots) => (slots["page"] === undefined ? null : [{ in: slots["page"] }]),
    };
    const slots = slotsOf(compile("fix links of {page:page} [in {version:version}]"));
    expect(unreadSlots(form, slots)).toEqual(["version"]);
  });

  it("do not compile with a type of slot that is not known, and are named then", () => {
    expect(() => compile("fix links on {inPage:pgae}")).toThrow("no slot type “pgae” in: fix links on {inPage:pgae}");
  });
});
