import { z } from "@hono/zod-openapi";
import { amount, id, Line, orNull, paramsOf, timestamp } from "#kit/http/schemas.ts";
import { DEPLOYMENT_STATES, KeptReport, type Deployment } from "./deployment.ts";
import type { SitePin } from "#features/projects/project.ts";

const ID_EXAMPLE = "dep_01m83zm717e389j4ffzvxajn4k";
export const DeploymentParams = paramsOf("the deployment", ID_EXAMPLE);

const commit = z
  .string()
  .openapi({ description: "Id of the commit.", example: "4f2a9c1b7d0e5a3c8f6b2d1e9a7c4b0f3d5e8a21" });

export const PinBody = z
  .object({
    commit,
    at: timestamp.openapi({ description: "Date and time when the site was pinned." }),
    by: z.string().openapi({ description: "Name of the API key or command that pinned the site." }),
  })
  .openapi("SitePin");

export const CurrentPinBody = z
  .object({
    pin: orNull(PinBody).openapi({ description: "Pin of the site. `null` if the site follows its branch." }),
  })
  .openapi("CurrentSitePin");

export const DeploymentBody = z
  .object({
    id: id("the deployment", ID_EXAMPLE),
    number: z
      .number()
      .int()
      .min(1)
      .openapi({ description: "Number of the deployment, counted from 1 in each project." }),
    commit,
    branch: z.string().openapi({ description: "Branch of the site at the time of the deployment." }),
    subject: z.string().openapi({ description: "First line of the commit message." }),
    author: z.string().openapi({ description: "Author of the commit." }),
    authoredAt: timestamp.openapi({ description: "Date and time when the commit was written." }),
    noticedAt: timestamp.openapi({
      description: "Date and time when the server detected that the commit is the newest of the branch.",
    }),
    liveAt: timestamp
      .nullable()
      .openapi({ description: "Date and time when readers could first see the deployment. `null` if never." }),
    liveAfterMs: z.number().int().nullable().openapi({
      description:
        "Milliseconds from the arrival of the push at the server to `liveAt`. `null` if the server did not observe the push or `liveAt` is `null`.",
    }),
    live: z.boolean().openapi({ description: "Whether readers currently see the deployment." }),
    state: z.enum(DEPLOYMENT_STATES).openapi({
      description:
        "State of the deployment. `loading`: the server is reading the pages for the first time. `ready`: the pages can be shown. `failed`: the deployment cannot be shown, and readers keep seeing the previous one. `skipped`: a newer commit came before the pages were read.",
    }),
    trouble: z.string().nullable().openapi({ description: "Reason for the state `failed`. `null` in other states." }),
    pages: amount.nullable().openapi({ description: "Number of pages. `null` if the pages have not been read yet." }),
    errors: amount.nullable().openapi({ description: "Number of errors in the report. `null` if there is no report." }),
    warnings: amount
      .nullable()
      .openapi({ description: "Number of warnings in the report. `null` if there is no report." }),
  })
  .openapi("Deployment");

export const DeploymentWithReportBody = DeploymentBody.extend({
  report: KeptReport.nullable().openapi({
    description: "Report on problems of the deployment. `null` if there is no report yet.",
  }),
}).openapi("DeploymentWithReport");

export const NewPinBody = z
  .strictObject({
    commit: Line(40).openapi({
      description:
        "Id of a commit in the branch's history or of a deployment, in full or shortened to 7 or more digits.",
      minLength: 7,
      pattern: "^[0-9A-Fa-f]{7,40}$",
      example: "4f2a9c1",
    }),
  })
  .openapi("NewSitePin");

/** A deployment in the API and in `--json`. `liveId`: the live one. */
export function deploymentToJson(deployment: Deployment, liveId: string | null) {
  const { id, number, commit, branch, subject, author, state, trouble, pages, errors, warnings } = deployment;
  const { authoredAt, pushedAt, noticedAt, liveAt } = deployment;
  return {
    id,
    number,
    commit,
    branch,
    subject,
    author,
    authoredAt: authoredAt.toISOString(),
    noticedAt: noticedAt.toISOString(),
    liveAt: liveAt?.toISOString() ?? null,
    /**
     * The time from the push to going live; null when the push was not seen, or the deployment did not go live
     * immediately.
     */
    liveAfterMs: pushedAt && liveAt ? liveAt.getTime() - pushedAt.getTime() : null,
    live: id === liveId,
    state,
    trouble,
    pages,
    errors,
    warnings,
  };
}

export const pinToJson = ({ commit, at, by }: SitePin) => ({ commit, at: at.toISOString(), by });
