import { afterAll, beforeAll, expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { reportOf } from "#testing/reports.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { writeRepository, type Expected, type WrittenRepository } from "#test/support/written-repository.ts";

const REPOSITORIES = LONG_TESTS ? 2_000 : 60;
const SEED = 20_261_126;
const PATIENCE_MS = LONG_TESTS ? 3_600_000 : 300_000;

/** By what each kind of thing may be named; what is not here has to be served. */
const CODES: Record<string, readonly string[]> = {
  title: ["front_matter", "left_out"],
  description: ["front_matter"],
  attribute: ["left_out"],
  picture: ["missing_file"],
  symbolic: ["missing_file"],
  entry: ["navigation"],
};

let site: TestSite;
beforeAll(async () => {
  site = await createTestSite({ "index.md": "# Start\n" });
});
afterAll(() => site[Symbol.asyncDispose]());

let shown: string[] = ["index.md"];
async function publish({ files }: WrittenRepository): Promise<void> {
  const gone = shown.filter((path) => !(path in files)).map((path) => [path, null] as const);
  await site.push({ ...Object.fromEntries(gone), ...files });
  shown = Object.keys(files);
  site.passTime(250);
}

/** What is lost and not named, and attributes that are named although they are served. */
async function wrongOf(repository: WrittenRepository): Promise<string[]> {
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
    const isServed = status === 200 && (each.holds === null || text.includes(each.holds));
    (isServed ? served : missing).push(each);
  }
  const { problems } = await reportOf(repository.files);
  const isNamed = ({ path, what }: Expected) => {
    const [kind = ""] = /^\w+/.exec(what) ?? [];
    const codes = CODES[kind] ?? [];
    const [, name = ""] = /^(?:attribute|entry) (\S+)$|^attribute (\S+)/.exec(what) ?? [];
    return problems.some(
      (problem) => problem.path === path && codes.includes(problem.code) && problem.message.includes(name),
    );
  };
  const isNamedWrongly = ({ path, what }: Expected) =>
    what.startsWith("attribute") &&
    problems.some((problem) => problem.path === path && problem.message.startsWith(`The ${what} `));
  return [...missing.filter((each) => !isNamed(each)), ...served.filter(isNamedWrongly)].map(
    ({ what, path, address, holds }) => `${what} of ${path} at ${address}: ${holds ?? "an answer"}`,
  );
}

it(
  "what an author wrote reaches readers, or the report names it, and never both",
  async () => {
    for (let index = 0; index < REPOSITORIES; index += 1) {
      const repository = writeRepository(SEED + index);
      expect(await wrongOf(repository), `repository ${index}`).toEqual([]);
    }
  },
  PATIENCE_MS,
);
