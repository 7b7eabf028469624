import { z } from "@hono/zod-openapi";
import type { Attached } from "#kit/http/json-body.ts";
import {
  ATTACHMENT_LIMITS,
  type Attachment,
  attachmentsProblem,
  IMAGE_TYPES,
  imageTypeOf,
  MAX_ATTACHED_BYTES,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
} from "#features/jobs/attachments.ts";

const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;
// Not a regular expression: on several megabytes of text it overflows the stack of V8.
const isBase64 = (text: string) => Buffer.from(text, "base64").toString("base64") === text;
const bytesIn = (base64: string) =>
  (base64.length / 4) * 3 - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);

const AttachmentBody = z
  .object({
    mediaType: z
      .enum(IMAGE_TYPES, `must be ${IMAGE_TYPES.slice(0, -1).join(", ")} or ${IMAGE_TYPES.at(-1)}`)
      .openapi({ description: "Media type of the image." }),
    data: z
      .string("must be a string in base64")
      .min(4, "must not be empty")
      .refine(isBase64, "must be base64, without a data: prefix")
      .openapi({
        pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
        description: "Content of the image in base64.",
        maxLength: base64Length(MAX_ATTACHMENT_BYTES),
        example: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      }),
  })
  .openapi("Attachment", { description: "Image attached to a message." });

export const Attachments = z
  .array(AttachmentBody, "must be a list")
  .superRefine((attachments, context) => {
    const problem = attachmentsProblem(attachments.map(({ data }) => bytesIn(data)));
    if (problem !== null) return context.addIssue({ code: "custom", message: problem });
    for (const [index, { data }] of attachments.entries()) {
      if (imageTypeOf(Buffer.from(data.slice(0, 24), "base64")) !== null) continue;
      context.addIssue({ code: "custom", path: [index, "data"], message: "is not a PNG, JPEG, WebP or GIF image" });
    }
  })
  .openapi({
    maxItems: MAX_ATTACHMENTS,
    description: `Images that the model sees with the prompt: ${ATTACHMENT_LIMITS}. If the model cannot see images, the server tells the model that there were images, and notes it in the transcript.`,
  });

/** The attachments of a body, ready to be stored. The media type is derived from the content, not from the stated type. */
export const attachmentsOf = (given: z.output<typeof Attachments> | undefined): Attachment[] =>
  (given ?? []).map(({ mediaType, data }) => {
    const content = Buffer.from(data, "base64");
    return { mediaType: imageTypeOf(content) ?? mediaType, content };
  });

/** Attachments do not count against the ordinary size limit of a request. */
export const ATTACHED: Attached = {
  maxBytes: base64Length(MAX_ATTACHED_BYTES),
  sizeOf(body) {
    const { attachments } = body as { attachments?: unknown };
    if (!Array.isArray(attachments)) return 0;
    const lengths = attachments.map((each: unknown) => {
      const data = typeof each === "object" && each !== null && "data" in each ? each.data : null;
      return typeof data === "string" ? data.length : 0;
    });
    return lengths.reduce((sum, length) => sum + length, 0);
  },
  words: `, not counting images of up to ${MAX_ATTACHED_BYTES / 1024 / 1024} MB`,
};
