import type { CodeSample } from "#docs/api/code-samples.ts";
import type { ExampleView } from "#docs/api/example-value.ts";
import { type ContentView, exampleCode } from "#docs/api/operation-parts.ts";
import type { OperationView } from "#docs/api/operation-view.ts";
import { preferredContent } from "#docs/api/sample-request.ts";
import { printPanels, type Panel } from "#docs/components/panels.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import type { ApiTools } from "./describe.ts";
import { printSampleBox } from "./print-parts.ts";

/** Code of the request, examples of the body, and examples of each response, for the column next to the text. */
export function printSamples(view: OperationView, samples: readonly CodeSample[], tools: ApiTools): string {
  const { printer } = tools;
  const { words } = printer.language;
  const requests = samples.map(({ title, code, language }): Panel => {
    const body = printer.code({ code, language, meta: "" }, { title: null });
    return { title, label: escapeHtml(title), id: null, body };
  });
  const sent = shownExamples(view.body?.contents ?? []);
  const [first] = sent;
  const isInCode = first?.example.title === null && (view.givenSamples.length === 0 || first.example.isGenerated);
  const payloads = !view.isWebhook && sent.length === 1 && isInCode ? [] : examplePanels(sent, tools);
  const answers = view.responses.flatMap(({ status, contents }): Panel[] => {
    const panels = examplePanels(shownExamples(contents), tools);
    const [only] = panels;
    if (only === undefined) return [];
    const body =
      panels.length === 1 ? only.body : printPanels(" api-examples", panels, { printer, id: null, sync: false });
    return [{ title: status, label: escapeHtml(status), id: null, body }];
  });
  const answer = { printer, className: "response-example" };
  return (
    printSampleBox(words.request, requests, { printer, className: "request-example", sync: true }) +
    printSampleBox(view.isWebhook ? words.payload : words.body, payloads, answer) +
    printSampleBox(words.response, answers, answer)
  );
}

interface ShownExample {
  type: string;
  /** Whether the content type is not the first. */
  isOther: boolean;
  example: ExampleView;
}

/** All examples of the preferred content type, then the author's examples of the others. */
function shownExamples(contents: readonly ContentView[]): ShownExample[] {
  const main = preferredContent(contents);
  if (main === undefined) return [];
  return [main, ...contents.filter((content) => content !== main)].flatMap(({ type, examples }) => {
    const isOther = type !== main.type;
    const shown = isOther ? examples.filter(({ isGenerated }) => !isGenerated) : examples;
    return shown.map((example) => ({ type, isOther, example }));
  });
}

function examplePanels(shown: readonly ShownExample[], tools: ApiTools): Panel[] {
  const { words } = tools.printer.language;
  return shown.map(({ type, isOther, example }, index) => {
    const unnamed = shown.length === 1 || isOther ? words.example : `${words.example} ${index + 1}`;
    const title = (example.title ?? unnamed) + (isOther ? ` (${type})` : "");
    return { title, label: escapeHtml(title), id: null, body: printExample(example, type, tools) };
  });
}

function printExample({ description, value, href }: ExampleView, type: string, tools: ApiTools): string {
  const { printer } = tools;
  const language = /json/i.test(type) ? "json" : /xml/i.test(type) ? "xml" : "";
  const link = href === null ? "" : `<p>${printer.link(href, escapeHtml(href), { line: null })}</p>\n`;
  const code =
    value === undefined
      ? `<p class="api-recursive">${href === null ? printer.language.words.moreInDocument : ""}</p>`
      : printer.code({ code: exampleCode(value), language, meta: "" }, { title: null });
  return tools.describe(description) + link + (value === undefined && href !== null ? "" : code);
}

/** The examples of a callback's payload, below its schema. */
export function printContentExamples(contents: readonly ContentView[], tools: ApiTools): string {
  const panels = examplePanels(shownExamples(contents), tools);
  return panels.length === 0
    ? ""
    : printPanels(" code-group", panels, { printer: tools.printer, id: null, sync: false });
}
