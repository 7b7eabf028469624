import { FLUSH, inBand } from "./side-band.ts";

/** What git says of a push that it cannot take whole, and what its author can do. The words are those of git 2.39. */
const ADVICE: readonly [said: readonly string[], advice: string][] = [
  [
    ["shallow update not allowed"],
    "You push from a shallow clone, whose history begins in the middle. Bring the rest and push again: git fetch --unshallow",
  ],
  [
    // The third from unpack-objects, which small pushes go through and which looks for no reason.
    ["missing necessary objects", "Did not receive expected object", "fatal: object of unexpected type"],
    "Files or commits are missing in the repository that you push from: git fsck names them. In a partial clone, git fetch --refetch --no-filter brings them.",
  ],
  [
    ["deny updating a hidden ref", "deny deleting a hidden ref"],
    "Only branches and tags are kept here; other references of the push are left out. To push just those: git push --all, git push --tags",
  ],
  [
    ["the site is published from this branch"],
    "Nothing was pushed. To delete the branch that the site is published from, push another one and choose it: docent projects set PROJECT branch NAME",
  ],
];

const TEXT_BAND = 2;

/** Git's answer to a push with lines of our own: what helps where it refused something, and `told`. */
export function withAdvice(answer: Buffer, told: readonly string[] = []): Buffer {
  const helps = ADVICE.filter(([said]) => said.some((words) => answer.includes(words))).map(([, text]) => text);
  const advice = [...helps, ...told].map((text) => `${text}\n`);
  // Only an answer with side bands, which ends with a flush of its own, has room for a line.
  const isInBands = answer.length > 5 && answer[4]! >= 1 && answer[4]! <= 3 && answer.subarray(-4).equals(FLUSH);
  if (advice.length === 0 || !isInBands) return answer;
  return Buffer.concat([...inBand(TEXT_BAND, Buffer.from(advice.join(""))), answer]);
}

/** Git's own words on why it stopped, not those that it repeats from what was pushed. */
export const faultLines = (text: string): string[] =>
  text.split("\n").filter((line) => /^(?:fatal|error): /.test(line) && !/^error: object [0-9a-f]+: /.test(line));
