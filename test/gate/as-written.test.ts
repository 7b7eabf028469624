import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { reportOf } from "#testing/reports.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";
import {
  calledTool,
  type Expected,
  type GeneratedRepository,
  generateRepository,
  searchFor,
} from "#test/support/generated-repository.ts";
import { generateToolRepository, TOOL_NAMES } from "#test/support/generated-tool-repository.ts";

const REPOSITORIES = LONG_TESTS ? 2_000 : 60;
const SEED = 20_261_126;
const PATIENCE_MS = LONG_TESTS ? 3_600_000 : 300_000;

/** By what the report may name each kind of thing; where there is nothing, it has to be served. */
const CODES: Record<Expected["kind"], readonly string[]> = {
  title: ["front_matter"],
  heading: ["front_matter", "left_out"],
  description: ["front_matter"],
  text: [],
  attribute: ["left_out"],
  picture: ["missing_file"],
  file: [],
  link: ["missing_file"],
  entry: ["navigation"],
  api: [],
  comment: [],
};

let site: TestSite;
beforeAll(async () => {
  site = await createTestSite({ "index.md": "# Start\n" }, { search: { admits: () => true } });
});
afterAll(() => site[Symbol.asyncDispose]());

let shown: string[] = ["index.md"];
async function publish({ files }: GeneratedRepository): Promise<void> {
  const gone = shown.filter((path) => !(path in files)).map((path) => [path, null] as const);
  await site.push({ ...Object.fromEntries(gone), ...files });
  shown = Object.keys(files);
  site.passTime(250);
  const isIndexed = async () => {
    const { indexing } = JSON.parse((await answerOf(searchFor("x"))).text) as { indexing: boolean };
    return !indexing;
  };
  await vi.waitUntil(isIndexed, { timeout: 60_000, interval: 20 });
}

async function answerOf(address: string): Promise<{ status: number; text: string }> {
  const call = calledTool(address);
  if (call === null) {
    const accept = address.startsWith("/_docent/search") ? "application/json" : "text/html";
    const answer = await site.request(encodeURI(address), { headers: { accept } });
    return { status: answer.status, text: await answer.text() };
  }
  const body = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ${call}}`;
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const answer = await site.request("/mcp", { method: "POST", headers, body });
  const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
  return { status: answer.status, text: result.content[0]?.text ?? "" };
}

/** What is lost and not named, and attributes that are named although they are served. */
async function wrongOf(repository: GeneratedRepository): Promise<string[]> {
  await publish(repository);
  const answers = new Map<string, Promise<{ status: number; text: string }>>();
  const ask = (address: string) => {
    const answer = answers.get(address) ?? answerOf(address);
    answers.set(address, answer);
    return answer;
  };
  const missing: Expected[] = [];
  const served: Expected[] = [];
  for (const each of repository.expected) {
    const { status, text } = await ask(each.address);
    // Titles in Markdown are escaped where a parser would read something else; listed-titles.test.ts reads them with one.
    const unescaped = /\.(?:md|txt)$|list_pages/.test(each.address)
      ? text.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "")
      : text;
    const holds = status === 200 && [text, unescaped].some((one) => each.holds === null || one.includes(each.holds));
    (holds === (each.kind !== "comment") ? served : missing).push(each);
  }
  const { problems } = await reportOf(repository.files);
  const isNamed = ({ kind, name = "", path }: Expected) =>
    problems.some(
      ({ path: where, code, message }) =>
        where === path &&
        CODES[kind].includes(code) &&
        message.includes(name) &&
        (kind !== "heading" || code === "front_matter" || message.startsWith("The page shows its heading")),
    );
  const isNamedWrongly = ({ kind, path, what }: Expected) =>
    kind === "attribute" &&
    problems.some((problem) => problem.path === path && problem.message.startsWith(`The ${what} `));
  return [...missing.filter((each) => !isNamed(each)), ...served.filter(isNamedWrongly)].map(
    ({ what, path, address, holds }) => `${what} of ${path} at ${address}: ${holds ?? "an answer"}`,
  );
}

it(
  "every construct of an author is either shown to readers or named in the report, never both",
  async () => {
    for (let index = 0; index < REPOSITORIES; index += 1) {
      const repository = generateRepository(SEED + index);
      expect(await wrongOf(repository), `repository ${index}`).toEqual([]);
    }
  },
  PATIENCE_MS,
);

const OF_TOOLS = LONG_TESTS ? 100 : 5;
it.each(TOOL_NAMES)(
  "every word of the pages of %s reaches readers, programs and the search",
  async (tool) => {
    for (let index = 0; index < OF_TOOLS; index += 1) {
      const repository = generateToolRepository(tool, SEED + index);
      expect(await wrongOf(repository), `repository ${index}`).toEqual([]);
    }
  },
  PATIENCE_MS,
);
