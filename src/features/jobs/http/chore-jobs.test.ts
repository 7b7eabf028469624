import { describe, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp } from "#testing/test-app.ts";

const detailsIn = (text: string) => (JSON.parse(text) as { details: unknown }).details;

const refused = [
  [
    { replaceterm: { from: "A", to: "B" } },
    "chores.0",
    /^names no chore: “replaceterm”\. Did you mean “replace_term”\? Chores: replace_term, check_links, /,
  ],
  [{ "replace-term": { from: "A", to: "B" } }, "chores.0", /Did you mean “replace_term”\?/],
  [{ replace_term: { from: "A", form: "A", to: "B" } }, "chores.0.replace_term.form", /^is no input of replace_term\. Did you mean “from”\? Inputs: from, to, in, /], // oxfmt-ignore
  [{ replace_term: { from: "A" } }, "chores.0.replace_term.to", /^is required$/],
  [{ set_front_matter: { page: "a", key: 5, value: 1 } }, "chores.0.set_front_matter.key", /^must be a string$/],
  [{ fix_links: null }, "chores.0.fix_links", /^must be an object/],
  [{ fix_links: [] }, "chores.0.fix_links", /^must be an object with the inputs of the chore$/],
  ["fix_links", "chores.0", /^must be an object with the name of one chore/],
  [{ fix_links: {}, audit: {} }, "chores.0", /^must be an object with the name of one chore/],
] as const;

describe.each(ENGINES)("chores of a job on %s", (engine) => {
  it("are refused with the field that is wrong and the names that are allowed", async () => {
    await using app = await createTestApp(engine);
    for (const [chore, path, message] of refused) {
      const { status, text } = await app.call("POST", "/job", { body: { chores: [chore] } });
      expect({ status, details: detailsIn(text) }).toEqual({
        status: 400,
        details: [{ path, message: expect.stringMatching(message) as string }],
      });
    }
    const none = await app.call("POST", "/job", { body: { chores: [] } });
    expect(detailsIn(none.text)).toEqual([{ path: "chores", message: "must have a chore" }]);
    const neither = await app.call("POST", "/job", { body: {} });
    expect(detailsIn(neither.text)).toEqual([{ path: "prompt", message: "is required" }]);
  });

  it("are stored with their message and describe themselves when it has no prompt", async () => {
    await using app = await createTestApp(engine);
    const chores = [{ replace_term: { from: "Harbor", to: "Port" } }, { fix_links: {} }];
    const { status, json } = await app.call("POST", "/job", { body: { chores } });
    expect(status).toBe(201);
    const events = await app.call("GET", `/job/${json.id}/events`);
    const [, received] = (JSON.parse(events.text) as { events: { data: unknown }[] }).events;
    expect(received?.data).toEqual({ seq: 1, prompt: "Replace “Harbor” with “Port”.\nFix broken links.", chores });
  });
});
