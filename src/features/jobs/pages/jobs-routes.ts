import { type Asker, askerOf } from "#features/keys/actor.ts";
import { type Context, Hono } from "hono";
import type { MarkdownParser } from "#docs/parser.ts";
import { cancelJob } from "#features/jobs/requests/cancel.ts";
import { listLatestEvents } from "#features/jobs/events.ts";
import type { Job } from "#features/jobs/job.ts";
import { findJob, withCurrentPullRequest } from "#features/jobs/jobs.ts";
import { archiveJob, unarchiveJob } from "#features/jobs/requests/lifecycle.ts";
import { listJobAskers, listJobs } from "#features/jobs/list.ts";
import { listAskers, listPrompts } from "#features/jobs/requests/messages.ts";
import { addMessage, retryJob } from "#features/jobs/requests/submit.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import type { Html } from "#kit/pages/markup.ts";
import { describe } from "#kit/pages/description.ts";
import { readEntered, searchOf } from "./job-search.ts";
import { personIn } from "#features/keys/holder.ts";
import { JOB_FILTERS, jobListHref, jobListPage, listedJobs, type ListedJobsDeps } from "./job-list.ts";
import { type JobPage, jobPage } from "./job-page.ts";
import { type NewJobForm, type NewJobDeps, newJobFormOf, promptProblem, refusalOf, submitNewJob } from "./new-job.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import { type PageStatus, sendPage } from "#kit/pages/send-page.ts";
import { type Attachment, readAttachments } from "#features/jobs/attachments.ts";
import { imagesInForm, limitedImageForm, problemWithImages, sendImage } from "./job-images.ts";
import { type Entry, transcriptEntries } from "./transcript-entries.ts";
import { createJobStreams, serverSentEvent } from "#features/jobs/stream.ts";

export interface JobsRoutesDeps extends NewJobDeps, ListedJobsDeps {
  /** The parser for a project. Projects share its capacity fairly. */
  parserFor(projectId: ProjectId): MarkdownParser;
  access: ProjectAccess;
  /** Aborted when the server stops, which ends every stream. */
  closing: AbortSignal;
}

const JOB = ":id{job_[0-9a-z]{26}}";
const PAGE_SIZE = 30;
const MAX_EVENTS = 600;
const MAX_SUMMARIES = 10;
/** Streams in one process. A browser without a stream requests the page every few seconds. */
const MAX_STREAMS = 300;
// An instruction of 32,000 characters: up to 4 bytes each, and a form writes a byte with 3 characters.
const MAX_FORM_BYTES = 512 * 1024;

/** How a page is shown: for the first time, or again with a refused form. */
interface Shown<Refused> {
  refused: Refused;
  status: PageStatus;
}
const FINE: Shown<null> = { refused: null, status: 200 };

