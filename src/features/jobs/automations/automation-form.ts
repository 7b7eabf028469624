import { MAX_PROMPT_CHARACTERS } from "#features/jobs/job-limits.ts";
import { formStart, problemNote, type Refused, selectOptions } from "#kit/pages/post-form.ts";
import type { Project } from "#features/projects/project.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { parseForm } from "#kit/pages/parse-form.ts";
import { chosenEffort, effortField } from "#features/jobs/effort-field.ts";
import type { AutomationSettings } from "./automations.ts";
import { NewAutomationBody } from "./bodies.ts";
import { TRIGGER_KINDS } from "./trigger-words.ts";

export interface AutomationForm {
  action: string;
  button: string;
  csrfToken: string;
  /** Hidden fields that this form adds. */
  hidden: Readonly<Record<string, string>>;
  /** Its current settings; null for a new automation. */
  automation: AutomationSettings | null;
  refused: Refused | null;
  project: Project;
  sources: readonly string[];
  branches: readonly string[];
  models: readonly string[];
}

const DEFAULT_CRON = "0 6 * * 1";

/** The form for an automation's trigger, instruction and options. */
export function automationForm(form: AutomationForm): Html {
  const { automation, refused, project, sources } = form;
  const trigger = automation?.trigger;
  const given = (name: string, usual: string | null | undefined) => refused?.field(name) ?? usual ?? "";
  const kind = given("kind", trigger?.kind ?? "schedule");
  const kinds = Object.entries(TRIGGER_KINDS).filter(([name]) => !name.startsWith("source_") || sources.length > 0);
  const list = (name: string, options: readonly string[]) =>
    html`<datalist id="${name}">${options.map((option) => html`<option value="${option}"></option>`)}</datalist>`;
  return html`${formStart(form.action, form.csrfToken)}
    ${Object.entries(form.hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${problemNote(refused?.problem)}
    <label>Name <input name="name" required maxlength="100" value="${given("name", automation?.name)}" placeholder="Weekly link check" autocomplete="off" /></label>
    <label>Instruction <textarea name="prompt" required rows="3" maxlength="${MAX_PROMPT_CHARACTERS}" placeholder="Fix the broken links.">
${given("prompt", automation?.prompt)}</textarea></label>
    <div class="row trigger">
      <label>Runs <select name="kind">${selectOptions(kinds, kind)}</select></label>
      <label class="of-schedule narrow">Schedule <input name="cron" maxlength="100" value="${given("cron", trigger?.kind === "schedule" ? trigger.cron : DEFAULT_CRON)}" autocomplete="off" spellcheck="false" /></label>
      <label class="of-schedule narrow">Time zone <input name="timeZone" maxlength="64" value="${given("timeZone", trigger?.kind === "schedule" ? trigger.timeZone : "UTC")}" placeholder="Europe/Berlin" list="time-zones" autocomplete="off" spellcheck="false" /></label>
      <label class="of-push narrow">Branch <input name="branch" maxlength="200" value="${given("branch", trigger?.kind === "push" ? trigger.branch : "")}" placeholder="${project.branch}" list="branches" autocomplete="off" spellcheck="false" /></label>
      ${
        sources.length > 0 &&
        html`<label class="of-source narrow">Source <select name="source">${selectOptions(sources, given("source", trigger && "source" in trigger ? trigger.source : null))}</select></label>`
      }
    </div>
    <small class="of-schedule">Five fields: minute, hour, day of the month, month, day of the week. <code>0 6 * * 1</code> is each Monday at 06:00, <code>30 8 * * 1-5</code> each working day at 08:30.</small>
    <div class="row">
      <label>Base branch <input name="ref" maxlength="200" value="${given("ref", automation?.ref)}" placeholder="${project.branch}" list="branches" autocomplete="off" spellcheck="false" /></label>
      <label>Model <input name="model" maxlength="200" value="${given("model", automation?.model)}" placeholder="The project's model" list="models" autocomplete="off" spellcheck="false" /></label>
      <label class="choice short">Effort ${effortField(given("effort", automation?.effort))}</label>
    </div>
    <div class="flag"><input type="checkbox" id="draft" name="draft" value="yes" ${given("draft", automation?.draft ? "yes" : "") === "yes" ? raw("checked") : ""} /><label for="draft">Open pull requests as drafts</label></div>
    <div class="send"><button class="button primary">${form.button}</button></div>
    ${list("time-zones", Intl.supportedValuesOf("timeZone"))} ${list("branches", form.branches)}
    ${list(
      "models",
      form.models.filter((name) => !name.endsWith("…")),
    )}
  </form>`;
}

const LABELS = {
  name: "Name",
  prompt: "Instruction",
  "trigger.cron": "Schedule",
  "trigger.timeZone": "Time zone",
  "trigger.branch": "Branch",
  "trigger.source": "Source",
  trigger: "Runs",
  ref: "Base branch",
  model: "Model",
};

/** The entered values as a body of `createAutomation`. `AppError invalid`. */
export function enteredAutomation(field: (name: string) => string) {
  const line = (name: string) => field(name).trim();
  const kind = field("kind");
  const trigger = {
    kind,
    ...(kind === "schedule" && { cron: line("cron"), ...(line("timeZone") !== "" && { timeZone: line("timeZone") }) }),
    ...(kind === "push" && line("branch") !== "" && { branch: line("branch") }),
    ...(kind.startsWith("source_") && { source: field("source") }),
  };
  const asked = {
    name: line("name"),
    prompt: field("prompt"),
    trigger,
    ref: line("ref") || null,
    model: line("model") || null,
    effort: chosenEffort(field("effort")),
    draft: field("draft") === "yes",
  };
  return parseForm(NewAutomationBody, asked, LABELS);
}
