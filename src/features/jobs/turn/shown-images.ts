import { countedImages, readAttachments } from "#features/jobs/attachments.ts";
import type { Instruction } from "#features/jobs/chore-messages.ts";
import type { JobEventData } from "#features/jobs/events.ts";
import type { Database } from "#db/database.ts";
import type { JobId } from "#lib/ids.ts";
import { type ModelMessage, withImages } from "#models/message.ts";
import type { ResolvedModel } from "#models/model.ts";

/** The transcript's notice about images in messages that the model cannot see. */
export function imagesLeftOut(model: ResolvedModel, messages: readonly Instruction[]): JobEventData[] {
  const count = messages.reduce((sum, { attachments }) => sum + attachments.length, 0);
  if (count === 0 || model.seesImages) return [];
  const why = model.isBuiltin
    ? "the built-in rules do not read images."
    : `${model.name} is not set up to see images. If it can, check "The model can see images" for it on the Models page, or set "images": true for it in the settings of models.`;
  const left = `${countedImages(count)} ${count === 1 ? "was" : "were"} left out`;
  return [{ type: "notice", code: "images_left_out", text: `${left}: ${why}` }];
}

/** Adds the images of a job to the messages for a model. A model that cannot see images gets a note instead. */
export function createImageView(
  { database }: { database: Database },
  { jobId, model }: { jobId: JobId; model: ResolvedModel },
): (messages: readonly ModelMessage[]) => Promise<ModelMessage[]> {
  // Each step sends all images again.
  const read = new Map<number, ReturnType<typeof readAttachments>>();
  return (messages) =>
    withImages(messages, async (place) => {
      if (!model.seesImages) return "(An image came with this message. You cannot see it.)";
      const [seq = 0, number = 0] = place.split("/").map(Number);
      const known = read.get(seq) ?? readAttachments(database.kysely, { jobId, seq });
      read.set(seq, known);
      return (await known)[number - 1]?.content ?? "(An image came with this message. It is not stored any more.)";
    });
}
