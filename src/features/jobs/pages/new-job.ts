import { BUILTIN_RULES } from "#models/model.ts";
import { chosenEffort, effortField } from "#features/jobs/effort-field.ts";
import { askerOf } from "#features/keys/actor.ts";
import type { Project } from "#features/projects/project.ts";
import { isAgentBranch } from "#features/jobs/branch-name.ts";
import { idempotencyKey, onlyOnce } from "#kit/http/request-outcomes.ts";
import { imageField } from "./job-images.ts";
import type { Attachment } from "#features/jobs/attachments.ts";
import { createJob, type SubmitDeps } from "#features/jobs/requests/submit.ts";
import type { OfferWork, OfferedWork } from "#features/jobs/chores/offered-work.ts";
import type { NewJob } from "#features/jobs/transitions/by-callers.ts";
import { MAX_TITLE_CHARACTERS, PROMPT_RULES } from "#features/jobs/job-limits.ts";
import { findComplaint, lineRules } from "#kit/http/text-rules.ts";
import type { Job } from "#features/jobs/job.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { AppError } from "#lib/app-error.ts";
import { type JobId, newId } from "#lib/ids.ts";
import type { Member } from "#features/keys/page-access.ts";
import type { PageStatus } from "#kit/pages/send-page.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { csrfField, problemNote, selectOptions } from "#kit/pages/post-form.ts";
import { offeredWork } from "./suggestions.ts";
import { mayStartWork, type ShownProject } from "#kit/pages/document.ts";

export interface NewJobDeps {
  submit: SubmitDeps;
  offerWork: OfferWork;
  /** The model that a job will use; `AppError invalid` for one that may not be used. */
  chooseModel(project: Project, asked: string | null): string;
  /** Models that a job may use; `provider/…` where every model of a provider may be. */
  listModels(project: Project): string[];
  listBranches(project: Project): Promise<string[]>;
  isMissingBranch(project: Project, branch: string): Promise<boolean>;
}

const MAX_OPTIONS = 100;
const MAX_NAME_CHARACTERS = 200;

/** What a form for a new job shows; `refused` brings back what was sent. */
export async function newJobFormOf(
  deps: NewJobDeps,
  { project, place, session }: Member,
  refused: NewJobForm["refused"] = null,
): Promise<NewJobForm> {
  const branches = await deps.listBranches(project);
  return {
    place,
    csrfToken: session.csrfToken,
    once: newId("req"),
    models: modelsOf(deps, project),
    offered: mayStartWork(place) ? await deps.offerWork(project) : { kind: "unknown" },
    branches: choice(
      project.branch,
      branches.filter((name) => !isAgentBranch(name)),
    ), // theirs go away with a merge
    refused,
  };
}

function modelsOf({ chooseModel, listModels }: NewJobDeps, project: Project): Choice {
  try {
    return choice(chooseModel(project, null), listModels(project));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { usual: null, options: [], isComplete: false }; // told when the form is sent
  }
}

/** The usual one first. An entry that ends in `…` stands for others. */
function choice(usual: string, names: readonly string[]): Choice {
  const options = [...new Set([usual, ...names])].filter((name) => !name.endsWith("…"));
  const isComplete = options.length <= MAX_OPTIONS && !names.some((name) => name.endsWith("…"));
  return { usual, options: options.slice(0, MAX_OPTIONS), isComplete };
}

export function promptProblem(prompt: string): string | null {
  const complaint = findComplaint(PROMPT_RULES, prompt);
  return complaint && `The instruction ${complaint}.`;
}

