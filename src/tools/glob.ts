import { RE2JS } from "re2js";
import { AppError } from "#lib/app-error.ts";
import { trimEndOf } from "#lib/trim.ts";

const MAX_GLOB_CHARACTERS = 400;

/**
 * A predicate on paths: `*` and `?` do not cross folders, `**` does, `{a,b}` is an alternative; a pattern without wildcards
 * also matches everything below that folder. Linear in the path's length, whatever the pattern. Throws `AppError invalid` for
 * a pattern that is too long or not closed.
 */
export function createGlob(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_GLOB_CHARACTERS) throw new AppError("invalid", "The path pattern is too long.");
  const clean = trimEndOf(pattern.replace(/^(?:\.?\/)+|^\.$/, ""), "/");
  if (clean === "" || clean === "**") return () => true;
  if (!/[*?{]/.test(clean)) return (path) => path === clean || path.startsWith(`${clean}/`);
  const expression = RE2JS.compile(`^(?:${translate(clean)})$`);
  return (path) => expression.matches(path);
}

function translate(glob: string): string {
  let result = "";
  let depth = 0;
  for (let index = 0; index < glob.length; index += 1) {
    const character = glob[index] ?? "";
    if (glob.startsWith("**/", index)) {
      result += "(?:.*/)?";
      index += 2;
    } else if (glob.startsWith("**", index)) {
      result += ".*";
      index += 1;
    } else if (character === "*") result += "[^/]*";
    else if (character === "?") result += "[^/]";
    else if (character === "{") {
      depth += 1;
      result += "(?:";
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      result += ")";
    } else if (character === "," && depth > 0) result += "|";
    else result += RE2JS.quote(character);
  }
  if (depth > 0) throw new AppError("invalid", `The path pattern ${JSON.stringify(glob)} has a "{" without its "}".`);
  return result;
}
