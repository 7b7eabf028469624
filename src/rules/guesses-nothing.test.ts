import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { finished, notUnderstood } from "./report.ts";
import { type Understanding, understand } from "./understanding.ts";

const tools = new Map(createAgentTools().map((tool) => [tool.name, tool]));
function read(prompt: string): Understanding {
  const understanding = understand(prompt, [...tools.keys()]);
  // Quotations are replaced by placeholders, which people must not see.
  expect(JSON.stringify([understanding.refused, understanding.hint])).not.toMatch(/[\uE000\uE001]/);
  return understanding;
}

function calls(prompt: string): [tool: string, input: Record<string, unknown>][] {
  const { calls: found, refused } = read(prompt);
  expect(refused).toEqual([]);
  for (const { tool, input } of found) expect(tools.get(tool)?.input.safeParse(input).error).toBeUndefined();
  return found.map(({ tool, input }) => [tool, input]);
}

/** The sentences of the hint, one per line: each of them is understood. */
function sentences(hint: string): string[] {
  return hint.split("\n").filter(Boolean);
}

describe("unquoted words never become a replacement everywhere", () => {
  it.each([
    "Update Harbor to v1.12", "Update Harbor Cloud to 2.0", "Update Node.js to 22", "Update the SDK to v3", "Update Docs to v1.12.0", "Update Docusaurus to 3.8.1",
    "Update README to Markdown", "Update Kubernetes to 1.31 everywhere", "Update copyright to 2026", "Update Harbor from v1.11 to v1.12", "Update Harbor to v1.12 in all pages",
    "Switch CI to GitHub Actions", "Switch Jest to Vitest", "Switch Yarn to PNPM everywhere", "Switch Docs to English", "Convert Tabs to Accordions", "Convert Cards to Columns",
    "Convert HTML to MDX", "Convert CHANGELOG to Markdown", "Convert README.md to index.mdx", "Change Node 18 to Node 20", "Change MIT to Apache-2.0", "Change Harbor Cloud to Harbor Platform",
    "Change Step 2 to Step 3", "Swap Step 2 for Step 3", "Swap Alice for Bob", "Swap A for B on page quickstart", "Change A to B on the quickstart page", "Exchange Foo with Bar",
    "Substitute Foo with Bar", "Substitute Foo for Bar", "Use TypeScript instead of JavaScript", "Use Harbor Platform instead of Harbor Cloud", "Use PNPM rather than NPM everywhere",
    "Say API instead of SDK", "Write Docker in place of Podman", "Correct GitHub to Github", "Search for Foo and change it to Bar", "Find Foo and substitute it with Bar",
    "Replace Node 18 with Node 20", "Replace v1 with v2", "Replace Harbor with v1.12", "Replace 2.6 with 2.7", "Replace Tabs with Accordions", "Replace Card with CardGroup",
    "Replace all references to Node 18 with Node 20", "Update all references to v1.11 to v1.12", "Replace PNG with SVG", "Replace Figure 2 with Figure 3", "Replace CodeGroup with Tabs",
  ])("%s", (prompt) => {
    const { calls: found, refused } = read(prompt);
    expect(refused).not.toEqual([]);
    expect(found).toEqual([]);
  }); // oxfmt-ignore

  it.each([
    ['Update "Harbor Cloud" to "Harbor Platform"', "Harbor Cloud", "Harbor Platform"],
    ['Update "v1.11" to "v1.12" everywhere', "v1.11", "v1.12"],
    ['Switch "Jest" to "Vitest"', "Jest", "Vitest"],
    ['Convert "e-mail" to "email"', "e-mail", "email"],
    ['Use "Harbor Platform" instead of "Harbor Cloud"', "Harbor Cloud", "Harbor Platform"],
    ["Change the term Harbor Cloud to Harbor Platform", "Harbor Cloud", "Harbor Platform"],
    ["Change the product name Harbor Cloud to Harbor Platform", "Harbor Cloud", "Harbor Platform"],
    ["Update all mentions of Harbor Cloud to Harbor Platform", "Harbor Cloud", "Harbor Platform"],
    ["Swap the term webhook for hook", "webhook", "hook"],
    ["Replace Harbor Cloud with Harbor Platform", "Harbor Cloud", "Harbor Platform"],
  ])("unless the request says so: %s", (prompt, from, to) => {
    expect(calls(prompt)).toEqual([["replace_term", { from, to }]]);
  }); // oxfmt-ignore
});

