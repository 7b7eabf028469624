/** Line of an offset, from 1; to be asked in ascending order. */
export function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf("\n", at); next !== -1 && next < offset; next = text.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  };
}
