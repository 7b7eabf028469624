import type { ClientFacts } from "./classify.ts";

/** Editors on Electron, by the word in the user agents of their windows. Most are made from Visual Studio Code. */
const EDITORS: readonly (readonly [word: string, name: string, operator: string])[] = [
  ["Code", "Visual Studio Code", "Microsoft"],
  ["Cursor", "Cursor", "Anysphere"],
  ["Windsurf", "Windsurf", "Cognition"],
  ["Antigravity", "Antigravity", "Google"],
  ["Kiro", "Kiro", "Amazon"],
  ["Trae", "Trae", "ByteDance"],
];
const UNNAMED_EDITOR = "Editor";

/**
 * Whether a request is of an editor's fetch tool, which reads pages for the editor's agent in a window that nobody sees:
 * such a window sends DNT and GPC (Visual Studio Code 1.105: `WebPageLoader`), and Electron by itself sends neither, so
 * that a person's page inside an editor is none.
 */
export const isEditorFetch = ({ userAgent, isPrivate }: { userAgent: string; isPrivate: boolean }): boolean =>
  isPrivate && userAgent.includes(" Electron/");

/** Who such a tool is. */
export function editorFacts(userAgent: string): ClientFacts {
  const [, product = UNNAMED_EDITOR, operator = null] = EDITORS.find(([word]) => userAgent.includes(` ${word}/`)) ?? [];
  return { category: "assistant", product, operator, keyProduct: product, reason: "an editor's fetch tool" };
}

/** Every product that `editorFacts` can give. */
export const editorProducts = (): string[] => [...EDITORS.map(([, name]) => name), UNNAMED_EDITOR];