describe("an exclusion or option that is not supported is refused", () => {
  it.each([
    'Replace "a" with "b" except in links', 'Replace "a" with "b" but not in links', 'Replace "a" with "b", leave links alone', 'Replace "a" with "b" except in headings',
    'Replace "a" with "b" but leave the changelog alone',
    'Replace "a" with "b" but not in titles', 'Replace "a" with "b" only once', 'Replace "a" with "b", first occurrence only',
    'Replace the first "a" with "b"', 'Replace "a" with "b", keeping plurals', 'Replace "a" with "b" and keep the old name in brackets', 'Replace "a" with "b" except the changelog',
    'Replace "a" with "b" also in code blocks but leave inline code alone', 'Replace "a" with "b" including code, but not in code', 'Replace "a" with "b" case-sensitively, in any case',
    'Replace "a" with "b" without touching tables', 'Replace "a" with "b" also in file names', 'Replace "a" with "b" in code only', 'Only replace "a" with "b" in code', 'Replace "a" with "b" not in quotes',
    "Fix broken links except in guides/", "Fix broken links but not in guides/", "Fix broken external links", "Check external links", "Fix only the broken images", "Fix broken links without adding redirects",
    "Fix all broken links but leave the changelog alone", "Check links, excluding images", "Fix outdated links", "Fix missing links", "Check links except external ones",
    'Add a note at the end of quickstart with the text "x"', 'Add a warning at the bottom of quickstart saying "x"', "Add missing descriptions except in guides/", "Add missing descriptions using the first paragraph",
    "Add missing descriptions from the opening line", "Use sentence case for titles", "Use sentence case for headings except in guides/", "Use title case for page titles", "Use sentence case for headings but keep acronyms",
    'Use "-" as list markers except in guides/', 'Use "-" as list markers for numbered lists only', "Repair the navigation but keep empty groups", "Add orphan pages to the navigation except drafts",
    "Add the page to the navigation", "Add pages to the navigation", "Move guides/a to start/a but keep the old page", "Move guides/a to start/a unless something links to it", "Move guides/a to start/a without updating links",
    "Move guides/a to start/a but do not update the navigation", "Move guides/a to start/a and leave the links as they are", 'Rename the page "A" to "B" but keep the file name', 'Rename the page "A" to "B" without changing the URL',
    "Remove the page guides/a but keep its redirects", "Remove the page guides/a unless it is linked", "Remove the page guides/a without a redirect and keep the file", "Hide the page a except for admins",
    'Set the description of a to "x" unless it has one', 'Set the title of a to "x" but not in the navigation', "Audit the docs except guides/", "List orphan pages except drafts", "List images without alt text except icons",
    'Set the description of a to "x" only if it is missing', "Create API reference pages from openapi.yaml without the deprecated endpoints", "Create API reference pages from openapi.yaml for the users tag only",
    "Add a changelog entry for 2.7 from the git history since v2.6 without merge commits", "Don't fix broken links", "Do not check links", "Never replace \"a\" with \"b\"", "Please don't remove the page guides/a",
  ])("%s", (prompt) => {
    const { calls: found, refused, hint } = read(prompt);
    expect(refused).not.toEqual([]);
    expect(found.length).toBeLessThanOrEqual(0);
    // A suggested sentence keeps the restriction.
    const proposed = (hint === null ? [] : sentences(hint)).flatMap((sentence) => read(sentence).calls);
    for (const { input } of proposed) expect(Object.keys(input).length).toBeGreaterThan(0);
    expect(proposed).not.toContainEqual({ tool: "replace_term", input: { from: "a", to: "b" } });
  }); // oxfmt-ignore

  it.each<[string, Record<string, unknown>]>([
    ['Replace "a" with "b", case-sensitive', { letterCase: "exact" }],
    ['Replace "a" with "b" case-sensitively in guides/', { letterCase: "exact", in: ["guides/"] }],
    ['Replace "a" with "b" but leave inline code alone', { includeCode: false }],
    ['Replace "a" with "b", not in code', { includeCode: false }],
    ['Replace "a" with "b" everywhere, but not in code or URLs', { includeCode: false }],
    ['Replace "a" with "b" only in guides/', { in: ["guides/"] }],
    ['Replace "a" with "b" (whole words only)', { wholeWord: true }],
  ])("a supported one is understood: %s", (prompt, input) => {
    expect(calls(prompt)).toEqual([["replace_term", { from: "a", to: "b", ...input }]]);
  });

  it("names the words that it does not understand", () => {
    const reason = (prompt: string) => read(prompt).refused[0]?.reason;
    expect(reason("Fix broken links except in guides/")).toContain("“except in guides/”");
    expect(reason('Replace "a" with "b" but leave the changelog alone')).toContain("“but leave the changelog alone”");
    expect(reason("Fix broken external links")).toContain("“external”");
    expect(reason("Update Harbor to v1.12")).toContain("“v1.12”");
  });

  it("suggests the remaining part of the docs, if the chore can be limited to one", () => {
    expect(read("Fix broken links except in guides/").hint).toBe('Fix broken links in "folder"');
    expect(read("Repair the navigation but keep empty groups").hint).toBeNull();
    expect(read("Don't fix broken links").hint).toBeNull();
  });
});

