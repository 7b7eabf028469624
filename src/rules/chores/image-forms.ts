import { aPage } from "#rules/grammar/lexicon.ts";
import { all, type ChoreForm, given, one } from "./chore-form.ts";

const IMAGE = "([the] image|picture|screenshot|illustration|graphic [file] {image:image.named} / [the] {image:image})";
const ALT = "([the] (alt|alternative text / alt-text|alt) [text|attribute])";
const ON_PAGE = `[on|in ${aPage("page")}]`;
const DECORATIVE = "([to_be|as|just|only|purely|a|an]* decorative|decoration [image|only])";

export const imageForms: readonly ChoreForm[] = [
  {
    tool: "set_alt_text",
    forms: [
      `(set|change|update) ${ALT} (of|for|on|to ${IMAGE}) ${ON_PAGE} (to|:|as [:]) {alt:quoted}`,
      `(set|change|update) ${ALT} (of|for|on|to ${IMAGE}) to {alt:quoted} [[,] and [(that / ${ALT}) of|for] ${IMAGE} to {alt:quoted}]*`,
      `(add|use|set|give) ${ALT} {alt:quoted} (to|for|on ${IMAGE}) ${ON_PAGE}`,
      `use {alt:quoted} as [the] ${ALT} (for|of|on ${IMAGE})`,
      `${IMAGE} needs [the] ${ALT} {alt:quoted}`,
      `${ALT} (for|of ${IMAGE}) (: / should|must be [:]) {alt:quoted}`,
      `give ${IMAGE} ${ALT} {alt:quoted}`,
    ],
    example: 'Set the alt text of "image.png" to "…"',
    inputs(slots) {
      const [images, alts, page] = [all(slots, "image"), all(slots, "alt"), one(slots, "page")];
      return images.length === alts.length ? images.map((image, at) => given({ image, alt: alts[at], page })) : null;
    },
  },
  {
    tool: "set_alt_text",
    forms: [
      `(set|change) ${ALT} (of|for|on ${IMAGE}) ${ON_PAGE} to [:] (empty|nothing|\\"\\"|''|“” / [an|the] empty text|string)`,
      `(mark|make|treat|set|flag) ${IMAGE} ${ON_PAGE} ${DECORATIVE} ${ON_PAGE}`,
      `${IMAGE} is ${DECORATIVE} [,] [so|and] [please] mark it (so / as such / accordingly)`,
    ],
    example: "Mark the image images/line.png as decorative",
    inputs(slots) {
      const pages = all(slots, "page");
      return pages.length > 1 ? null : [given({ image: one(slots, "image"), alt: "", page: pages[0] })];
    },
  },
];
