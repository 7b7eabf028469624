import { type ModelMessage, modelMessageSchema } from "ai";
import { z } from "zod";

export type { JSONSchema7, LanguageModelV4 } from "@ai-sdk/provider";
export type { ModelMessage } from "ai";

export type UserContent = Extract<ModelMessage, { role: "user" }>["content"];
type UserPart = Exclude<UserContent, string>[number];
type ImagePart = Extract<UserPart, { type: "file" }>;

const PLACE = "attachment:";

/** A reference to an image; stored conversations contain no image content. */
export const imageAt = (place: string, mediaType: string): ImagePart => ({
  type: "file",
  mediaType,
  data: PLACE + place,
});

/** The place of an image; null for any other part. */
const placeOf = (part: UserPart): string | null =>
  part.type === "file" && typeof part.data === "string" && part.data.startsWith(PLACE)
    ? part.data.slice(PLACE.length)
    : null;

/** The number of images in a message. */
export const imagesIn = ({ role, content }: ModelMessage): number =>
  role === "user" && typeof content !== "string" ? content.filter((part) => placeOf(part) !== null).length : 0;

/** The messages to send: each image reference replaced by its content, or by a text if the content is gone. */
export async function withImages(
  messages: readonly ModelMessage[],
  read: (place: string) => Promise<Uint8Array | string>,
): Promise<ModelMessage[]> {
  const filled = async (part: UserPart): Promise<UserPart> => {
    const place = placeOf(part);
    if (place === null || part.type !== "file") return part;
    const content = await read(place);
    if (typeof content === "string") return { type: "text", text: content };
    return { ...part, data: Buffer.from(content).toString("base64") };
  };
  return Promise.all(
    messages.map(async (message) => {
      if (message.role !== "user" || typeof message.content === "string") return message;
      return { ...message, content: await Promise.all(message.content.map(filled)) };
    }),
  );
}

const Messages = z.array(modelMessageSchema);

/** Reads messages stored as JSON text; throws when they are not messages. */
export function parseMessages(json: string): ModelMessage[] {
  return Messages.parse(JSON.parse(json));
}

/** The same messages after a round trip through JSON: no `undefined`, no class instances. */
export function toStorable(messages: readonly ModelMessage[]): ModelMessage[] {
  return parseMessages(JSON.stringify(messages));
}
