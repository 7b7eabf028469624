import type { JsonObject } from "#docs/json-document.ts";
import { isAsyncApi } from "#docs/api/channels/channel-list.ts";
import { serversOfChannel } from "#docs/api/channels/channel-servers.ts";
import { codeSpan, descriptionOf, introLines, linesUnder, plainText, textOf } from "#docs/api/document-text.ts";
import { follow } from "#docs/api/references.ts";
import { securityOf, type SecurityChoice } from "#docs/api/security.ts";
import { serversOf, type ApiServer } from "#docs/api/servers.ts";
import { securityLines } from "#docs/api/operation-parts.ts";

/** What the first page of an API says: the API itself, without its operations. */
export interface OverviewView {
  title: string | null;
  version: string | null;
  description: string | null;
  servers: readonly Pick<ApiServer, "url" | "description">[];
  security: readonly SecurityChoice[];
}

/** An operation as the first page of its API lists it. */
export interface LinkedOperation {
  method: string;
  title: string;
  description: string | null;
  group: string;
  href: string;
}

export function viewOverview(root: JsonObject): OverviewView {
  const info = follow(root, root["info"])?.object;
  const servers = isAsyncApi(root) ? serversOfChannel(root, {}) : null;
  return {
    title: textOf(info?.["title"], 200),
    version: textOf(info?.["version"], 100),
    description: descriptionOf(info),
    servers: servers ?? serversOf(root, [root]),
    security: securityOf(root, root["security"]),
  };
}

/** The first page of an API as Markdown for agents. */
export function overviewMarkdown(view: OverviewView, listed: readonly LinkedOperation[]): string {
  const lines = view.version === null ? [] : [`Version ${codeSpan(view.version)}`, ""];
  const more = (description: string | null) => (description === null ? "" : `: ${plainText(description)}`);
  const servers = view.servers.map(({ url, description }) => `- ${codeSpan(url)}${more(description)}`);
  lines.push(
    ...introLines({ isDeprecated: false, description: view.description }),
    ...linesUnder("## Servers", servers),
    ...securityLines(view.security),
  );
  for (const [group, operations] of Map.groupBy(listed, (each) => each.group)) {
    const links = operations.map(({ method, title, href, description }) => {
      return `- ${method} [${plainText(title).replaceAll(/[[\]]/g, "\\$&")}](${href})${more(description)}`;
    });
    lines.push(...linesUnder(`## ${plainText(group)}`, links));
  }
  return lines.join("\n").trim();
}
