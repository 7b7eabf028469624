import { hasMoreServers, type OperationView } from "#docs/api/operation-view.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import type { ApiTools } from "./describe.ts";
import {
  type HeadingWord,
  partHeading,
  printBadge,
  printCall,
  printDeprecated,
  printHeading,
  printMethodBar,
  printServers,
  printTags,
  printUnder,
  printWordHeading,
} from "./print-parts.ts";
import { printContentExamples } from "./print-examples.ts";
import { printDocsLink, printFieldBox } from "./print-schema.ts";
import { printSecurity } from "./print-security.ts";
import type { CallbackView } from "#docs/api/callbacks.ts";
import type { LinkedOperation, OverviewView, TagView } from "#docs/api/reading/overview-view.ts";

/** The main column of an operation's page, below its address. */
export function printOperation(view: OperationView, tools: ApiTools): string {
  const { printer, describe } = tools;
  const { words } = printer.language;
  const heading = (name: HeadingWord) => printWordHeading(name, tools);
  let html = view.isDeprecated ? printDeprecated(words.deprecatedOperation) : "";
  html += describe(view.description) + describe(view.pathDescription);
  html += printTags(view.tags);
  if (hasMoreServers(view)) {
    html += `<details class="api-fields"><summary>${words.servers}</summary>${printServers(view.servers)}</details>\n`;
  }
  html += printSecurity(view.security, () => heading("authorization"), tools);
  html += printCall(view, tools, { heading, payload: view.isWebhook ? "payload" : "body" });
  html += printUnder(
    () => heading("callbacks"),
    view.callbacks,
    (each) => printCallback(each, tools),
  );
  return html + printDocsLink(view.externalDocs, printer);
}

/** A request that the API sends later, below its own heading. */
function printCallback(callback: CallbackView, tools: ApiTools): string {
  const { printer, describe } = tools;
  const { words } = printer.language;
  const { name, title, method, expression, description } = callback;
  let html =
    printHeading(name, { depth: 3, name: `callback ${name}`, printer }) +
    printMethodBar({ label: method, base: "", path: expression });
  if (callback.isDeprecated) html += printDeprecated(words.deprecatedOperation);
  if (title !== null && title !== name) html += `<p><strong>${escapeHtml(title)}</strong></p>\n`;
  const heading = (word: HeadingWord) => partHeading(words[word]);
  const examples = printContentExamples(callback.body?.contents ?? [], tools);
  const call = printCall(callback, tools, { heading, payload: "payload" });
  return html + describe(description) + call + (examples === "" ? "" : partHeading(words.examples) + examples);
}

/** The first page of an API: its description, its servers, and links to its operations by group. */
export function printOverview(view: OverviewView, listed: readonly LinkedOperation[], tools: ApiTools): string {
  const { printer, describe } = tools;
  const { words } = printer.language;
  let html = "";
  if (view.version !== null) {
    html += `<p class="api-content-type">${words.version} <code>${escapeHtml(view.version)}</code></p>\n`;
  }
  html += describe(view.description) + printAbout(view, tools) + printDocsLink(view.externalDocs, printer);
  if (view.servers.length > 0) {
    html += printWordHeading("servers", tools) + printServers(view.servers);
  }
  html += printSecurity(view.security, () => printWordHeading("authorization", tools), tools);
  const groups = Map.groupBy(listed, (each) => each.group);
  const printTag = (tag: TagView) => describe(tag.description) + printDocsLink(tag.externalDocs, printer);
  for (const tag of view.tags.filter(({ title }) => !groups.has(title)))
    html += printFieldBox([`<span class="field-name">${escapeHtml(tag.title)}</span>`], printTag(tag));
  for (const [group, operations] of groups) {
    html += printHeading(group, { depth: 2, name: group, printer });
    html += view.tags
      .filter(({ title }) => title === group)
      .map(printTag)
      .join("");
    html += `<ul class="api-list">${operations.map((operation) => printEntry(operation, printer)).join("")}</ul>\n`;
  }
  return html;
}

/** Who is behind the API and under which terms it may be used. */
function printAbout({ contact, license, termsOfService }: OverviewView, { printer }: ApiTools): string {
  const { words } = printer.language;
  const link = (href: string, text = href) => printer.link(href, escapeHtml(text), { line: null });
  const items: string[] = [];
  if (contact !== null) {
    const { name, href, email } = contact;
    const parts = [href === null ? escapeHtml(name ?? "") : link(href, name ?? href)];
    if (email !== null) parts.push(link(`mailto:${email}`, email));
    items.push(`${words.contact}: ${parts.filter((part) => part !== "").join(", ")}`);
  }
  if (license !== null) {
    items.push(
      `${words.license}: ${license.href === null ? escapeHtml(license.text) : link(license.href, license.text)}`,
    );
  }
  if (termsOfService !== null) items.push(link(termsOfService, words.termsOfService));
  return items.length === 0 ? "" : `<ul class="api-facts">${items.map((item) => `<li>${item}</li>`).join("")}</ul>\n`;
}

function printEntry({ method, title, href, description }: LinkedOperation, printer: PagePrinter): string {
  const more = description === null ? "" : `<p>${escapeHtml(description)}</p>`;
  return `<li>${printBadge(method)}<div>${printer.link(href, escapeHtml(title), { line: null })}${more}</div></li>`;
}