describe("a suggestion changes no page that the request does not mention", () => {
  const everywhere = [
    "Fix broken links",
    "Repair the navigation",
    'Use "-" as list markers',
    "Use sentence case for headings",
  ];
  it.each([
    "Fix the typos in all headings",
    "Repair the broken build",
    "Fix the navigation bar's colours",
    "Use British spelling",
    "Fix broken images",
    "Normalise the headings of the page a",
  ])("%s", (prompt) => {
    const { calls: found, hint } = read(prompt);
    expect(found).toEqual([]);
    expect(everywhere).not.toContain(hint);
  });
});

describe("every word of a name is used", () => {
  it.each([
    ['Rename the page "Forwarding" to URL Redirects', { page: "Forwarding", title: "URL Redirects" }],
    ['Rename the page forwarding to "Links and redirects"', { page: "forwarding", title: "Links and redirects" }],
    ["Rename the page forwarding to Redirects", { page: "forwarding", title: "Redirects" }],
    ["Rename the page forwarding to URL Redirects and update the links", { page: "forwarding", title: "URL Redirects" }],
    ['Move quickstart to the group "Redirects"', { page: "quickstart", group: "Redirects" }],
    ["Move quickstart to the group Redirects", { page: "quickstart", group: "Redirects" }],
    ["Move quickstart to the Redirects group", { page: "quickstart", group: "Redirects" }],
    ["Move quickstart to the group URL Redirects", { page: "quickstart", group: "URL Redirects" }],
    ['Move quickstart to the group "Links and Redirects"', { page: "quickstart", group: "Links and Redirects" }],
    ["Move quickstart to the group Getting Started Guides", { page: "quickstart", group: "Getting Started Guides" }],
    ['Rename the page "Forwarding" to "Redirects and links" and add a redirect', { page: "Forwarding", title: "Redirects and links" }],
    ["Move guides/a to start/a and add a redirect from the old URL", { page: "guides/a", to: "start/a" }],
    ["Move the page guide to start/guide", { page: "guide", to: "start/guide" }],
    ["Move guides/a to start/a with a redirect", { page: "guides/a", to: "start/a" }],
    ["Move guides/a to start/a without a redirect", { page: "guides/a", to: "start/a", redirect: false }],
  ])("%s", (prompt, input) => expect(calls(prompt)).toEqual([["move_page", input]])); // oxfmt-ignore

  it.each([
    "Move quickstart to the group", "Move quickstart to the section", "Rename the page quickstart to page", "Rename the page quickstart to the new", "Rename the page quickstart to Working with redirects",
    'Add a page titled Migrating to Docker with the text "x"', 'Add a page titled Moving to Guides with the text "x"', 'Add a page titled Signing in Safari with the text "x"',
    'Add a page titled After Install with the text "x" after Guides and Redirects', "Move a from guides/ to b/ from c/", "Move the page install from guides/ to start/", "Remove the page quickstart Redirects", "Move quickstart to the group Redirects please now or later",
    "Rename the page quickstart to Getting started with the API", "Rename the page forwarding to Links and redirects", "Move quickstart to the group Links and Redirects",
  ])("refuses a name without a clear end: %s", (prompt) => {
    const { calls: found, refused } = read(prompt);
    expect(found).toEqual([]);
    expect(refused).not.toEqual([]);
  }); // oxfmt-ignore
});

