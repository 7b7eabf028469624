/**
 * Compares by code point, which is also the byte order of UTF-8. JavaScript's `<` compares UTF-16 units and puts
 * U+10000 and above before U+E000 to U+FFFF.
 */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    return lifted(a) - lifted(b);
  }
  return left.length - right.length;
}

/** Puts surrogates above every other unit. */
function lifted(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