/** `/{slug}/jobs` and each job's page, for readers who are signed in to the project. */
export function createJobsRoutes(deps: JobsRoutesDeps): Hono {
  const { access, submit } = deps;
  const { database } = submit;
  const streams = createJobStreams({ database, closing: deps.closing, most: MAX_STREAMS });
  const routes = new Hono();

  const showList = async (c: Context, member: Member, { refused, status }: Shown<NewJobForm["refused"]> = FINE) => {
    const filter = JOB_FILTERS.find((name) => name === c.req.query("status")) ?? "all";
    const entered = readEntered((name) => c.req.query(name));
    const person = personIn(member.session);
    const cursor = /^job_[0-9a-z]{26}$/.exec(c.req.query("before") ?? "")?.[0] ?? null;
    const { items, nextCursor } = await listJobs(submit, {
      projectId: member.project.id,
      statuses: filter === "all" ? [] : [filter],
      search: searchOf(entered, person?.email ?? null),
      limit: PAGE_SIZE,
      cursor,
    });
    const page = jobListPage({
      place: member.place,
      filter,
      jobs: await listedJobs(deps, member.project, items),
      nextHref: nextCursor && jobListHref(`/${member.place.slug}/jobs`, filter, entered, nextCursor),
      entered,
      people: await listJobAskers(submit, member.project.id),
      isPerson: person !== null,
      form: await newJobFormOf(deps, member, refused),
    });
    return sendPage(c, page, { status });
  };

  const jobOf = async (c: Context, { project }: Member): Promise<Job | null> => {
    const job = await findJob(submit, { projectId: project.id, jobId: (c.req.param("id") ?? "") as JobId });
    return (
      job && withCurrentPullRequest(await deps.withNotice(job), (number) => deps.currentPullRequest(project, number))
    );
  };

  const showJob = async (c: Context, member: Member, { refused, status }: Shown<JobPage["refused"]> = FINE) => {
    const job = await jobOf(c, member);
    if (!job) return sendNotFound(c);
    const { place, session, project } = member;
    const before = Number(/^\d{1,9}$/.exec(c.req.query("before") ?? "")?.[0] ?? Number.NaN);
    const { events, hasMore } = await listLatestEvents(submit, {
      jobId: job.id,
      before: Number.isNaN(before) ? null : before,
      limit: MAX_EVENTS,
    });
    const entries = transcriptEntries(events);
    const page = jobPage({
      place,
      csrfToken: session.csrfToken,
      job,
      entries,
      context: {
        prompts: await listPrompts(submit, job),
        askers: await listAskers(submit, job.id),
        summaries: await describeSummaries(deps.parserFor(project.id), entries),
        isActive: job.status === "active",
        imageHref: (message, number) => `/${place.slug}/jobs/${job.id}/images/${message}/${number}`,
        pullRequestHref: ({ number, url }) => pullRequestHref(project, number, url),
      },
      lastSeq: events.at(-1)?.seq ?? 0,
      earlierHref: hasMore ? `/${place.slug}/jobs/${job.id}?before=${events[0]?.seq}` : null,
      isLatest: Number.isNaN(before),
      isPaused: c.req.query("paused") !== undefined,
      instructions: project.settings.instructions ?? null,
      about: c.req.query("about")?.slice(0, 1_000) ?? null,
      refused,
    });
    return sendPage(c, page, { status });
  };

  routes.get("/:slug/jobs", async (c) => {
    const opened = await access.open(c);
    return opened.answer ?? showList(c, opened);
  });

  routes.post("/:slug/jobs", limitedImageForm(MAX_FORM_BYTES), async (c) => {
    const opened = await access.openForm(c, { signInTo: `/${c.req.param("slug")}/jobs`, needs: "agent" });
    if (opened.answer) return opened.answer;
    try {
      const job = await submitNewJob(deps, { ...opened, attachments: await imagesInForm(c) });
      return c.redirect(`/${opened.place.slug}/jobs/${job.id}`, 303);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      if (refusal.retryAfterSeconds !== null) c.header("Retry-After", String(refusal.retryAfterSeconds));
      const { field } = opened;
      const refused = {
        prompt: field("prompt"),
        title: field("title"),
        model: field("model"),
        effort: field("effort"),
        ref: field("ref"),
        problem: await problemWithImages(c, refusal.problem),
      };
      return showList(c, opened, { refused, status: refusal.status });
    }
  });

  routes.get(`/:slug/jobs/${JOB}`, async (c) => {
    const opened = await access.open(c);
    return opened.answer ?? showJob(c, opened);
  });

  routes.get(`/:slug/jobs/${JOB}/images/:message{[1-9]\\d{0,8}}/:number{[1-9]}`, async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const job = await jobOf(c, opened);
    const { message, number } = c.req.param();
    const images = job ? await readAttachments(database.kysely, { jobId: job.id, seq: Number(message) }) : [];
    const image = images[Number(number) - 1];
    return image ? sendImage(c, image) : sendNotFound(c);
  });

  routes.get(`/:slug/jobs/${JOB}/stream`, async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const job = await jobOf(c, opened);
    if (!job) return sendNotFound(c);
    // The browser sends the last event that it received before the connection broke.
    const after = /^\d{1,9}$/.exec(c.req.header("last-event-id") ?? c.req.query("after") ?? "")?.[0] ?? "0";
    const isAllowed = () => access.isStillOpen(c, opened);
    // The stream only announces changes. The page requests its own content, so that one place renders it.
    return streams(c, job, {
      after: Number(after),
      withAnswer: true,
      isAllowed,
      print(item) {
        if (item.kind === "answer") return serverSentEvent({ type: "answer", data: item.answer });
        if (item.kind === "done") return serverSentEvent({ type: "done", data: item.status });
        const seq = item.events.at(-1)?.seq ?? Number(after);
        return serverSentEvent({ id: seq, type: "change", data: seq });
      },
    });
  });

  /** Handles a button or form of a job's page: carries out the action, then shows the page again. */
  const act =
    (
      action: (
        name: { projectId: Project["id"]; jobId: JobId },
        sent: { prompt: string; askedBy: Asker | null; attachments: Attachment[] },
      ) => Promise<Job>,
    ) =>
    async (c: Context) => {
      const jobPath = `/${c.req.param("slug")}/jobs/${c.req.param("id")}`;
      const opened = await access.openForm(c, { signInTo: jobPath, needs: "agent" });
      if (opened.answer) return opened.answer;
      const prompt = opened.field("prompt");
      try {
        const sent = { prompt, askedBy: await askerOf(database, opened.session), attachments: await imagesInForm(c) };
        await action({ projectId: opened.project.id, jobId: c.req.param("id") as JobId }, sent);
        return c.redirect(`${jobPath}#follow-up`, 303);
      } catch (error) {
        if (error instanceof AppError && error.code === "not_found") return sendNotFound(c);
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        if (refusal.retryAfterSeconds !== null) c.header("Retry-After", String(refusal.retryAfterSeconds));
        const problem = await problemWithImages(c, refusal.problem);
        return showJob(c, opened, { refused: { prompt, problem }, status: refusal.status });
      }
    };
  const onForm = (action: string, handler: ReturnType<typeof act>) =>
    routes.post(`/:slug/jobs/${JOB}/${action}`, limitedImageForm(MAX_FORM_BYTES), handler);

  onForm(
    "message",
    act(async (name, sent) => {
      const problem = promptProblem(sent.prompt);
      if (problem !== null) throw new AppError("invalid", problem);
      return (await addMessage(submit, { ...name, ...sent })).job;
    }),
  );
  onForm(
    "retry",
    act(async (name) => (await retryJob(submit, name)).job),
  );
  onForm(
    "cancel",
    act((name) => cancelJob(submit, name)),
  );
  onForm(
    "archive",
    act((name) => archiveJob(submit, name)),
  );
  onForm(
    "unarchive",
    act((name) => unarchiveJob(submit, name)),
  );
  return routes;
}

async function describeSummaries(parser: MarkdownParser, entries: readonly Entry[]): Promise<Map<number, Html>> {
  const described = new Map<number, Html>();
  const summaries = entries.flatMap((entry) => (entry.kind === "summary" ? [entry] : [])).slice(-MAX_SUMMARIES);
  for (const { seq, text } of summaries) {
    const shown = await describe(parser, text);
    if (shown) described.set(seq, shown);
  }
  return described;
}

/** Links our own pages by path, so that the session remains valid under every host name of the server. */
function pullRequestHref(project: Project, number: number, url: string): string {
  if (project.codeHost === "embedded") return `/${project.slug}/pull/${number}`;
  return /^https?:\/\//.test(url) ? url : "#";
}