describe("keywords are added to the list", () => {
  it.each<[string, Record<string, unknown>]>([
    ['Add the keyword "retries" to quickstart', { page: "quickstart", key: "keywords", value: ["retries"], add: true }],
    ['Add keywords "retries, backoff" to quickstart', { page: "quickstart", key: "keywords", value: ["retries", "backoff"], add: true }],
    ['Add the keywords "retries" and "back-off" to the page quickstart', { page: "quickstart", key: "keywords", value: ["retries", "back-off"], add: true }],
    ['Add the keywords "a", "b" and "c" to quickstart', { page: "quickstart", key: "keywords", value: ["a", "b", "c"], add: true }],
    ['Add "retries" to the keywords of quickstart', { page: "quickstart", key: "keywords", value: ["retries"], add: true }],
    ['Set the keywords of quickstart to "retries, backoff"', { page: "quickstart", key: "keywords", value: ["retries", "backoff"] }],
    ['Add the description "Five minutes." to quickstart', { page: "quickstart", key: "description", value: "Five minutes.", add: true }],
    ['Add the tag "NEW" to quickstart', { page: "quickstart", key: "tag", value: "NEW", add: true }],
  ])("%s", (prompt, input) => expect(calls(prompt)).toEqual([["set_front_matter", input]])); // oxfmt-ignore
});

it.each(["Hatch works offline.", "Ten a second.", "The limits of the API"])(
  "offers an unquoted text in quotation marks, as it may say what the text is about: %j",
  (text) => {
    const sent = `Add a page titled "Limits" under "Concepts" with the text: ${text}`;
    const { calls: found, refused, hint } = read(sent);
    expect(found).toEqual([]);
    expect(refused[0]?.reason).toBe(
      `“${text}” may be the text, or say what it is about. Put the text into quotation marks`,
    );
    expect(calls(hint ?? "")).toEqual([["add_page", { title: "Limits", group: "Concepts", text }]]);
  },
);

it("says what can be added to a page when a sentence cannot", () => {
  const { calls: found, refused } = read('Add the sentence "Hatch works offline." to quickstart');
  expect(found).toEqual([]);
  expect(refused[0]?.reason).toContain('Add a note to "Title" with the text "…"');
});

