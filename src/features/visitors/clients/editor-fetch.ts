import { knownAgents } from "./agents.ts";
import type { ClientFacts } from "./classify.ts";

/** Known agents that are editors on Electron, by the word in the user agents of their windows. Most are made from Visual Studio Code. */
const EDITORS = new Map([
  ["Code", "Visual Studio Code"],
  ...["Cursor", "Windsurf", "Antigravity", "Kiro", "Trae"].map((name) => [name, name] as const),
]);
/** The product of an editor that is not in `EDITORS`. */
export const UNNAMED_EDITOR = "Editor";

/**
 * Whether a request is of an editor's fetch tool, which reads pages for the editor's agent in a window that nobody sees:
 * such a window sends DNT and GPC (Visual Studio Code 1.105: `WebPageLoader`), and Electron by itself sends neither, so
 * that a person's page inside an editor is none.
 */
export const isEditorFetch = ({ userAgent, isPrivate }: { userAgent: string; isPrivate: boolean }): boolean =>
  isPrivate && userAgent.includes(" Electron/");

/** Who such a tool is. */
export function editorFacts(userAgent: string): ClientFacts {
  const [, product = UNNAMED_EDITOR] = EDITORS.entries().find(([word]) => userAgent.includes(` ${word}/`)) ?? [];
  const operator = knownAgents.find(({ name }) => name === product)?.operator ?? null;
  return { category: "assistant", product, operator, keyProduct: product, reason: "an editor's fetch tool" };
}
