import type { BudgetLeft, Spent, TurnBudget } from "#agent/budget.ts";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { Claim } from "./queue.ts";

/** The budgets of a turn and of all jobs of a project together per day in UTC. */
export interface Budgets {
  turn: TurnBudget;
  day: TurnBudget;
}

interface Used {
  weighted_tokens: number;
  output_tokens: number;
  cost_micro_usd: number;
}

const NOTHING_USED: Used = { weighted_tokens: 0, output_tokens: 0, cost_micro_usd: 0 };

/** The day in UTC to which usage at a time is counted. */
export const spendingDay = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Adds the usage of model calls to the turn and to the project's day, in the caller's transaction. */
export async function addSpending(
  transaction: DatabaseTransaction,
  claim: Claim,
  { turn, spent, at }: { turn: number; spent: Spent; at: number },
): Promise<void> {
  const { weightedTokens, usage, costMicroUsd } = spent;
  await transaction
    .updateTable("job_turn")
    .set((expression) => ({
      weighted_tokens: expression("weighted_tokens", "+", weightedTokens),
      output_tokens: expression("output_tokens", "+", usage.outputTokens),
      cost_micro_usd: expression("cost_micro_usd", "+", costMicroUsd),
    }))
    .where("job_id", "=", claim.jobId)
    .where("turn", "=", turn)
    .execute();
  await transaction
    .insertInto("project_spending")
    .values({
      project_id: claim.job.projectId,
      day: spendingDay(at),
      weighted_tokens: weightedTokens,
      output_tokens: usage.outputTokens,
      cost_micro_usd: costMicroUsd,
    })
    .onConflict((conflict) =>
      conflict.columns(["project_id", "day"]).doUpdateSet((expression) => ({
        weighted_tokens: expression("project_spending.weighted_tokens", "+", weightedTokens),
        output_tokens: expression("project_spending.output_tokens", "+", usage.outputTokens),
        cost_micro_usd: expression("project_spending.cost_micro_usd", "+", costMicroUsd),
      })),
    )
    .execute();
}

/** What a turn may still use: the rest of its own budget or of the project's day, whichever is less. */
export async function readBudgetLeft(
  { database, clock }: { database: Database; clock: Clock },
  claim: Claim,
  { turn, budgets }: { turn: number; budgets: Budgets },
): Promise<BudgetLeft> {
  const { kysely } = database;
  const byTurn = left(budgets.turn, await usedInTurn(kysely, claim, turn));
  const byDay = left(budgets.day, await usedOnDay(kysely, claim, spendingDay(clock.now().getTime())));
  const cost = [byTurn.costMicroUsd, byDay.costMicroUsd].filter((value) => value !== null);
  const least: TurnBudget = {
    inputTokens: Math.min(byTurn.inputTokens, byDay.inputTokens),
    outputTokens: Math.min(byTurn.outputTokens, byDay.outputTokens),
    costMicroUsd: cost.length === 0 ? null : Math.min(...cost),
  };
  const isDay =
    least.inputTokens < byTurn.inputTokens ||
    least.outputTokens < byTurn.outputTokens ||
    least.costMicroUsd !== byTurn.costMicroUsd;
  return { ...least, isDay };
}

const left = (budget: TurnBudget, used: Used): TurnBudget => ({
  inputTokens: budget.inputTokens - used.weighted_tokens,
  outputTokens: budget.outputTokens - used.output_tokens,
  costMicroUsd: budget.costMicroUsd === null ? null : budget.costMicroUsd - used.cost_micro_usd,
});

async function usedInTurn(queryable: Queryable, claim: Claim, turn: number): Promise<Used> {
  const row = await queryable
    .selectFrom("job_turn")
    .select(["weighted_tokens", "output_tokens", "cost_micro_usd"])
    .where("job_id", "=", claim.jobId)
    .where("turn", "=", turn)
    .executeTakeFirst();
  return row ?? NOTHING_USED;
}

async function usedOnDay(queryable: Queryable, claim: Claim, day: string): Promise<Used> {
  const row = await queryable
    .selectFrom("project_spending")
    .select(["weighted_tokens", "output_tokens", "cost_micro_usd"])
    .where("project_id", "=", claim.job.projectId)
    .where("day", "=", day)
    .executeTakeFirst();
  return row ?? NOTHING_USED;
}
