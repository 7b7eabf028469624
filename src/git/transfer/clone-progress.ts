const STAGES: readonly (readonly [RegExp, string])[] = [
  [/^remote: (?:Counting|Compressing|Enumerating) objects/, "The other side prepares"],
  [/^Receiving objects/, "Copying"],
  [/^Resolving deltas/, "Unpacking"],
];

/** A line of `git clone --progress` in our words: `Copying 45 % (12.4 MiB)`; null for a line that says nothing of interest. */
export function cloneProgress(line: string): string | null {
  const stage = STAGES.find(([pattern]) => pattern.test(line));
  const percent = /(\d{1,3})%/.exec(line)?.[1];
  if (!stage || percent === undefined) return null;
  const size = /, (\d[\d.]* [KMG]iB)/.exec(line)?.[1];
  return `${stage[1]} ${percent} %${size === undefined ? "" : ` (${size})`}`;
}
