import type { Logger } from "#lib/logger.ts";
import { READINESS_ADVICE } from "./readiness.ts";
import { RENDERING_STARTS } from "./render-check.ts";

/**
 * Logs why the process is not ready, once per change of the reasons, and that it is ready again. Load balancers ask every few
 * seconds, and show nobody what they were answered.
 */
export function loggingChanges(reasonsNotReady: () => Promise<string[]>, logger: Logger): () => Promise<string[]> {
  let said: readonly string[] = [];
  return async () => {
    const reasons = await reasonsNotReady();
    const news = reasons.filter((reason) => reason !== RENDERING_STARTS); // a moment of each start
    if (news.join("\n") !== said.join("\n")) {
      said = news;
      if (news.length === 0) logger.info("the server is ready again");
      else
        logger.error(
          { reasons: news, advice: news.flatMap((reason) => READINESS_ADVICE[reason] ?? []) },
          "the server is not ready: /ready answers 503, and load balancers send it no requests",
        );
    }
    return reasons;
  };
}
