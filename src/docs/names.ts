/** `02-getting_started` as a title: `Getting started`. */
export function titleOfName(name: string): string {
  const words = name
    .replace(/^\d{1,4}[-_. ]+(?=\S)/, "")
    .replaceAll(/[-_]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words === "" ? name : words.charAt(0).toLocaleUpperCase("en") + words.slice(1);
}
