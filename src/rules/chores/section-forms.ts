import { ON, aPage, listOf, REMOVE, TEXT } from "#rules/grammar/lexicon.ts";
import { all, type ChoreForm, given, one } from "./chore-form.ts";

const VERB = "(add|append|insert|create|put|place|new / (add|create a new))";
const PLACE = `[,] ${ON} [the] ([start|top|beginning of [the]] ${aPage("page")})`;
const AT_END = `[,] (at|on|to [the] end|bottom of ${aPage("page")})`;
const SECTION = "([the] [section] {side:heading} [section])";
const BESIDE = `([,] (after|below|behind|under ${SECTION.replace("side", "after")} / before|above ${SECTION.replace("side", "before")}))`;
const OF_PAGE = `[,] (${ON} ${aPage("page")})`;
/** One page or several: each gets the same section. */
const OF_PAGES = `[,] (${ON} [both|all|each] [the|these] [pages] ${listOf(aPage("page"))})`;
const BOTTOM = "[at [the] end|bottom]";
const TITLED = "([titled|called|named|entitled / with the title|heading] [:] {title:quoted})";
const NEW_SECTION = `([a|an|the] [new] section ${TITLED} / [a|an|the] [new] {title:quoted} section)`;

const HEADING = "([the] section [titled|called|named] {title:heading} / [the] {title:heading} section / {title:quoted} \\( the section \\))"; // oxfmt-ignore
const WITH_TEXT = `((with|by) [the] [following] [text|content] [:] {text:quoted} / ${TEXT})`;
/** “Change the section X to Y” may mean its heading: “to” is only clear if the request mentions the text. */
const TO_TEXT = `(${WITH_TEXT} / to [the] [following] [text|content] [:] {text:quoted})`;
const TO_A_TEXT = `(${WITH_TEXT} / to [the] [following] text|content [:] {text:quoted})`;

/** A text that other words may follow. */
const TEXT_QUOTED = "([,] with [the|this] text [:] {text:quoted} [,])";

const KIND = "({kind:callout} [callout|box|block])";
const A_KIND = `([a|an|the] [new] ${KIND})`;
/** A callout is placed at the top of its section. “After the section” would be a different place. */
const IN_SECTION =
  "([,] (below|under|in|to [the] (section {section:heading} / {section:heading} section / {section:quoted})))";

export const sectionForms: readonly ChoreForm[] = [
  {
    tool: "add_section",
    forms: [
      `${VERB} ${NEW_SECTION} ${OF_PAGES} [${BESIDE}] ${BOTTOM} ${TEXT}`,
      `${VERB} ${NEW_SECTION} ${AT_END} ${TEXT}`,
      `${VERB} ${NEW_SECTION} ${BESIDE} ${OF_PAGES} ${TEXT}`,
      `[on|in] ${aPage("page")} [,|:] [${BESIDE}] [,] ${VERB} ${NEW_SECTION} [${BESIDE}] ${BOTTOM} ${TEXT}`,
    ],
    example: 'Add a section titled "Heading" to the page "Title" with the text "…"',
    inputs(slots) {
      const { after = [], before = [] } = slots;
      if (after.length + before.length > 1) return null;
      const [title, text] = ["title", "text"].map((slot) => one(slots, slot));
      return all(slots, "page").map((path) => given({ page: path, title, text, after: after[0], before: before[0] }));
    },
  },
  {
    tool: "replace_section",
    forms: [
      `(replace|change|update|set) [the] text|content|contents|body [of|in] [the] ${HEADING} ${OF_PAGE} ${TO_TEXT} [[,] [and] ${OF_PAGE} ${TO_TEXT}]*`,
      `(replace|change|update|set) ${HEADING} ${OF_PAGE} ${TO_A_TEXT} [[,] [and] ${OF_PAGE} ${TO_A_TEXT}]*`,
      `[on|in] ${aPage("page")} [,|:] (replace|change|update) ${HEADING} ${TO_A_TEXT}`,
      `[on|in] ${aPage("page")} [,|:] (replace|change|update) what is|stands below|under [the] [heading] {title:quoted} ${TO_TEXT}`,
    ],
    example: 'Replace the section "Heading" of "Title" with "…"',
    inputs(slots) {
      const texts = all(slots, "text");
      const pages = all(slots, "page");
      if (texts.length !== pages.length) return null;
      return pages.map((path, at) => ({ page: path, title: one(slots, "title"), text: texts[at] }));
    },
  },
  {
    tool: "remove_section",
    forms: [
      `${REMOVE} ${HEADING} ${OF_PAGE} [([,] and / ,) [${ON}] ${aPage("page")}]*`,
      // “… from a and "B"”: a second section, which could be read as a second page.
      `${REMOVE} ${HEADING} ${OF_PAGE} [,] and {title:quoted}`,
      `${REMOVE} ${HEADING} ${ON} [the] pages ${aPage("page")} and ${aPage("page")}`,
      `[on|in] ${aPage("page")} [,|:] ${REMOVE} ${HEADING}`,
      `take ${HEADING} (out_of|off|from) ${aPage("page")}`,
      `${REMOVE} [the] sections {title:heading} [, {title:heading}]* [,] and {title:heading} ${OF_PAGE}`,
    ],
    example: 'Remove the section "Heading" from "Title"',
    inputs(slots) {
      const [titles, pages] = [all(slots, "title"), all(slots, "page")];
      return pages.flatMap((page) => titles.map((title) => ({ page, title })));
    },
  },
  {
    tool: "add_callout",
    forms: [
      `${VERB} ${A_KIND} ${PLACE} [${IN_SECTION}] ${TEXT}`,
      `${VERB} ${A_KIND} ${IN_SECTION} ${OF_PAGE} ${TEXT}`,
      `${VERB} ${A_KIND} ([with the text] / saying|reading|that_says|that_reads [:]) {text:quoted} ${OF_PAGES}`,
      `${VERB} ${A_KIND} ([with the text] / saying|reading|that_says|that_reads [:]) {text:quoted} ${OF_PAGE} ${IN_SECTION}`,
      `${VERB} ${A_KIND} ${OF_PAGES} ${TEXT}`,
      `${VERB} ${A_KIND} ${OF_PAGE} ${TEXT_QUOTED} ${IN_SECTION}`,
      `${VERB} ${A_KIND} at the top of ${aPage("page")} ${TEXT}`,
      `[on|in] ${aPage("page")} [,|:] ${VERB} ${A_KIND} [${IN_SECTION}] (${TEXT} / {text:quoted})`,
      `in [the] ({section:heading} section / section {section:heading}) of ${aPage("page")} [,|:] ${VERB} ${A_KIND} ${TEXT}`,
      `${aPage("page")} needs ${A_KIND} ${TEXT}`,
    ],
    example: 'Add a note to "Title" with the text "…"',
    inputs(slots) {
      const [said, text, section] = ["kind", "text", "section"].map((slot) => one(slots, slot));
      const kind = said === "caution" ? "warning" : said;
      return all(slots, "page").map((page) => given({ page, kind, text, section }));
    },
  },
];
