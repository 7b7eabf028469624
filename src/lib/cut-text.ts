const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
// A family emoji has 11 UTF-16 units. A much longer grapheme is an attack, and may be cut inside.
const MAX_GRAPHEME_LENGTH = 64;

/**
 * The start of a text, at most `maxLength` UTF-16 units, that ends at a grapheme boundary: a surrogate pair, an emoji
 * or a letter with combining marks is never split.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const at =
    GRAPHEMES.segment(text.slice(0, maxLength + MAX_GRAPHEME_LENGTH)).containing(maxLength)?.index ?? maxLength;
  if (at > maxLength - MAX_GRAPHEME_LENGTH && at > 0) return text.slice(0, at);
  const splitsPair =
    /^[\uDC00-\uDFFF]/.test(text.slice(maxLength)) && /[\uD800-\uDBFF]$/.test(text.slice(0, maxLength));
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength);
}
