import { error, type Judge } from "./judge.ts";

/** Refuses changes after which a page can no longer be parsed. */
export const judgePages: Judge = (_deps, { parsed }) =>
  parsed.flatMap(({ path, before, after }) => {
    if (!after.failure || (before.source !== "" && before.failure)) return [];
    const { line, message } = after.failure;
    return [error({ check: "pages", path, line, message: `The page can no longer be parsed: ${message}` })];
  });
