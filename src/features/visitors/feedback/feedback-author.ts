import { type AgentList, builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { type Classify, createClassifier } from "#features/visitors/clients/classify.ts";

/** Who says something of a page: a reader at the page itself, or a program. `keyProduct` is its part of the voter number. */
export interface FeedbackAuthor {
  author: "reader" | "agent";
  keyProduct: string;
}

export interface FeedbackSender {
  userAgent: string;
  signatureAgent: string | null;
  /** A browser says that the page of the site itself sent it. */
  isOwnPage: boolean;
  /** The page's script says that a program drives the browser. */
  isAutomated: boolean;
}

/** Tells readers from agents, by the list in use; null for crawlers, which have nothing to say. */
export function createAuthorFinder({ agents = () => builtInAgents }: { agents?(): AgentList }) {
  let list: AgentList | null = null;
  let classify: Classify;
  return ({ userAgent, signatureAgent, isOwnPage, isAutomated }: FeedbackSender): FeedbackAuthor | null => {
    if (list !== agents()) {
      list = agents();
      classify = createClassifier(list.agents);
    }
    const { category, keyProduct } = classify(userAgent, signatureAgent);
    if (category === "search" || category === "training" || category === "other_bot") return null;
    const isReader = category === "browser" && isOwnPage && !isAutomated;
    return { author: isReader ? "reader" : "agent", keyProduct };
  };
}
