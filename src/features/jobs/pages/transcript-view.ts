import { counted } from "#lib/counted.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { time } from "#kit/pages/document.ts";
import type { Entry, ShownFinding } from "./transcript-entries.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

export interface TranscriptContext {
  /** Full instructions, by message number. */
  prompts: ReadonlyMap<number, string>;
  /** The people and keys that sent them, by message number. */
  askers: ReadonlyMap<number, string>;
  /** Summaries as HTML, by `seq`. */
  summaries: ReadonlyMap<number, Html>;
  /** Whether calls without an end are still running. */
  isActive: boolean;
  /** Link to an image of a message; both are given by number. */
  imageHref(message: number, number: number): string;
  /** Page of a pull request. */
  pullRequestHref(pullRequest: { number: number; url: string }): string;
}

const MAX_LISTED = 200;
const PLAN_MARKS: Record<string, string> = { done: "✓", in_progress: "▸", dropped: "–" };
const text = (value: string): Html => raw(visibleHtml(value));
/** A hint in which paths of the server's own reference become links. */
const hintText = (value: string): Html =>
  raw(visibleHtml(value).replaceAll(/(?<=\s)\/reference\/jobs\/[a-z-]+/g, (path) => `<a href="${path}">${path}</a>`));

/** The text of a report, with its lines of `- …` as a list. */
export function reportWords(value: string): Html {
  const blocks: { isList: boolean; lines: string[] }[] = [];
  for (const line of value.split("\n")) {
    const isItem = line.startsWith("- ");
    const last = blocks.at(-1);
    if (last?.isList === true && /^\s+\S/.test(line)) last.lines.push(`${last.lines.pop() ?? ""}\n${line.trim()}`);
    else if (last?.isList === isItem) last.lines.push(line);
    else blocks.push({ isList: isItem, lines: [line] });
  }
  return html`${blocks
    .filter(({ lines }) => lines.some((line) => line.trim() !== ""))
    .map(({ isList, lines }) =>
      isList
        ? html`<ul>${lines.map((line) => html`<li class="plain">${hintText(line.slice(2))}</li>`)}</ul>`
        : html`<p class="plain">${hintText(lines.join("\n").trim())}</p>`,
    )}`;
}

/** A job's transcript: the instructions, the agent's work and the outcomes. */
export function transcript(entries: readonly Entry[], context: TranscriptContext): Html {
  return html`<ol class="transcript" id="transcript">
    ${entries.map(
      (entry) =>
        html`<li id="event-${entry.seq}" data-live class="e-${entry.kind}">${subtaskBadge(entry)}${entryView(entry, context)}</li>`,
    )}
  </ol>`;
}

const subtaskBadge = ({ subtask }: Entry) =>
  subtask !== undefined && html`<span class="badge of-subtask">Sub-task ${subtask}</span>`;

const byLine = (name: string | null) => name !== null && html`by ${text(name)}, `;

function entryView(entry: Entry, context: TranscriptContext): Html {
  switch (entry.kind) {
    case "prompt":
      return html`<article class="card">
        <p class="card-head"><b>${entry.message === 1 ? "Instruction" : `Follow-up ${entry.message - 1}`}</b> <span>${byLine(context.askers.get(entry.message) ?? entry.by)}${time(entry.at)}</span></p>
        <p class="plain">${text(context.prompts.get(entry.message) ?? entry.text)}</p>
        ${entry.images > 0 && imagesView(entry, context)}
      </article>`;
    case "summary":
      return html`<article class="card outcome">
        <p class="card-head"><b>Done</b> ${time(entry.at)}</p>
        <div class="prose">${context.summaries.get(entry.seq) ?? html`<p class="plain">${text(entry.text)}</p>`}</div>
      </article>`;
    case "failure":
    case "refusal":
      return html`<article class="card outcome bad">
        <p class="card-head"><b>${entry.kind === "refusal" ? "Not done" : entry.code === "cancelled" ? "Cancelled" : "Failed"}</b> ${time(entry.at)}</p>
        <div class="prose">${reportWords(entry.message)}${!entry.message.includes(entry.hint) && html`<p class="muted">${hintText(entry.hint)}</p>`}</div>
      </article>`;
    case "said":
      return html`<p class="plain">${text(entry.text)}</p>`;
    case "tool":
      return toolView(entry, context.isActive);
    case "started":
      return html`<p>Started from <code title="${entry.commit}">${entry.commit.slice(0, 7)}</code> on <code>${text(entry.branch)}</code></p>`;
    case "files":
      return filesView(entry);
    case "checked":
      return checkedView(entry);
    case "plan":
      return html`<p>Plan</p>
        ${planView(entry.steps)}`;
    case "subtasks":
      return html`<p>Sub-tasks, side by side</p>
        <ol class="subtasks">${entry.subtasks.map(({ title, files }) => html`<li>${text(title)} <span class="muted">${text(files.join(", "))}</span></li>`)}</ol>`;
    case "subtaskEnd":
      return subtaskEndView(entry);
    case "notice":
      return html`<p>${text(entry.text)}</p>`;
    case "commit":
      return html`<p>Pushed commit <code title="${entry.commit}">${entry.commit.slice(0, 7)}</code></p>`;
    case "pullRequest":
      return html`<p>${entry.news} <a href="${context.pullRequestHref(entry)}">pull request #${entry.number}</a></p>`;
    case "archived":
      return html`<p>${entry.isBack ? "Brought back" : "Archived"} <span class="muted">${time(entry.at)}</span></p>`;
    case "other":
      return html`<p class="muted"><code>${text(entry.type)}</code></p>`;
  }
}

