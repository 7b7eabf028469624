import type { Context, MiddlewareHandler } from "hono";
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
import { html, type Html } from "#kit/pages/markup.ts";
import { limitedForm } from "#kit/pages/send-page.ts";
import { AppError } from "#lib/app-error.ts";

const FIELD = "image";
const isUpload = (c: Context) => (c.req.header("content-type") ?? "").startsWith("multipart/");

/** `limitedForm` for one that may have images besides. */
export function limitedImageForm(maxBytes: number): MiddlewareHandler {
  const [plain, upload] = [limitedForm(maxBytes), limitedForm(maxBytes + MAX_ATTACHED_BYTES)];
  return (c, next) => (isUpload(c) ? upload : plain)(c, next);
}

/** The field for images of an instruction; the script shows them, and takes what is pasted or dropped. */
export const imageField = (): Html =>
  html`<div class="images" data-images data-max-images="${MAX_ATTACHMENTS}" data-max-image-bytes="${MAX_ATTACHMENT_BYTES}" data-max-all-bytes="${MAX_ATTACHED_BYTES}">
    <label class="add-images"><span>Add images</span> <input type="file" name="${FIELD}" accept="${IMAGE_TYPES.join()}" multiple /></label>
    <small title="${ATTACHMENT_LIMITS}">or paste or drop them here. The model sees them with the instruction.</small>
    <ul hidden></ul>
    <p class="problem" role="alert" hidden></p>
  </div>`;

const CHOOSE_AGAIN = "Choose the images again, or leave them out.";

/** The images that a form was sent with. `AppError invalid`. */
export async function imagesInForm(c: Context): Promise<Attachment[]> {
  if (!isUpload(c)) return [];
  const form = await c.req.formData();
  // A browser sends an empty, nameless file for a field where none was chosen.
  const files = form.getAll(FIELD).filter((file) => file instanceof File && file.name !== "") as File[];
  const problem = attachmentsProblem(files.map(({ size }) => size));
  if (problem !== null) throw new AppError("invalid", `The instruction ${problem}. ${CHOOSE_AGAIN}`);
  return Promise.all(
    files.map(async (file) => {
      const content = new Uint8Array(await file.arrayBuffer());
      const mediaType = imageTypeOf(content);
      if (mediaType === null)
        throw new AppError(
          "invalid",
          `“${file.name.slice(0, 100)}” is not a PNG, JPEG, WebP or GIF image. ${CHOOSE_AGAIN}`,
        );
      return { mediaType, content };
    }),
  );
}

/** The problem of a refused form. The page that is shown again cannot hold the files that a browser sent. */
export async function problemWithImages(c: Context, problem: string): Promise<string> {
  // Images that are refused themselves have said so.
  const lost = await imagesInForm(c).catch(() => []);
  return lost.length > 0 ? `${problem} ${CHOOSE_AGAIN}` : problem;
}

/** An image as a reader of the job gets it: its type was found in its content, and nothing in it is run. */
export function sendImage(c: Context, { mediaType, content }: Attachment): Response {
  c.header("Content-Type", mediaType);
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Content-Security-Policy", "default-src 'none'; sandbox");
  // Asked for again each time: a person who lost their role must not see it any longer.
  c.header("Cache-Control", "private, no-cache");
  return c.body(Uint8Array.from(content).buffer);
}
