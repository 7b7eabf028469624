import { codeSpan, plainText } from "#docs/api/document-text.ts";
import { securityText } from "#docs/api/operation-words.ts";
import { groupsOf, type LinkedOperation, type OverviewView } from "./overview-view.ts";

/** The first page of an API as Markdown for agents. */
export function overviewMarkdown(view: OverviewView, listed: readonly LinkedOperation[]): string {
  const lines: string[] = [];
  if (view.version !== null) lines.push(`Version ${codeSpan(view.version)}`, "");
  if (view.description !== null) lines.push(view.description, "");
  if (view.servers.length > 0) {
    const servers = view.servers.map(({ url, description }) =>
      description === null ? `- ${codeSpan(url)}` : `- ${codeSpan(url)}: ${plainText(description)}`,
    );
    lines.push("## Servers", "", ...servers, "");
  }
  if (view.security.length > 0) {
    lines.push("## Authorization", "", ...view.security.map((choice) => `- ${securityText(choice)}`), "");
  }
  for (const [group, operations] of groupsOf(listed)) {
    lines.push(`## ${plainText(group)}`, "");
    for (const { method, title, href, description } of operations) {
      const more = description === null ? "" : `: ${plainText(description)}`;
      lines.push(`- ${method} [${plainText(title).replaceAll(/[[\]]/g, "\\$&")}](${href})${more}`);
    }
    lines.push("");
  }
  return lines.join("\n").trim();
}
