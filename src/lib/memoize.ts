const MAX_REMEMBERED = 500;
/** Of a text that is remembered: what a header of a real client has, so that nobody fills the memory with long ones. */
const MAX_TEXT_LENGTH = 300;

/** A pure function of a text that few texts are given to again and again, such as a header: what it made is kept. */
export function remembered<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (text.length > MAX_TEXT_LENGTH) return made;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(text, made);
    return made;
  };
}
