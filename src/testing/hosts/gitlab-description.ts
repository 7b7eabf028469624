import type {
  AcceptMergeRequestOptions,
  AllMergeRequestsOptions,
  CreateMergeRequestOptions,
  EditMergeRequestOptions,
  EditPipelineStatusOptions,
} from "@gitbeaker/rest";
import { z } from "zod";
import type { DescriptionCheck } from "./host-description.ts";

// GitLab's own API description is in no package, so gitbeaker's types replace it: the compiler rejects a field below
// that they do not have, or of another type.

type Snake<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : "";
type Snaked<Options> = { [Name in keyof Options & string as Snake<Name>]: Exclude<Options[Name], undefined> };
type Fields<Options> = { [Name in keyof Snaked<Options>]?: z.ZodType<Snaked<Options>[Name]> };

const fieldsOf = <Options>(fields: Fields<Options>) => z.strictObject(fields as Record<string, z.ZodType>).partial();

const text = z.string();
const PROJECT = /^\/api\/v4\/projects\/[^/]+/.source;
const OPERATIONS: readonly { method: string; path: RegExp; required?: string[]; fields: z.ZodType }[] = [
  {
    method: "GET",
    path: new RegExp(`${PROJECT}/merge_requests$`),
    fields: fieldsOf<AllMergeRequestsOptions & { page: string; perPage: string }>({
      source_branch: text,
      // gitbeaker's types lack GitLab's default value.
      state: z.enum(["opened", "closed", "locked", "merged"]).or(z.literal("all" as "opened")),
      order_by: z.enum(["created_at", "updated_at"]),
      sort: z.enum(["asc", "desc"]),
      updated_after: text,
      page: text,
      per_page: text,
    }),
  },
  {
    method: "POST",
    path: new RegExp(`${PROJECT}/merge_requests$`),
    required: ["source_branch", "target_branch", "title"],
    fields: fieldsOf<CreateMergeRequestOptions & { sourceBranch: string; targetBranch: string }>({
      source_branch: text,
      target_branch: text,
      title: text,
      description: text,
      remove_source_branch: z.boolean(),
      squash: z.boolean(),
    }),
  },
  {
    method: "PUT",
    path: new RegExp(`${PROJECT}/merge_requests/\\d+$`),
    fields: fieldsOf<EditMergeRequestOptions>({
      title: text,
      description: text,
      state_event: z.enum(["close", "reopen"]),
      target_branch: text,
    }),
  },
  {
    method: "PUT",
    path: new RegExp(`${PROJECT}/merge_requests/\\d+/merge$`),
    fields: fieldsOf<AcceptMergeRequestOptions>({
      sha: text,
      squash: z.boolean(),
      squash_commit_message: text,
      merge_commit_message: text,
      should_remove_source_branch: z.boolean(),
    }),
  },
  {
    method: "POST",
    path: new RegExp(`${PROJECT}/statuses/[0-9a-f]{40}$`),
    required: ["state"],
    fields: fieldsOf<EditPipelineStatusOptions & { state: string }>({
      state: z.enum(["pending", "running", "success", "failed", "canceled", "skipped"]),
      ref: text,
      name: text,
      context: text,
      target_url: text,
      description: text.max(255),
    }),
  },
];

/** Checks the requests above; others pass unchecked. */
export const gitlabCheck: DescriptionCheck = {
  request({ method, url, body }) {
    const operation = OPERATIONS.find((one) => one.method === method && one.path.test(url.pathname));
    if (!operation) return null;
    const given: unknown = method === "GET" ? Object.fromEntries(url.searchParams) : JSON.parse(body || "{}");
    const read = operation.fields.safeParse(given);
    const missing = operation.required?.filter((name) => !(name in (given as object))) ?? [];
    if (read.success && missing.length === 0) return null;
    const words = read.success ? `${missing.join(", ")} is missing` : z.prettifyError(read.error).replaceAll("\n", " ");
    return `${method} ${url.pathname}: ${words}`;
  },
  // The compiler checks responses.
  answer: () => null,
};

/**
 * The named properties of a type, without `[name: string]: unknown`, all optional: for the partial responses of a fake.
 */
export type PartOf<Answer> = {
  [Name in keyof Answer as string extends Name ? never : Name]?: Answer[Name];
};
