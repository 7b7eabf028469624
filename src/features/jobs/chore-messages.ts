import { z } from "zod";
import { imageAt, type UserContent } from "#models/message.ts";
import type { KeptAttachment } from "./attachments.ts";
import { type CalledChore, entryOf } from "#agent/toolbox/chore-calls.ts";

/** A message as it is stored: with chores they are the instruction, and the prompt says to people what they are for. */
export interface Instruction {
  seq: number;
  prompt: string;
  chores: readonly CalledChore[] | null;
  /** Images that came with it. */
  attachments: readonly KeptAttachment[];
}

/** What a language model is told: with the images that came with the message, by their place in the store. */
export function toldIn(message: Instruction): UserContent {
  const text = saidIn(message);
  if (message.attachments.length === 0 || message.chores) return text;
  const images = message.attachments.map(({ mediaType }, index) => imageAt(`${message.seq}/${index + 1}`, mediaType));
  return [{ type: "text", text }, ...images];
}

const Stored = z.array(z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) }));

/** `chores` of a stored message. */
export const readChores = (stored: string | null): CalledChore[] | null =>
  stored === null ? null : Stored.parse(JSON.parse(stored));

/** What stands in the conversation: the exact form that the built-in rules and models read. */
export function saidIn({ prompt, chores }: Pick<Instruction, "prompt" | "chores">): string {
  if (!chores) return prompt;
  const entries = chores.map((call) => `- ${JSON.stringify(entryOf(call))}`);
  const fence = "`".repeat(Math.max(3, ...(entries.join("\n").match(/`+/g) ?? []).map((run) => run.length + 1)));
  return [`${fence}chores`, ...entries, fence].join("\n");
}

/** Words that say what was asked for, for who judges whether a deletion was. */
export const askedIn = ({ prompt, chores }: Instruction): string =>
  [prompt, ...(chores ?? []).map(({ tool }) => tool.replaceAll("_", " "))].join("\n");

/** The messages that a language model may be told while it works: chores are a turn of their own. */
export function untilChores(messages: readonly Instruction[]): Instruction[] {
  const end = messages.findIndex(({ chores }) => chores !== null);
  return end === -1 ? [...messages] : messages.slice(0, end);
}
