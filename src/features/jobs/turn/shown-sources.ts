import type { ShownText } from "#agent/gate/judge.ts";
import type { ModelMessage } from "#models/message.ts";

const NEWS = /^Source ([a-z0-9-]{1,40}) changed, /;
const NUMBERED = /^(?:[0-9a-f]{10} )?\d+\| /;

/** The source texts in a job's messages: results of tools that read sources, and the changes that triggered the job. */
export function shownOfSources(messages: readonly ModelMessage[]): ShownText[] {
  return messages.flatMap((message): ShownText[] => {
    if (message.role === "user" && typeof message.content === "string") {
      const source = NEWS.exec(message.content)?.[1];
      return source === undefined ? [] : [{ source, text: withoutMarks(message.content) }];
    }
    if (message.role !== "tool") return [];
    return message.content.flatMap((part) => {
      if (part.type !== "tool-result" || !/source/.test(part.toolName) || part.output.type !== "text") return [];
      const text = part.output.value;
      const source = /"source":"([a-z0-9-]{1,40})"/.exec(text)?.[1];
      // Line by line, because a truncated result is no longer valid JSON.
      return source === undefined ? [] : [{ source, text: withoutMarks(unquoted(text)) }];
    });
  });
}

/** Removes the escapes of JSON strings. */
const unquoted = (json: string): string =>
  json.replaceAll(/\\(n|t|r|"|\\|\/)/g, (_, sign: string) => (sign === "n" ? "\n" : /[tr]/.test(sign) ? " " : sign));

/** Removes line numbers and the signs of a diff. */
const withoutMarks = (text: string): string =>
  text
    .split("\n")
    .map((line) =>
      line
        .replace(/^\{.*?"lines":"/s, "")
        .replace(NUMBERED, "")
        .replace(/^[+-]/, ""),
    )
    .join("\n");