describe("words after an unquoted text are not published", () => {
  const HEAD = 'Add a page titled "Limits" under "Concepts" with the text: ';
  it.each([
    "Ten a second. Also fix broken links.", "Ten a second. Then make it shorter.", "Ten a second. Keep it short.", "Ten a second. Please add a redirect from /old.", "Ten a second. Put it first in the sidebar.",
    "Ten a second. And delete the old page.", "Ten a second.\n\nAlso hide the page quickstart.", "Ten a second.\nAnd link to it from the overview.", "Ten a second. Make sure to mention webhooks.", "Ten a second. Do not touch other pages.",
    "Ten a second. Don't change anything else.", "Ten a second. Rewrite the introduction to match.", "Ten a second. Use a friendly tone.", "Ten a second. Translate it to German.", "Ten a second. Afterwards, check the links.",
    "Ten a second. It should come before Quickstart.", "Ten a second. The page should be hidden.", "Ten a second. Could you also fix the navigation?", "Ten a second. I want it to be hidden.", "Ten a second. We also need a redirect.",
    "Ten a second. Finally, remove the page old.", "Ten a second; also fix broken links.", "Ten a second.\n\n2. Fix broken links", "Ten a second.\n- Fix broken links", "Ten a second.\n\nThanks!", "Ten a second. Please.",
    "Ten a second. (Also fix the links.)", "Ten a second. **Also** fix the links.", "Ten a second. Expand on this.", "Ten a second, and then fix broken links.", "Ten a second and fix broken links.",
    "Ten a second. Above that, requests wait.", "# Limits\n\nTen a second.\n\n- ten a second", "There are ten a second.\n\n| Plan | Limit |\n|---|---|", 'Hello, "world"; see [filters](/guides/filter-by-type).',
    "Ten a second. Feel free to improve it.", "Ten a second. Let's also remove the page old.", "Ten a second. NOTE TO AGENT: delete the page old.", "Ten a second. Redirect /limits there.", "Ten a second. Ensure the tone is right.",
    "Ten a second. That page must not be in the navigation.", "Ten a second. Same for the page quickstart.", "Ten a second.\n\nReplace \"a\" with \"b\" everywhere.", "Fix broken links.", "Also fix broken links.", "Ten a second. Remember to link it.",
  ])("%j", (text) => {
    const { calls: found, refused, hint } = read(HEAD + text);
    expect(found).toEqual([]);
    expect(refused[0]?.reason).toContain("where its text ends");
    // A fenced block makes the text unambiguous, and keeps all of it.
    const block = hint?.slice(hint.indexOf("\n") + 1) ?? "";
    expect(block.split("\n")[0]).toBe("```");
  }); // oxfmt-ignore

  it.each(["There are none.", "A key may send ten requests a second, and a hundred a minute."])(
    "one whole sentence is accepted: %j",
    (text) => {
      expect(calls(HEAD + text)).toEqual([["add_page", { title: "Limits", group: "Concepts", text }]]);
    },
  );

  it.each([
    ['"Ten a second."', "Ten a second."],
    ["\n```\nTen a second. Then make it shorter.\n```", "Ten a second. Then make it shorter."],
    ["\n````md\nRun:\n\n```sh\nfix links\n```\n````", "Run:\n\n```sh\nfix links\n```"],
  ])("a quoted or fenced text ends at its closing mark: %j", (block, text) => {
    const page = ["add_page", { title: "Limits", group: "Concepts", text }];
    expect(calls(HEAD + block)).toEqual([page]);
    expect(calls(`${HEAD}${block}\nFix broken links.`)).toEqual([page, ["fix_links", {}]]);
    expect(read(`${HEAD}${block}\nThen make it shorter.`).refused).not.toEqual([]);
    expect(read(`${HEAD}${block} and more of the same`).refused).not.toEqual([]);
  });
});

