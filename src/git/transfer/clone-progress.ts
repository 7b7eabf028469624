const STAGES: readonly (readonly [RegExp, string])[] = [
  [/^remote: (?:Counting|Compressing|Enumerating) objects/, "The server is preparing"],
  [/^Receiving objects/, "Copying"],
  [/^Resolving deltas/, "Unpacking"],
];

/** Rewords a line of `git clone --progress`: `Copying 45 % (12.4 MiB)`; null for lines that are not progress. */
export function cloneProgress(line: string): string | null {
  const stage = STAGES.find(([pattern]) => pattern.test(line));
  const percent = /(\d{1,3})%/.exec(line)?.[1];
  if (!stage || percent === undefined) return null;
  const size = /, (\d[\d.]* [KMG]iB)/.exec(line)?.[1];
  return `${stage[1]} ${percent} %${size === undefined ? "" : ` (${size})`}`;
}
