import { expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { AgentJob, AgentJobEvent, NewAgentJob, VisitorsPage } from "#client/answers.ts";
import type { VisitorsBody } from "#features/visitors/http/schemas.ts";
import type { EventBody } from "#features/jobs/http/event-bodies.ts";
import type { AgentJobBody, NewJobBody } from "#features/jobs/http/schemas.ts";

it("the client's types match the schemas that validate requests", () => {
  expectTypeOf<AgentJobBody>().toExtend<AgentJob>();
  expectTypeOf<keyof AgentJob>().toEqualTypeOf<keyof AgentJobBody>();
  // Chores are validated one by one: the schema accepts anything, and the client's type lists the chores.
  expectTypeOf<NewAgentJob>().toExtend<z.input<typeof NewJobBody>>();
  expectTypeOf<keyof NewAgentJob>().toEqualTypeOf<keyof z.input<typeof NewJobBody>>();
  expectTypeOf<z.infer<typeof VisitorsBody>>().toExtend<VisitorsPage>();
  expectTypeOf<VisitorsPage>().toExtend<z.infer<typeof VisitorsBody>>();
  expectTypeOf<z.infer<typeof EventBody>["seq"]>().toEqualTypeOf<AgentJobEvent["seq"]>();
});
