import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { choresOfFollowUp } from "./follow-ups.ts";
import { NOTHING_BEFORE } from "./turn-before.ts";
import { understand } from "./understanding.ts";

const toolNames = createAgentTools().map(({ name }) => name);
const after = (before: string, request: string) =>
  choresOfFollowUp(
    request,
    { requests: [before], isCarriedOut: true, turns: [understand(before, toolNames).calls] },
    { toolNames },
  );

const BERTH = 'Replace "berth" with "slot" in concepts/';
it.each([
  [BERTH, "The same for guides/", [["replace_term", { from: "berth", to: "slot", in: ["guides/"] }]]],
  [BERTH, "Now do the same in guides/ and api/, please", [["replace_term", { from: "berth", to: "slot", in: ["guides/", "api/"] }]]],
  [BERTH, "do the same in guides/ and api/", [["replace_term", { from: "berth", to: "slot", in: ["guides/", "api/"] }]]],
  [BERTH, "Also in reference/", [["replace_term", { from: "berth", to: "slot", in: ["reference/"] }]]],
  [BERTH, "The same in “dock”", [["replace_term", { from: "berth", to: "slot", in: ["dock"] }]]],
  [BERTH, "The same for the page “dock”", [["replace_term", { from: "berth", to: "slot", in: ["dock"] }]]],
  [BERTH, "The same for “dock”", null],
  [BERTH, "Also for “dock”", null],
  [BERTH, "The same with Tokens", null],
  [BERTH, "The same for guides/?", null],
  [BERTH, "Also in reference/?", null],
  [BERTH, "Could you do the same in guides/?", [["replace_term", { from: "berth", to: "slot", in: ["guides/"] }]]],
  ["Hide the page quickstart", "Same for the page operate/upgrade", [["set_front_matter", { page: "operate/upgrade", key: "hidden", value: true }]]],
  ['Set the tag of all pages in guides/ to "Beta"', "The same for concepts/", [["set_front_matter", { key: "tag", value: "Beta", in: ["concepts/"] }]]],
  ['Set the tag of all pages in guides/ to "Beta"', "Also on the page quickstart", [["set_front_matter", { key: "tag", value: "Beta", in: ["quickstart"] }]]],
  ['Set the key openapi of api/tokens to "GET /x"', "The same for guides/", null],
  ["Hide the page quickstart", "The same for drafts/", [["set_front_matter", { key: "hidden", value: true, in: ["drafts/"] }]]],
  ["Fix broken links in guides/", "Try again", [["fix_links", { in: ["guides/"] }]]],
  ["Delete the page guides/backups", "redirect it to quickstart", [["remove_page", { page: "guides/backups", redirectTo: "quickstart" }]]],
  ["Delete the page guides/backups.", "Redirect to the page quickstart", [["remove_page", { page: "guides/backups", redirectTo: "quickstart" }]]],
  ["Delete the page guides/backups", "quickstart", [["remove_page", { page: "guides/backups", redirectTo: "quickstart" }]]],
  ["Delete the page guides/backups and redirect it to quickstart", "api/tokens", null],
  ["Delete the page guides/backups", "never", null],
  ["Hide the page guides/backups", "quickstart", null],
  ["Hide the page quickstart", "Also the page operate/upgrade", [["set_front_matter", { page: "operate/upgrade", key: "hidden", value: true }]]],
  ['Set the description of quickstart to "x"', "The same for api/tokens", null],
  ["Move guides/a to start/a", "The same for guides/b", null],
  [BERTH, "The same for everything else", null],
  [BERTH, "The same for guides/, but only in headings", null],
  [BERTH, "Undo that", null],
  ['Replace "berth" with "slot" except in guides/', "The same for guides/", null],
  ['Replace "berth" with "slot" except in guides/', "The same for guides/deploy", null],
] as const)("%s – %s", (before, request, calls) => {
  const found = after(before, request)?.map(({ tool, input }) => [tool, input]) ?? null;
  expect(found).toEqual(calls);
}); // oxfmt-ignore

it.each(["The same for the page operate/upgrade", "Also the page operate/upgrade"])(
  "%s: refers to the last request, and to nothing before it",
  (request) => {
    const hidden = understand("Hide the page quickstart", toolNames).calls;
    const refused = { requests: ["Make it catchy"], isCarriedOut: false, turns: [hidden] };
    expect(choresOfFollowUp(request, refused, { toolNames })).toBeNull();
    expect(choresOfFollowUp(request, { ...refused, isCarriedOut: true }, { toolNames })).not.toBeNull();
  },
);

it("does not apply to a first message", () => {
  expect(choresOfFollowUp("The same for guides/", NOTHING_BEFORE, { toolNames })).toBeNull();
  expect(choresOfFollowUp("Try again", NOTHING_BEFORE, { toolNames })).toBeNull();
});

it("repeats the last chores, including those of a follow-up, but never an undo", () => {
  const guides = [{ tool: "replace_term", input: { from: "berth", to: "slot", in: ["guides/"] } }];
  const before = { requests: ["The same for guides/"], isCarriedOut: true, turns: [guides] };
  expect(choresOfFollowUp("Once more", before, { toolNames })).toEqual(guides);
  const undone = { requests: ["Undo that"], isCarriedOut: true, turns: [guides, [{ tool: "undo_changes", input: { of: "last" } }]] };
  expect(choresOfFollowUp("Once more", undone, { toolNames })).toBeNull();
  const refused = { requests: ["The same for api/"], isCarriedOut: false, turns: [guides] };
  expect(choresOfFollowUp("Try again", refused, { toolNames })).toEqual([{ tool: "replace_term", input: { from: "berth", to: "slot", in: ["api/"] } }]);
  expect(choresOfFollowUp("Try again", { ...refused, requests: ["Try again"] }, { toolNames })).toBeNull();
  expect(choresOfFollowUp("Try again", { ...refused, isAfterRefusal: true }, { toolNames })).toBeNull();
}); // oxfmt-ignore