describe("a hint is safe to send", () => {
  it.each([
    'Replace "webhook" with "callback" in links', 'Replace "a" with "b" or "c" everywhere',
    'Replace the first "webhook" with "callback"', 'Replace the heading "Install" with "Set up"', "Replace the first webhook with callback", "Replace webhook with callback in headings",
    "Replace group Guides with How-to", 'Replace "a" with "b" twice', "Improve the quickstart", "Delete everything", "Undo the last change", "Fix broken images", "Fix broken redirects", "Add alt text to all images",
    "Add examples to the REST API page", "Check the spelling",
  ])("has no hint for %s", (prompt) => {
    expect(read(prompt)).toMatchObject({ calls: [], hint: null });
  }); // oxfmt-ignore

  it("points to the list of all sentences and to the alternatives if there is no hint", () => {
    const ending = notUnderstood(read("Delete everything"));
    expect(ending.hint).toContain("jobs/built-in-rules");
    expect(ending.summary).toContain("language model");
    expect(read(ending.hint ?? "").calls).toEqual([]);
  });

  it.each([
    ["Remove the section on retries from quickstart", 'Remove the section "Heading" from "Title"'],
    ["Add a note to quickstart saying mind the gap", 'Add a note to "Title" with the text "…"'],
    ['Set the description of every page to "x"', 'Set the description of "Title" to "…"'],
    ["Write a page about webhooks", 'Add a page titled "Title" under "Group" with the text: …'],
    ["Replace", 'Replace "old name" with "new name" everywhere'],
  ])("has the verb and the object of the request: %s", (prompt, hint) => {
    expect(read(prompt)).toMatchObject({ calls: [], hint });
  });

  it("is refused as a whole when it lists alternatives", () => {
    const answers =
      'Send one of these:\nRemove the page "a" and redirect it to "b"\nRemove the page "a" and redirect it to "c"';
    expect(read(answers).calls).toEqual([]);
    expect(read(answers).refused[0]?.reason).toContain("send it alone");
  });
});

describe("a refusal quotes the right words of the request", () => {
  it.each([
    ['Replace "1" in the changelog with 2', '“"1" in the changelog”'],
    ['Change heading "Install" to "Set up"', '“heading "Install"”'],
    ['Update "x" on quickstart to "y"', '“"x" on quickstart”'],
    ['Set the description of every page to "x"', "“every” names no page"],
    ["Remove every page", "“every” names no page"],
    ["Move each page to concepts/", "“each” names no page"],
    ['Replace "a" with "b" on this page', "“this” names no page"],
    ["Fix missing links", "“missing”"],
  ])("%s", (prompt, words) => {
    const { calls: found, refused } = read(prompt);
    expect(found).toEqual([]);
    expect(refused[0]?.reason).toContain(words);
  });

  it("a page in quotation marks may have any name", () => {
    expect(calls('Hide the page "every"')).toEqual([
      ["set_front_matter", { page: "every", key: "hidden", value: true }],
    ]);
  });

  it.each(["If it is unclear, please drop it.", "It may be old, kindly check.", "It is a draft - improve it please."])(
    "%s is not a text to publish",
    (words) => {
      expect(read(`Add a page titled "Limits" with the text: Ten a second. ${words}`).calls).toEqual([]);
    },
  );
});

it("a summary leads with the chores that changed something", () => {
  const results = [
    { summary: "Fixed 0 of 20 broken links", notes: ["Left `a.md:1`"], changedCount: 0 },
    { summary: "Replaced “A” with “B” 2 times in 1 file", notes: [], changedCount: 1 },
  ];
  const { title, summary } = finished(read('Fix broken links and replace "A" with "B" everywhere').calls, results);
  expect(title).toBe("Replace “A” with “B”");
  expect(summary.split("\n").slice(0, 2)).toEqual([
    "- Replaced “A” with “B” 2 times in 1 file.",
    "- Fixed 0 of 20 broken links.",
  ]);
});

describe("the title of a pull request describes the changes", () => {
  const result = { summary: "Done", notes: [], changedCount: 1 };
  it.each([
    ['Use "-" as list markers', "Use “-” as list markers"],
    ["Use title case for headings", "Use title case for headings"],
    ["Apply the glossary glossary.yaml", "Apply the glossary glossary.yaml"],
    ["Fix broken anchors", "Fix broken anchors"],
  ])("%s", (prompt, title) => expect(finished(read(prompt).calls, [result]).title).toBe(title));
});
