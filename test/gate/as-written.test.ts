import { afterAll, beforeAll, expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { reportOf } from "#testing/reports.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { type Expected, type GeneratedRepository, generateRepository } from "#test/support/generated-repository.ts";

const REPOSITORIES = LONG_TESTS ? 2_000 : 60;
const SEED = 20_261_126;
const PATIENCE_MS = LONG_TESTS ? 3_600_000 : 300_000;

/** By what the report may name each kind of thing; where there is nothing, it has to be served. */
const CODES: Record<Expected["kind"], readonly string[]> = {
  title: ["front_matter", "left_out"],
  description: ["front_matter"],
  text: [],
  attribute: ["left_out"],
  picture: ["missing_file"],
  link: ["missing_file"],
  entry: ["navigation"],
  api: [],
};

let site: TestSite;
beforeAll(async () => {
  site = await createTestSite({ "index.md": "# Start\n" });
});
afterAll(() => site[Symbol.asyncDispose]());

let shown: string[] = ["index.md"];
async function publish({ files }: GeneratedRepository): Promise<void> {
  const gone = shown.filter((path) => !(path in files)).map((path) => [path, null] as const);
  await site.push({ ...Object.fromEntries(gone), ...files });
  shown = Object.keys(files);
  site.passTime(250);
}

/** What is lost and not named, and attributes that are named although they are served. */
async function wrongOf(repository: GeneratedRepository): Promise<string[]> {
  await publish(repository);
  const answers = new Map<string, Promise<{ status: number; text: string }>>();
  const ask = (address: string) => {
    const answer =
      answers.get(address) ??
      site.request(encodeURI(address)).then(async (got) => ({ status: got.status, text: await got.text() }));
    answers.set(address, answer);
    return answer;
  };
  const missing: Expected[] = [];
  const served: Expected[] = [];
  for (const each of repository.expected) {
    const { status, text } = await ask(each.address);
    // Titles in Markdown are escaped where a parser would read something else; listed-titles.test.ts reads them with one.
    const unescaped = /\.(?:md|txt)$/.test(each.address) ? text.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "") : text;
    const isServed = status === 200 && [text, unescaped].some((one) => each.holds === null || one.includes(each.holds));
    (isServed ? served : missing).push(each);
  }
  const { problems } = await reportOf(repository.files);
  const isNamed = ({ kind, name = "", path }: Expected) =>
    problems.some(
      ({ path: where, code, message }) => where === path && CODES[kind].includes(code) && message.includes(name),
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
