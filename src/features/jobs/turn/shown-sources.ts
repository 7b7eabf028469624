import type { ShownText } from "#agent/gate/judge.ts";
import type { ModelMessage } from "#models/message.ts";

const NEWS = /^Source ([a-z0-9-]{1,40}) changed, /;
const NUMBERED = /^(?:[0-9a-f]{10} )?\d+\| /;

/** What the messages of a job hold of sources: answers of the tools that read them, and what set the job off. */
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
      // Line by line, also where the answer was cut and is no JSON any more.
      return source === undefined ? [] : [{ source, text: withoutMarks(unquoted(text)) }];
    });
  });
}

/** What JSON put before characters, taken away again. */
const unquoted = (json: string): string =>
  json.replaceAll(/\\(n|t|r|"|\\|\/)/g, (_, sign: string) => (sign === "n" ? "\n" : /[tr]/.test(sign) ? " " : sign));

/** Without the numbers of lines and the signs of a diff. */
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
