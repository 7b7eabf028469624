import { createActivity } from "#lib/activity.ts";

/** Parts of a turn besides the calls of its model and tools. */
export const turnStages = createActivity<{
  stage: "prepare" | "check" | "publish" | "sub-task";
  /** Findings of a check. */
  errors?: number;
  warnings?: number;
}>("turn stage");
