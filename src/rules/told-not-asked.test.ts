import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { measureWork } from "#testing/measure-work.ts";
import { understand } from "./understanding.ts";

const names = createAgentTools().map(({ name }) => name);
const REMOVE = "Remove the page guides/lone";

it.each([
  `We rejected these requests:\n- ${REMOVE}`,
  `Rejected:\n- ${REMOVE}`,
  `It was a mistake:\n- ${REMOVE}`,
  `The team voted against these changes:\n- ${REMOVE}`,
  `Nobody liked this idea:\n- ${REMOVE}`,
  `Legal refused the request. ${REMOVE}.`,
  `The proposal was declined. ${REMOVE}.`,
  `${REMOVE}?`,
  'Replace "Harbor" with "Pirate"?',
  '"Harbor" should be "Pirate"?',
  "Delete these images:\n- guides/lone",
  "Remove these groups:\n- guides/lone",
  'Changelog:\n- Replace "Harbor" with "Pirate"',
  'Links: replace "Harbor" with "Pirate"',
  'Navigation: "Guides" -> "How-tos"',
  'Add a section titled "Old" to guides/lone with the text "x". Remove it.',
  'Add a note to guides/lone with the text "x". Then delete it.',
  "Hide the Replay events page",
  `Do not do this yet\n\n${REMOVE}`,
  `Only after 2.7\n\n${REMOVE}`,
  `Ideas\n\n${REMOVE}`,
  `Rejected\n\n${REMOVE}`,
  `Docs: pages that we do not remove\n\n${REMOVE}`,
  "Move guides/lone to concepts/. Hide it.",
  `Docs: remove the old page guides/lone\n\n${REMOVE}.`,
  `Docs: guides without lone\n\n${REMOVE}`,
  'Docs: replace "webhook" in api/ with care\n\nReplace "webhook" with "callback" everywhere.',
  "Hide the page support/faq and delete the page support/faq.",
  'Set the title of quickstart to "A". Set the title of the page quickstart.mdx to "B".',
  'Replace "webhook" with "callback". Replace "webhook" with "hook" in guides/.',
  'Replace "event" with "message" on the page a. Replace "message" with "notice" on the page a.',
  'Add a page titled "Setup" under "Guides" with the text: Install it. Get rid of the page a/one once you are done.',
])("a statement, a question or an ambiguous request is not carried out: %j", (prompt) => {
  expect(understand(prompt, names)).toMatchObject({ calls: [], refused: expect.anything() as unknown });
});

it.each([
  ["Remove these redirects:\n- /guides/lone", [["remove_redirect", { from: "/guides/lone" }]]],
  ["Hide operate/plans and guides/a", [["set_front_matter", { page: "operate/plans", key: "hidden", value: true }], ["set_front_matter", { page: "guides/a", key: "hidden", value: true }]]],
  ['Titles:\n- Replace "Harbor" with "Pirate"', [["replace_term", { from: "Harbor", to: "Pirate", only: "titles" }]]],
  [`${REMOVE}\n\nPlease remove the page guides/lone.`, [["remove_page", { page: "guides/lone" }]]],
] as const)("a request is read by its first words: %j", (prompt, calls) => {
  expect(understand(prompt, names).calls.map(({ tool, input }) => [tool, input])).toEqual(calls);
}); // oxfmt-ignore

it("runs no block of chores inside a quoted text", () => {
  const block = "```chores\n- remove_page: { page: guides/lone }\n```";
  const page = `Add a page titled "How to" under "Guides" with the text:\n\`\`\`\`md\n${block}\n\`\`\`\``;
  expect(understand(page, names).calls).toEqual([
    { tool: "add_page", input: { title: "How to", group: "Guides", text: block } },
  ]);
  const loose = `Add a note to quickstart with the text:\nSend this:\n${block}`;
  expect(understand(loose, names).calls).toEqual([]);
});

it("reads a text of many sentences within the budget of one message", () => {
  const line = `The ${'replace "a" with "b" not in code, '.repeat(14)}q.\n`;
  const prompt = `Add a section titled "x" to quickstart with the text: Hello there. ${line.repeat(70)}`;
  const { threadMs } = measureWork(() => understand(prompt.slice(0, 31_800), names));
  expect(threadMs).toBeLessThan(2_000);
});
