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
    at: timestamp.openapi({ description: "When it was pinned." }),
    by: z.string().openapi({ description: "Name of the API key, or the command." }),
  })
  .openapi("SitePin");

export const CurrentPinBody = z
  .object({
    pin: orNull(PinBody).openapi({ description: "Null while the site follows its branch." }),
  })
  .openapi("CurrentSitePin");

export const DeploymentBody = z
  .object({
    id: id("the deployment", ID_EXAMPLE),
    number: z.number().int().min(1).openapi({ description: "Counts up from 1 in the project." }),
    commit,
    branch: z.string().openapi({ description: "The site's branch at that time." }),
    subject: z.string().openapi({ description: "First line of the commit's message." }),
    author: z.string().openapi({ description: "Who wrote the commit." }),
    authoredAt: timestamp.openapi({ description: "When it was written." }),
    noticedAt: timestamp.openapi({ description: "When the server saw that it is the newest." }),
    liveAt: timestamp.nullable().openapi({ description: "When readers first could see it." }),
    liveAfterMs: z.number().int().nullable().openapi({
      description: "From the arrival of the push here to `liveAt`, in milliseconds; null when the push was not seen.",
    }),
    live: z.boolean().openapi({ description: "Whether readers see it now." }),
    state: z.enum(DEPLOYMENT_STATES).openapi({
      description:
        "`loading`: its pages are read for the first time; `ready`: they can be shown; `failed`: it cannot be shown, and readers keep what they had; `skipped`: a newer commit came first.",
    }),
    trouble: z.string().nullable().openapi({ description: "Why it is `failed`." }),
    pages: amount.nullable().openapi({ description: "How many pages it has; null until they were read." }),
    errors: amount.nullable().openapi({ description: "Findings of its report; null while there is none." }),
    warnings: amount.nullable().openapi({ description: "Lesser findings of its report; null while there is none." }),
  })
  .openapi("Deployment");

export const DeploymentWithReportBody = DeploymentBody.extend({
  report: KeptReport.nullable().openapi({ description: "What is wrong with it; null while that is looked for." }),
}).openapi("DeploymentWithReport");

export const NewPinBody = z
  .strictObject({
    commit: Line(40).openapi({
      description: "Of the branch's history or of a deployment: its id, or 7 or more digits of it.",
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
