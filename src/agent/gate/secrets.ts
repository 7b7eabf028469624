import { createBreather } from "#lib/waiting/breather.ts";
import { error, type Judge, type Judgement, Multiset } from "./judge.ts";

/**
 * No credential is added, in a file or in its name. A secret that was in one of the changed files may move with the
 * text around it; another one, and one more of the same, may not: what is compared is a digest of each.
 */
export const judgeSecrets: Judge = async ({ findSecrets }, { texts, edits }) => {
  const breathe = createBreather();
  const found = [];
  for (const { path, before } of texts) {
    if (before !== "") found.push(...findSecrets(before), ...findSecrets(path));
    await breathe();
  }
  const known = new Multiset(found.flatMap(({ digests }) => digests));
  // Every digest is counted, also of a place whose first is new already.
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
