/** Width divided by height of an SVG or PNG image; null when its first bytes do not say. */
export function aspectRatio(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length >= 24 && view.getUint32(0) === 0x89_50_4e_47) return ratio(view.getUint32(16), view.getUint32(20));
  const tag = /<svg\b[^>]{0,2000}>/i.exec(new TextDecoder().decode(bytes.subarray(0, 4_096)))?.[0];
  if (tag === undefined) return null;
  const number = (pattern: RegExp) => Number.parseFloat(pattern.exec(tag)?.[1] ?? "");
  const box = /\bviewBox\s*=\s*["']([^"']+)["']/i
    .exec(tag)?.[1]
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  if (box?.length === 4) return ratio(box[2] ?? 0, box[3] ?? 0);
  return ratio(number(/\swidth\s*=\s*["']([\d.]+)(?:px)?["']/i), number(/\sheight\s*=\s*["']([\d.]+)(?:px)?["']/i));
}

function ratio(width: number, height: number): number | null {
  return width > 0 && height > 0 && Number.isFinite(width / height) ? width / height : null;
}
