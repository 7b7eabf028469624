import { inside } from "#docs/dialects/paths.ts";

export interface FumadocsLanguages {
  codes: readonly string[];
  original: string | null;
  inFolders: boolean;
}

/** `guide.cn.mdx`, or `cn/guide.mdx` with the other parser, is `guide.mdx` in Chinese. */
export function languageOf(
  path: string,
  { codes, original, inFolders }: FumadocsLanguages,
): { code: string | null; path: string } {
  const own = codes.find((code) => (inFolders ? inside(path, code) !== null : path.includes(`.${code}.`)));
  if (own === undefined) return { code: codes.length === 0 ? null : original, path };
  return { code: own, path: inFolders ? (inside(path, own) ?? path) : path.replace(`.${own}.`, ".") };
}
