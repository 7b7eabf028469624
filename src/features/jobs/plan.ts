import { z } from "zod";

/** What a dry run would have published: how many files of each kind, and the first of them. */
export interface Plan {
  added: number;
  modified: number;
  removed: number;
  /** At most 200 paths, in order. */
  paths: string[];
}

export const StoredPlan = z.object({
  added: z.number(),
  modified: z.number(),
  removed: z.number(),
  paths: z.array(z.string()),
}) satisfies z.ZodType<Plan>;
