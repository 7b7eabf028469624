export interface ImageSize {
  width: number;
  height: number;
}

/** The part of a file that `imageSize` needs: a photograph's metadata may precede its size. */
export const IMAGE_HEAD_BYTES = 256 * 1024;

const MAX_SEGMENTS = 500;

/**
 * Pixel size of a PNG, JPEG, GIF, WebP, AVIF or SVG as a browser shows it, from its first bytes; null when those do not
 * contain it, or a drawing has an aspect ratio but no size. Accepts any bytes.
 */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const tag = (offset: number) => String.fromCharCode(...bytes.subarray(offset, offset + 4));
  if (bytes.length < 26) return sizeOfDrawing(bytes);
  if (view.getUint32(0) === 0x89_50_4e_47) return sizeOf(view.getUint32(16), view.getUint32(20));
  if (tag(0) === "GIF8") return sizeOf(view.getUint16(6, true), view.getUint16(8, true));
  if (view.getUint16(0) === 0xff_d8) return sizeOfJpeg(view);
  if (tag(0) === "RIFF" && tag(8) === "WEBP") return sizeOfWebp(view, tag(12));
  if (tag(4) === "ftyp") return sizeOfAvif(view);
  return sizeOfDrawing(bytes);
}

/** Width divided by height of an image; null when its first bytes do not contain it. */
export function aspectRatio(bytes: Uint8Array): number | null {
  const svg = svgTag(bytes);
  const box =
    svg === null
      ? []
      : attribute(svg, "viewBox")
          .split(/[\s,]+/)
          .map(Number);
  const size = box.length === 4 ? sizeOf(box[2] ?? 0, box[3] ?? 0) : imageSize(bytes);
  return size && size.width / size.height;
}

function sizeOf(width: number, height: number): ImageSize | null {
  return width > 0 && height > 0 && width < 100_000 && height < 100_000 ? { width, height } : null;
}

/** ITU T.81, B.1.1.3: segments with their length; a frame header has the size. Exif may rotate the image. */
function sizeOfJpeg(view: DataView): ImageSize | null {
  let isTurned = false;
  for (let offset = 2, count = 0; offset + 9 < view.byteLength && count < MAX_SEGMENTS; count += 1) {
    if (view.getUint8(offset) !== 0xff) return null;
    const marker = view.getUint8(offset + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [view.getUint16(offset + 5), view.getUint16(offset + 7)];
      return isTurned ? sizeOf(height, width) : sizeOf(width, height);
    }
    const length = view.getUint16(offset + 2);
    if (marker === 0xe1) isTurned ||= isTurnedByExif(view, offset + 4, Math.min(offset + 2 + length, view.byteLength));
    offset += marker === 0xff ? 1 : 2 + Math.max(length, 2);
  }
  return null;
}

/** Exif 2.3, 4.6.4: orientations 5 to 8 are rotated by a quarter. */
function isTurnedByExif(view: DataView, start: number, end: number): boolean {
  if (start + 14 > end || view.getUint32(start) !== 0x45_78_69_66) return false;
  const base = start + 6;
  const little = view.getUint16(base) === 0x49_49;
  const directory = base + view.getUint32(base + 4, little);
  if (directory + 2 > end) return false;
  const entries = Math.min(view.getUint16(directory, little), 100);
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > end) return false;
    if (view.getUint16(entry, little) === 0x01_12) return view.getUint16(entry + 8, little) >= 5;
  }
  return false;
}

/** The three kinds of https://developers.google.com/speed/webp/docs/riff_container. */
function sizeOfWebp(view: DataView, kind: string): ImageSize | null {
  if (view.byteLength < 30) return null;
  if (kind === "VP8 ") return sizeOf(view.getUint16(26, true) & 0x3f_ff, view.getUint16(28, true) & 0x3f_ff);
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return sizeOf((bits & 0x3f_ff) + 1, ((bits >>> 14) & 0x3f_ff) + 1);
  }
  const long = (offset: number) => view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16) + 1;
  return kind === "VP8X" ? sizeOf(long(24), long(27)) : null;
}

const BOX_ISPE = 0x69_73_70_65;
const BOX_IROT = 0x69_72_6f_74;
const AVIF_HEAD = 16 * 1024;

/** ISO 23008-12, 6.5.3: the largest of the images in the file; `irot` rotates it. */
function sizeOfAvif(view: DataView): ImageSize | null {
  let found: ImageSize | null = null;
  let isTurned = false;
  const end = Math.min(view.byteLength, AVIF_HEAD) - 16;
  for (let offset = 8; offset < end; offset += 1) {
    const box = view.getUint32(offset);
    if (box === BOX_IROT) isTurned ||= view.getUint8(offset + 4) % 2 === 1;
    if (box !== BOX_ISPE) continue;
    const size = sizeOf(view.getUint32(offset + 8), view.getUint32(offset + 12));
    if (size && size.width * size.height > (found?.width ?? 0) * (found?.height ?? 0)) found = size;
  }
  return found && isTurned ? { width: found.height, height: found.width } : found;
}

function svgTag(bytes: Uint8Array): string | null {
  return /<svg\b[^>]{0,2000}>/i.exec(new TextDecoder().decode(bytes.subarray(0, 4_096)))?.[0] ?? null;
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']{0,200})["']`, "i").exec(tag)?.[1]?.trim() ?? "";
}

/** An SVG with only an aspect ratio fills the available width. */
function sizeOfDrawing(bytes: Uint8Array): ImageSize | null {
  const tag = svgTag(bytes);
  if (tag === null) return null;
  const [width, height] = ["width", "height"].map((name) => /^([\d.]{1,12})(?:px)?$/.exec(attribute(tag, name))?.[1]);
  return width === undefined || height === undefined ? null : sizeOf(Number(width), Number(height));
}