const imagesView = ({ message, images }: Extract<Entry, { kind: "prompt" }>, { imageHref }: TranscriptContext): Html =>
  html`<p class="shown-images">${Array.from({ length: images }, (_, index) => {
    const href = imageHref(message, index + 1);
    return html`<a href="${href}"><img src="${href}" alt="Image ${index + 1} of ${images} of the instruction" loading="lazy" /></a>`;
  })}</p>`;

/** The steps of a plan with their states. */
export const planView = (steps: readonly { text: string; state: string }[]): Html =>
  html`<ul class="plan">${steps.map(({ text: step, state }) => html`<li class="${state}"><span class="muted" role="img" aria-label="${state.replace("_", " ")}">${PLAN_MARKS[state] ?? "○"}</span> <span>${text(step)}</span></li>`)}</ul>`;

function toolView({ tool, input, result }: Extract<Entry, { kind: "tool" }>, isActive: boolean): Html {
  const name = tool.replaceAll("_", " ");
  const [first = "", ...rest] = (result?.summary ?? "").split("\n");
  const state = result ? (result.ok ? "ok" : "failed") : isActive ? "running" : "not finished";
  const shown = typeof input === "object" && input !== null ? JSON.stringify(input, null, 2) : String(input);
  return html`<details class="tool ${state.replace(" ", "-")}">
    <summary>
      <b>${text(name)}</b> <span>${text(first)}</span>
      <span class="muted">${state === "ok" ? shownDuration(result?.durationMs ?? 0) : state}</span>
    </summary>
    <pre><code>${text(shown)}</code></pre>
    ${rest.length > 0 && html`<pre><code>${text(rest.join("\n"))}</code></pre>`}
    ${result?.reason !== undefined && html`<p>${text(result.reason)}</p>`}
  </details>`;
}

function subtaskEndView(entry: Extract<Entry, { kind: "subtaskEnd" }>): Html {
  const { title, ok, summary, changed, steps, inputTokens, outputTokens, costUsd } = entry;
  const used = [
    counted(changed.length, "file"),
    counted(steps, "step"),
    counted(inputTokens + outputTokens, "token"),
    ...(costUsd > 0 ? [`$${costUsd.toFixed(4)}`] : []),
  ];
  return html`<p><b>${ok ? "Done" : "Not done"}: ${text(title)}</b> <span class="muted">${used.join(", ")}</span></p>
    <p class="plain">${text(summary)}</p>`;
}

function filesView({ added, modified, removed, moved }: Extract<Entry, { kind: "files" }>): Html {
  const movedFrom = new Set(moved.map(({ from }) => from));
  const movedTo = new Set(moved.map(({ to }) => to));
  const all = [
    ...added.filter((path) => !movedTo.has(path)).map((path) => ["+", path] as const),
    ...modified.map((path) => ["~", path] as const),
    ...moved.map(({ from, to }) => ["→", `${from} → ${to}`] as const),
    ...removed.filter((path) => !movedFrom.has(path)).map((path) => ["−", path] as const),
  ];
  const count = html`${counted(all.length, "file")} changed so far`;
  return html`<details>
    <summary>${count}</summary>
    <ul class="paths">${all.slice(0, MAX_LISTED).map(([mark, path]) => html`<li><span class="muted">${mark}</span> <code>${text(path)}</code></li>`)}</ul>
  </details>`;
}

type CheckTotals = Extract<Entry, { kind: "checked" }>["totals"];

/** How many errors, warnings and new hosts the checks found, in words; empty when they found nothing. */
export function checkCounts(totals: CheckTotals): string {
  const parts = [
    totals.errors > 0 ? counted(totals.errors, "error") : "",
    totals.warnings > 0 ? counted(totals.warnings, "warning") : "",
    totals.newHosts > 0 ? counted(totals.newHosts, "new host") : "",
  ].filter(Boolean);
  return parts.join(", ");
}

/** Notes that the stored list of findings is incomplete; null when it is complete. */
export const storedNote = (stored: number, { errors, warnings, newHosts }: CheckTotals): Html | null =>
  stored < errors + warnings + newHosts
    ? html`<p class="muted">Only ${stored.toLocaleString("en")} of these are stored, the first of each kind.</p>`
    : null;

function checkedView({ errors, warnings, newHosts, totals }: Extract<Entry, { kind: "checked" }>): Html {
  const counts = checkCounts(totals);
  if (counts === "") return html`<p>Checked: no problems found</p>`;
  return html`<details class="findings ${errors.length > 0 ? "failed" : ""}" ${errors.length > 0 ? "open" : ""}>
    <summary>Checked: ${counts}</summary>
    <ul>
      ${errors.slice(0, MAX_LISTED).map((finding) => findingView(finding, "error"))}
      ${warnings.slice(0, MAX_LISTED).map((finding) => findingView(finding, "warning"))}
      ${newHosts.slice(0, MAX_LISTED).map((host) => html`<li><span class="badge">new host</span> ${text(host)}</li>`)}
    </ul>
    ${storedNote(errors.length + warnings.length + newHosts.length, totals)}
  </details>`;
}

/** A finding as a list item. */
export function findingView({ path, line, message }: ShownFinding, severity: "error" | "warning"): Html {
  const place = path === null ? "" : html`<code>${text(line === null ? path : `${path}:${line}`)}</code> `;
  return html`<li><span class="badge ${severity}">${severity}</span> ${place}${text(message)}</li>`;
}

/** How long something took; empty for less than a tenth of a second. */
export function shownDuration(durationMs: number): string {
  if (durationMs < 100) return "";
  return durationMs < 60_000 ? `${(durationMs / 1_000).toFixed(1)} s` : `${Math.round(durationMs / 60_000)} min`;
}
