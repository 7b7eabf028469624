import { type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS } from "#docs/api/bounds.ts";
import { channelsOf, isAsyncApi } from "#docs/api/channels/channel-list.ts";
import { serversOfChannel } from "#docs/api/channels/channel-servers.ts";
import { codeSpan, descriptionOf, introLines, linesUnder, plainText, textOf } from "#docs/api/document-text.ts";
import { docsLinkOf, markdownLink, type DocsLink } from "#docs/api/external-docs.ts";
import { operationsOf } from "#docs/api/operations.ts";
import { follow } from "#docs/api/references.ts";
import { securityOf, type SecurityChoice } from "#docs/api/security.ts";
import { serverLines, serversOf, type ApiServer } from "#docs/api/servers.ts";
import { securityLines } from "#docs/api/security-markdown.ts";

/** What the first page of an API says: the API itself, without its operations. */
export interface OverviewView {
  title: string | null;
  version: string | null;
  description: string | null;
  contact: { name: string | null; href: string | null; email: string | null } | null;
  license: { text: string; href: string | null } | null;
  termsOfService: string | null;
  externalDocs: DocsLink | null;
  /** What the description says of the groups of operations. */
  tags: readonly TagView[];
  servers: readonly Pick<ApiServer, "url" | "description" | "variables">[];
  security: readonly SecurityChoice[];
}

export interface TagView {
  title: string;
  description: string | null;
  externalDocs: DocsLink | null;
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
  const [summary, description] = [textOf(info?.["summary"], CHARACTERS.summary), descriptionOf(info)];
  return {
    title: textOf(info?.["title"], CHARACTERS.name),
    version: textOf(info?.["version"], CHARACTERS.name),
    description: [summary, description].filter((text) => text !== null).join("\n\n") || null,
    contact: contactOf(follow(root, info?.["contact"])?.object),
    license: licenseOf(follow(root, info?.["license"])?.object),
    termsOfService: textOf(info?.["termsOfService"], CHARACTERS.url),
    externalDocs: docsLinkOf(root, root["externalDocs"] ?? info?.["externalDocs"]),
    tags: tagsOf(root, root["tags"] ?? info?.["tags"]),
    servers: servers ?? serversOf(root, [root]),
    security: securityOf(root, root["security"]),
  };
}

function contactOf(written: JsonObject | undefined): OverviewView["contact"] {
  const [name, email] = [textOf(written?.["name"], CHARACTERS.name), textOf(written?.["email"], CHARACTERS.name)];
  const href = textOf(written?.["url"], CHARACTERS.url);
  return name === null && href === null && email === null ? null : { name, href, email };
}

function licenseOf(written: JsonObject | undefined): OverviewView["license"] {
  const names = [textOf(written?.["name"], CHARACTERS.name), textOf(written?.["identifier"], CHARACTERS.name)];
  const href = textOf(written?.["url"], CHARACTERS.url);
  const text = [...new Set(names.filter((name) => name !== null))].join(", ") || href;
  return text === null ? null : { text, href };
}

/** The tags of operations that have pages, where the description says more than their names. */
function tagsOf(root: JsonObject, written: Json | undefined): TagView[] {
  const described = listIn(written).flatMap((each): TagView[] => {
    const tag = follow(root, each)?.object;
    const name = textOf(tag?.["name"], CHARACTERS.name);
    const view = { description: descriptionOf(tag), externalDocs: docsLinkOf(root, tag?.["externalDocs"]) };
    if (name === null || (view.description === null && view.externalDocs === null)) return [];
    return [{ title: name, ...view }];
  });
  if (described.length === 0) return [];
  const operations = isAsyncApi(root) ? channelsOf(root) : operationsOf(root);
  const used = new Set(operations.filter((each) => !each.isExcluded && !each.isHidden).map(({ tag }) => tag));
  return described.filter(({ title }) => used.has(title));
}

/** The first page of an API as Markdown for agents. */
export function overviewMarkdown(view: OverviewView, listed: readonly LinkedOperation[]): string {
  const lines = view.version === null ? [] : [`Version ${codeSpan(view.version)}`, ""];
  const more = (description: string | null) => (description === null ? "" : `: ${plainText(description)}`);
  lines.push(
    ...introLines({ isDeprecated: false, description: view.description }),
    ...aboutLines(view),
    ...linesUnder("## Servers", serverLines(view.servers)),
    ...securityLines(view.security),
  );
  const groups = Map.groupBy(listed, (each) => each.group);
  const tagLines = ({ description, externalDocs }: TagView) => [
    ...(description === null ? [] : [description, ""]),
    ...(externalDocs === null ? [] : [`See ${markdownLink(externalDocs)}.`, ""]),
  ];
  for (const tag of view.tags.filter(({ title }) => !groups.has(title)))
    lines.push(`**${plainText(tag.title)}**`, "", ...tagLines(tag));
  for (const [group, operations] of groups) {
    const links = operations.map(({ method, title, href, description }) => {
      return `- ${method} [${plainText(title).replaceAll(/[[\]]/g, "\\$&")}](${href})${more(description)}`;
    });
    const about = view.tags.filter(({ title }) => title === group).flatMap(tagLines);
    lines.push(`## ${plainText(group)}`, "", ...about, ...links, "");
  }
  return lines.join("\n").trim();
}

function aboutLines({ contact, license, termsOfService, externalDocs }: OverviewView): string[] {
  const lines: string[] = [];
  if (contact !== null) {
    const { name, href, email } = contact;
    const parts = [href === null ? name : markdownLink({ href, text: name ?? href }), email];
    lines.push(`- Contact: ${parts.flatMap((part) => (part === null ? [] : [plainText(part)])).join(", ")}`);
  }
  if (license !== null) {
    const { text, href } = license;
    lines.push(`- License: ${href === null ? plainText(text) : markdownLink({ href, text })}`);
  }
  if (termsOfService !== null) lines.push(`- Terms of service: ${plainText(termsOfService)}`);
  if (externalDocs !== null) lines.push(`- See ${markdownLink(externalDocs)}`);
  return lines.length === 0 ? [] : [...lines, ""];
}