/** Why something that a person asked for was not done, with the status to say it with; null for our own faults. */
export function refusalOf(
  error: unknown,
): { problem: string; status: PageStatus; retryAfterSeconds: number | null } | null {
  if (!(error instanceof AppError)) return null;
  const retryAfterSeconds = error.retryAfterSeconds ?? null;
  if (error.code === "invalid") return { problem: error.message, status: 400, retryAfterSeconds };
  if (error.code === "conflict") return { problem: error.message, status: 409, retryAfterSeconds };
  if (error.code !== "rate_limited") return null;
  // A quota says itself what it is; the limit of an hour speaks of calls.
  if (Object.keys(error.headers).length === 0) return { problem: error.message, status: 429, retryAfterSeconds };
  const minutes = Math.max(1, Math.ceil((retryAfterSeconds ?? 0) / 60));
  const problem = `This project has used its jobs and messages for the hour. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  return { problem, status: 429, retryAfterSeconds };
}

/** Makes a job of a form, once however often the form is sent. `AppError invalid`, `rate_limited`. */
export async function submitNewJob(
  deps: NewJobDeps,
  {
    project,
    session,
    field,
    attachments,
  }: Member & { field(name: string): string; attachments: readonly Attachment[] },
): Promise<Job> {
  const { submit } = deps;
  const prompt = field("prompt");
  const [title, model, ref] = [field("title").trim(), field("model").trim(), field("ref").trim()];
  const problem =
    promptProblem(prompt) ??
    lineProblem("title", title, MAX_TITLE_CHARACTERS) ??
    lineProblem("model", model, MAX_NAME_CHARACTERS) ??
    lineProblem("base branch", ref, MAX_NAME_CHARACTERS);
  if (problem !== null) throw new AppError("invalid", problem);
  const isUsual = ref === "" || ref === project.branch;
  if (!isUsual && (await deps.isMissingBranch(project, ref))) {
    throw new AppError("invalid", `The repository has no branch "${ref}".`);
  }
  const request: NewJob = {
    projectId: project.id,
    prompt,
    model: deps.chooseModel(project, model === "" ? null : model),
    baseRef: isUsual ? project.branch : ref,
    draft: false,
    dryRun: field("dryRun") === "yes",
    effort: chosenEffort(field("effort")),
    attachments,
    askedBy: await askerOf(submit.database, session),
    title: title === "" ? null : title,
  };
  const once = /^req_[0-9a-z]{26}$/.exec(field("once"))?.[0];
  const key =
    once === undefined
      ? null
      : idempotencyKey(project.id, `form ${once}`, {
          prompt,
          title,
          model,
          ref,
          dryRun: request.dryRun,
          effort: request.effort,
          images: attachments.map(({ content }) => Buffer.from(content).toString("base64")),
        });
  try {
    const { answer } = await onlyOnce(submit, key, {
      carryOut: async () => (await createJob(submit, request, key)).job,
      repeat: (jobId) => findJob(submit, { projectId: project.id, jobId: jobId as JobId }),
    });
    return answer;
  } catch (error) {
    // Sent before, then gone back to and changed: that is another job.
    const isOther = error instanceof AppError && (error.code === "idempotency_mismatch" || error.code === "conflict");
    if (!isOther) throw error;
    return (await createJob(submit, request, null)).job;
  }
}

function lineProblem(name: string, text: string, max: number): string | null {
  const complaint = text === "" ? null : findComplaint(lineRules(max), text);
  return complaint && `The ${name} ${complaint}.`;
}

/** What a form offers for one of its fields. */
interface Choice {
  /** What is taken when nothing is said; null when nothing can be. */
  usual: string | null;
  options: readonly string[];
  /** Whether there are no others. */
  isComplete: boolean;
}

export interface NewJobForm {
  place: ShownProject;
  csrfToken: string;
  /** Names this form: sent twice, it makes one job. */
  once: string;
  models: Choice;
  /** Branches to start from, and to open the pull request against. */
  branches: Choice;
  offered: OfferedWork;
  /** What was sent and not taken, with the reason. */
  refused: { prompt: string; title: string; model: string; effort: string; ref: string; problem: string } | null;
}

export function newJobForm({ place, csrfToken, once, models, branches, offered, refused }: NewJobForm): Html | null {
  if (!mayStartWork(place)) return null;
  return html`<form class="form panel" method="post" action="/${place.slug}/jobs" enctype="multipart/form-data">
    ${csrfField(csrfToken)}
    <input type="hidden" name="once" value="${once}" />
    ${problemNote(refused?.problem)}
    <label>
      What should change in the docs?
      <textarea name="prompt" required rows="3" placeholder="For example: Replace “sign in” with “log in” in guides/.">${refused?.prompt ?? ""}</textarea>
    </label>
    ${hasModel(models) && imageField()}
    <div class="row">
      <label>Title <input name="title" maxlength="${MAX_TITLE_CHARACTERS}" placeholder="Optional" value="${refused?.title ?? ""}" autocomplete="off" /></label>
      <label class="choice">Model ${field("model", models, refused?.model ?? "")}</label>
      ${hasModel(models) && html`<label class="choice short">Effort ${effortField(refused?.effort ?? "")}</label>`}
      <label class="choice">Base branch ${field("ref", branches, refused?.ref ?? "")}</label>
      <div class="buttons">
        <button class="button" name="dryRun" value="yes">Dry run</button>
        <button class="button primary">Create job</button>
      </div>
    </div>
    <p class="hint note-line">
      The agent starts from the base branch and opens a pull request against it. Nothing is published before you merge. A dry
      run shows what would change, without a pull request.
    </p>
    ${offeredWork(place, offered)}
  </form>`;
}

/** The built-in rules neither think nor see. */
const hasModel = ({ options, isComplete }: Choice): boolean =>
  !isComplete || options.some((name) => name !== BUILTIN_RULES);

/** A list to choose from, or a line with suggestions where a list would not hold everything. */
function field(name: "model" | "ref", { usual, options, isComplete }: Choice, given: string): Html {
  const chosen = given === "" ? usual : given;
  if (isComplete && usual !== null && (chosen === null || options.includes(chosen))) {
    return html`<select name="${name}">${selectOptions(options, chosen)}</select>`;
  }
  return html`<input name="${name}" value="${given}" placeholder="${usual ?? ""}" list="${name}-options" maxlength="200" autocomplete="off" spellcheck="false" />
    <datalist id="${name}-options">${options.map((option) => html`<option value="${option}"></option>`)}</datalist>`;
}
