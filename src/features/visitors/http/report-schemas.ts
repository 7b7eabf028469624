import { z } from "@hono/zod-openapi";
import { surfaces, type Surface } from "#features/visitors/facts.ts";
import { type Exclusion, exclusions } from "#features/visitors/clients/rules.ts";
import { MAX_SERIES_DAYS } from "#features/visitors/reports/series.ts";
import { RangeQuery } from "./schemas.ts";
import { amount } from "#kit/http/schemas.ts";

/** Rows of a report that has no pages: more items than this are not told apart. */
const MAX_REPORT_ROWS = 10_000;
const namesOf = <Name extends string>(names: Record<Name, number>) => Object.keys(names) as [Name, ...Name[]];

export const DaysQuery = RangeQuery.pick({ dateFrom: true, dateTo: true });

const day = (description: string) =>
  z.string().openapi({ description, pattern: "^\\d{4}-\\d{2}-\\d{2}$", example: "2026-11-20" });
const human = amount.openapi({ description: "Views by people." });
const ai = amount.openapi({ description: "Views by AI assistants and agents." });
const other = amount.openapi({ description: "Views that count in neither." });

const Counts = (of: string) =>
  z.object({
    human: amount.openapi({ description: `${of} that are people.` }),
    ai: amount.openapi({ description: `${of} that are AI assistants and agents.` }),
    total: amount.openapi({ description: "Both." }),
  });

export const SeriesBody = z
  .object({
    days: z
      .array(
        z.object({
          day: day("The UTC day."),
          visitors: Counts("Visitors of the day").openapi({ description: "Unique visitors of the day." }),
          views: Counts("Views").openapi({ description: "Views of the day." }),
        }),
      )
      .max(MAX_SERIES_DAYS)
      .openapi({ description: "Each day of the range, oldest first; days without views are zeros." }),
  })
  .openapi("Series");

export const AgentsBody = z
  .object({
    agents: z
      .array(
        z.object({
          name: z.string().openapi({ description: "The product, as it names itself." }),
          operator: z.string().nullable().openapi({ description: "Who runs it; null where that is not known." }),
          category: z
            .enum(["assistant", "search", "training", "other_bot", "browser", "http_client"])
            .openapi({ description: "What it reads for." }),
          human,
          ai,
          other,
          verified: amount.openapi({ description: "Of its views, those that prove that it is the operator's." }),
          spoofed: amount.openapi({ description: "Of its views, those that prove that it is not." }),
          unverified: amount.openapi({
            description:
              "Of its views, those from an address that no list of the operator's has, while the list was old. They count.",
          }),
          lastSeen: day("The last day with a view of it."),
        }),
      )
      .max(MAX_REPORT_ROWS)
      .openapi({ description: "Clients other than browsers, by views." }),
  })
  .openapi("Agents");

export const SurfacesBody = z
  .object({
    surfaces: z
      .array(z.object({ surface: z.enum(namesOf<Surface>(surfaces)).openapi({ description: "The form." }), human, ai }))
      .openapi({ description: "Every form in which the content is read." }),
  })
  .openapi("Surfaces");

export const ReferrersBody = z
  .object({
    referrers: z
      .array(
        z.object({
          referrer: z
            .string()
            .nullable()
            .openapi({ description: "The host, without `www.`; null of views that came from nowhere." }),
          human,
          ai,
        }),
      )
      .max(MAX_REPORT_ROWS)
      .openapi({ description: "Referring hosts, by views." }),
  })
  .openapi("Referrers");

export const MissingBody = z
  .object({
    missing: z
      .array(
        z.object({
          path: z.string().openapi({ description: "What was asked for." }),
          ai,
          other: amount.openapi({ description: "How often anybody else asked for it." }),
          lastSeen: day("The last day on which it was asked for."),
        }),
      )
      .max(MAX_REPORT_ROWS)
      .openapi({ description: "Paths without a page, the most wanted first." }),
  })
  .openapi("MissingPages");

export const NotCountedBody = z
  .object({
    notCounted: z
      .array(
        z.object({
          reason: z.enum(namesOf<Exclusion>(exclusions)).openapi({ description: "Why; branch on this." }),
          explanation: z.string().openapi({ description: "The same for a person." }),
          views: amount.openapi({ description: "How many views." }),
        }),
      )
      .openapi({ description: "Reasons with views in the range, the most frequent first." }),
  })
  .openapi("NotCounted");
