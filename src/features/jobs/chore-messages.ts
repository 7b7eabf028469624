import { backticksAround } from "#lib/backticks.ts";
import { imageAt, type UserContent } from "#models/message.ts";
import type { KeptAttachment } from "./attachments.ts";
import { type CalledChore, entryOf } from "#agent/toolbox/chore-calls.ts";

/** A stored message. If it has chores, they are the instruction, and the prompt only explains them to people. */
export interface Instruction {
  seq: number;
  prompt: string;
  chores: readonly CalledChore[] | null;
  /** Chores that an earlier version stored with a mask in place of a credential; they are not run. */
  wereRedacted?: boolean;
  /** Images attached to the message. */
  attachments: readonly KeptAttachment[];
}

/** The message as a language model receives it: with its images, each by its place in the store. */
export function modelInputOf(message: Instruction): UserContent {
  const text = conversationTextOf(message);
  if (message.attachments.length === 0 || message.chores) return text;
  const images = message.attachments.map(({ mediaType }, index) => imageAt(`${message.seq}/${index + 1}`, mediaType));
  return [{ type: "text", text }, ...images];
}

/** The text of the message in the conversation, with chores in the exact form that the built-in rules and models read. */
export function conversationTextOf({ prompt, chores }: Pick<Instruction, "prompt" | "chores">): string {
  if (!chores) return prompt;
  const entries = chores.map((call) => `- ${JSON.stringify(entryOf(call))}`);
  const fence = backticksAround(entries.join("\n"), 3);
  return [`${fence}chores`, ...entries, fence].join("\n");
}

/** The words of a request, by which the gate judges whether a deletion was requested. */
export const requestWordsOf = ({ prompt, chores }: Instruction): string =>
  [prompt, ...(chores ?? []).map(({ tool }) => tool.replaceAll("_", " "))].join("\n");

/** The messages that a language model may receive while it works: chores need a turn of their own. */
export function beforeChores(messages: readonly Instruction[]): Instruction[] {
  const end = messages.findIndex(({ chores }) => chores !== null);
  return end === -1 ? [...messages] : messages.slice(0, end);
}
