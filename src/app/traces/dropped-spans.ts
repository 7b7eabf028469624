import { createMeasure } from "#lib/measure.ts";

/** Spans that were not sent. */
export const droppedSpans = createMeasure<{ count: number }>("dropped spans");
