/** Syntax of tools that a reader should not see, in the text of a page outside of code. */
const SYNTAX: readonly (readonly [name: string, pattern: RegExp])[] = [
  [":::", /(?:^|\s):{3,}\s?\S*/gm],
  ["{%", /\{%.{0,60}/g],
  ["!!!", /(?:^|\n)\s*(?:!!!|\?\?\?\+?)\s.{0,50}/g],
  ['=== "', /(?:^|\n)\s*===\+? ?".{0,50}/g],
  ["{{", /\{\{.{0,60}/g],
  ["<Component", /<\/?[A-Z]\w*(?:\.\w+)?[\s/>].{0,50}/g],
  [
    "<tag",
    /<\/?(?:div|span|p|a|img|br|details|summary|b|i|table|td|tr|ul|li|kbd|video|iframe|h\d)(?:\s[^>]{0,60})?\/?>/g,
  ],
  ["--8<--", /-{1,}8<-{1,}.{0,40}/g],
  ["[[toc]]", /\[\[toc\]\]/gi],
  ["{: .class}", /\{:\s?[.#\w].{0,40}/g],
  ["{#id}", /\{\s?#[\w-]+.{0,30}/g],
  [":icon:", /(?:^|\s):[a-z][\w-]*:/g],
  ["<<<", /<<<\s?[@./].{0,40}/g],
  ["import", /(?:^|\n)\s*(?:import\s.{1,60}\sfrom\s|export\s(?:const|default)\s).{0,40}/g],
  ["](", /\]\([^)\n]{1,60}\)/g],
  ["**", /\*\*[^\s*][^*\n]{0,50}/g],
  ["comment", /<!--.{0,40}|\{\/\*.{0,40}/g],
  ["][", /\]\[[^\]\n]{0,40}\]/g],
  ["[!NOTE]", /\[![A-Z]+\]/g],
  ["```", /```.{0,30}/g],
];

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

export const decodeEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "");

/** The syntax that was left in the HTML of a page, with some of the text after it. Text about syntax is found too. */
export function leftovers(html: string): { name: string; text: string }[] {
  const text = decodeEntities(
    html
      .replaceAll(/<(pre|code|script|style|svg|math|kbd|samp|annotation)\b[^>]*>.*?<\/\1>/gis, "¤")
      .replaceAll(/<(?:p|li|h\d|div|td|th|tr|br|summary|dt|dd|section|ul|ol|blockquote)\b[^>]*>/gi, "\n")
      .replaceAll(/<[^>]+>/g, ""),
  );
  return SYNTAX.flatMap(([name, pattern]) => [...text.matchAll(pattern)].map(([found]) => ({ name, text: found })));
}
