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
];

const TEXT_BAND = 2;

/** Git's answer to a push with a line on what helps, where its own words say that objects are missing. */
export function withAdvice(answer: Buffer): Buffer {
  const advice = ADVICE.flatMap(([said, text]) => (said.some((words) => answer.includes(words)) ? [`${text}\n`] : []));
  // Only an answer with side bands, which ends with a flush of its own, has room for a line.
  const isInBands = answer.length > 5 && answer[4]! >= 1 && answer[4]! <= 3 && answer.subarray(-4).equals(FLUSH);
  if (advice.length === 0 || !isInBands) return answer;
  return Buffer.concat([...inBand(TEXT_BAND, Buffer.from(advice.join(""))), answer]);
}
