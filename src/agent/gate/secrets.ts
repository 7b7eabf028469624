import { createBreather } from "#lib/waiting/breather.ts";
import { error, type Judge, type Judgement, Multiset } from "./judge.ts";

/**
 * Refuses new credentials in files and file names. An existing secret in one of the changed files may move with its
 * text; a different secret, or another copy, is new. Secrets are compared by digest.
 */
export const judgeSecrets: Judge = async ({ findSecrets }, { texts, edits }) => {
  const breathe = createBreather();
  const found = [];
  for (const { path, before } of texts) {
    if (before !== "") found.push(...findSecrets(before), ...findSecrets(path));
    await breathe();
  }
  const known = new Multiset(found.flatMap(({ digests }) => digests));
  // Counts every digest, even if the first one of a place is already new.
  const isNew = (digests: readonly string[]) => digests.filter((digest) => !known.remove(digest)).length > 0;
  const judgements: Judgement[] = [];
  for (const { path, after } of texts) {
    await breathe();
    const inName = edits.get(path) ? findSecrets(path).filter(({ digests }) => isNew(digests)) : [];
    const inText = findSecrets(after).filter(({ digests }) => isNew(digests));
    const shownPath = findSecrets(path)[0]?.excerptRedacted ?? path;
    const finding = (line: number | null, message: string) =>
      error({ check: "secrets", path: shownPath, line, message });
    judgements.push(
      ...inName.map(({ kind, excerptRedacted }) =>
        finding(null, `A ${kind} would be published in the name of a file: ${excerptRedacted}`),
      ),
      ...inText.map(({ kind, line, excerptRedacted }) =>
        finding(line, `A ${kind} would be published: ${excerptRedacted}`),
      ),
    );
  }
  return judgements;
};
