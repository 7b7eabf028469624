import type { Page } from "playwright-core";

/** A PNG as WebP of at most so many bytes, with a thin line around it: with less quality where it has to be. `page` is blank. */
export async function toWebp(page: Page, png: Buffer, maxBytes: number): Promise<Buffer> {
  for (const quality of [0.9, 0.8, 0.7, 0.6, 0.5]) {
    const encoded = await page.evaluate<string>(`(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${png.toString("base64")}";
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      context.strokeStyle = "#c3ccd2";
      context.lineWidth = 2;
      context.strokeRect(0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/webp", ${quality});
    })()`);
    const webp = Buffer.from(encoded.split(",")[1] ?? "", "base64");
    if (webp.length <= maxBytes) return webp;
  }
  throw new Error(`A picture has more than ${maxBytes} bytes at any quality. Show a smaller screen.`);
}
