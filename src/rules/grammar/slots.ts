import { isPageName, type KnownNames, phraseOf } from "./names.ts";
import { describes, isLiteral, isPlainName } from "./plain-name.ts";
import { isAddress, knownRuns, RESERVED, type Run, titleRuns } from "./runs.ts";
import type { Token } from "./tokens.ts";

export interface SlotContext {
  tokens: readonly Token[];
  names: KnownNames;
}

const SAID = new Set(["field.tag", "field.keywords", "nothing"]);

type Reader = (context: SlotContext, at: number) => Run[];

export const isSlotType = (type: string): boolean => Object.hasOwn(READERS, type);

/** Every way to read one slot from a token on. The templates of the chores name the types. */
export function readSlot(context: SlotContext, type: string, at: number): Run[] {
  const read = READERS[type];
  if (!read) throw new Error(`no slot type ${type}`);
  const runs = at < context.tokens.length || SAID.has(type) ? read(context, at) : [];
  return runs.filter(({ value: [text = ""] }) => !/^[,;]\s/.test(text));
}

const quoted: Reader = ({ tokens }, at) => {
  const token = tokens[at];
  return token?.kind === "quote" && token.text.trim() !== "" ? [{ value: [token.text], end: at + 1, cost: 0 }] : [];
};

/** One word of a certain form; `cost` if that is a guess. */
const word =
  (form: RegExp, cost = 0, valueOf: (text: string) => string = (text) => text): Reader =>
  ({ tokens }, at) => {
    const token = tokens[at];
    return token?.kind === "word" && form.test(token.text) ? [{ value: [valueOf(token.text)], end: at + 1, cost }] : [];
  };

const either =
  (...readers: Reader[]): Reader =>
  (context, at) =>
    readers.flatMap((read) => read(context, at));

const PATH = /^(?!https?:)\/?[\p{L}\p{N}_.*-]+(?:\/[\p{L}\p{N}_.*{},-]+)*\/?$|^\/$/u;
const path: Reader = ({ tokens }, at) => {
  const token = tokens[at];
  if (token?.kind !== "word" || !PATH.test(token.text) || !isAddress(token.text)) return [];
  return [{ value: [token.text], end: at + 1, cost: 0 }];
};
const quotedPath: Reader = (context, at) => quoted(context, at).filter(({ value: [text = ""] }) => PATH.test(text) && isAddress(text)); // oxfmt-ignore

/** Parts of a site, which often have a page about them. In lower case without the word “page” such a word means the part. */
const PARTS_OF_SITE = /^(?:redirects?|search|navbar|topbar|top-?bar|footer|banner|menu|toc|logo|tabs?|breadcrumbs?|tags?|keywords?|icons?|metadata|tables?|code|comments?|snippets?|examples?|glossary|feedback|analytics|themes?|colou?rs?|fonts?)$/; // oxfmt-ignore
const isPartOfSite = (token: Token | undefined): boolean => token?.kind === "word" && PARTS_OF_SITE.test(token.text);

const knownTitle: Reader = (context, at) =>
  knownRuns(context, at, (phrase) => context.names.titles.has(phrase)).filter(
    ({ end }) => end > at + 1 || !isPartOfSite(context.tokens[at]) || isCalledPage(context.tokens, end),
  );
/** “On Windows” means a system unless a page has that title; the file `windows` is spelled exactly. */
const inLowerCase =
  (read: Reader): Reader =>
  (context, at) =>
    read(context, at).filter(({ value: [text = ""] }) => text === text.toLowerCase());
const knownGroup: Reader = (context, at) =>
  knownRuns(context, at, (phrase) => context.names.groups.has(phrase)).map((run) => ({
    ...run,
    value: [context.names.groups.get(phraseOf(run.value[0] ?? ""))?.title ?? ""],
  }));
const knownHeading: Reader = (context, at) => knownRuns(context, at, (phrase) => context.names.headings.has(phrase));

/** “The search page”. */
const isCalledPage = (tokens: readonly Token[], at: number): boolean =>
  /^(?:pages?|guides?|articles?|files?)$/.test(tokens[at]?.norm ?? "");

/** A name in one word, such as a file name; if the repository is known, an existing one. */
const bareName: Reader = ({ tokens, names }, at) => {
  const token = tokens[at];
  if (token?.kind !== "word" || !/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(token.text)) return [];
  if (isPartOfSite(token) && !isCalledPage(tokens, at + 1)) return [];
  if (names.isKnown ? !isPageName(names, token.text) : RESERVED.has(lower(token))) return [];
  return [{ value: [token.text], end: at + 1, cost: 2 }];
};
/** A norm has a capital if the word can only be part of a known title. */
const lower = (token: Token | undefined): string => token?.norm.toLowerCase() ?? "";
const knownName: Reader = (context, at) =>
  context.names.isKnown && !RESERVED.has(lower(context.tokens[at])) ? bareName(context, at) : [];
/** Any single word after “the page”, where “guide” can be a name. */
const namedWord: Reader = ({ tokens, names }, at) => {
  const token = tokens[at];
  const isName = token?.kind === "word" && /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(token.text);
  if (!isName || POINTS.test(lower(token)) || (names.isKnown && !isPageName(names, token.text))) return [];
  return [{ value: [token.text], end: at + 1, cost: 2 }];
};
const POINTS = /^(?:a|an|the|this|that|these|those|it|its|them|all|any|both|each|every|some|no|none|in|on|to|of|with|and|or|my|our|your|their|another|about|new|at|from|for|after|before|under|titles?|headings?)$/; // oxfmt-ignore

const bareFolder: Reader = (context, at) =>
  POINTS.test(lower(context.tokens[at])) ? [] : word(/^[\p{L}\p{N}_.-]+$/u, 1)(context, at);

/** A folder of the repository, spelled exactly. Nothing else identifies a word as one. */
const knownFolder: Reader = (context, at) =>
  word(
    /^[\p{L}\p{N}_.-]+$/u,
    2,
    (text) => `${text}/`,
  )(context, at).filter(() => context.names.folders.has(context.tokens[at]?.text ?? ""));

const titles: Reader = ({ tokens }, at) => titleRuns(tokens, at);
/** A new name. “Find Only” and “Title Case” describe an action or a style instead. */
const newTitles: Reader = (context, at) =>
  titles(context, at).filter(
    ({ value: [text = ""] }) =>
      !NO_TITLE.test(text) &&
      !text
        .split(" ")
        .some((each, index, words) => words.length > 1 && index < words.length - 1 && RESERVED.has(each.toLowerCase())),
  );
const NO_TITLE =
  /^(?:title|sentence|lower|upper|camel|kebab|snake|proper)[ -]?case$|^(?:all )?(?:caps|capitals)$|^(?:match|be|avoid|stay|remain|undecided|something|anything|whatever|nothing)\b|\b(?:case-\w+|globally|throughout|maybe|now|tbd|tba|todo|only|again|today|tomorrow|later|soon|asap|too|instead|first|everywhere|please|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/i;

/** “Guides” is a word of the grammar, and a common title of groups. */
const groupTitles: Reader = (context, at) => {
  const token = context.tokens[at];
  const isOne = token?.kind === "word" && /^\p{Lu}/u.test(token.text) && RESERVED.has(token.norm);
  return [...titles(context, at), ...(isOne && token ? [{ value: [token.text], end: at + 1, cost: 2 }] : [])];
};
const unlessKnown =
  (read: Reader): Reader =>
  (context, at) =>
    context.names.isKnown ? [] : read(context, at);

/** Unquoted words as a term: up to `most` words, each name-like or, with `anyCase`, any that are not a description. */
const term =
  (most: number, isTerm: (text: string) => boolean, cost: number): Reader =>
  ({ tokens }, at) => {
    const runs: Run[] = [];
    const words: string[] = [];
    for (let next = at; next < tokens.length && words.length < most; next += 1) {
      const token = tokens[next];
      if (token?.kind !== "word") break;
      words.push(token.text);
      const text = words.join(" ");
      if (isTerm(text)) runs.push({ value: [text], end: next + 1, cost: cost + words.length });
    }
    return runs;
  };
const isName = (text: string) => isLiteral(text) && isPlainName(text);
const isAnyWord = (text: string) => !describes(text) && !RESERVED.has(text.toLowerCase()) && isPlainName(text) && !/^(?:of|for|in|on|to|with|by|and|or)$/i.test(text); // oxfmt-ignore

/** A value that is implied by the form, without a token. */
const said =
  (value: string): Reader =>
  (_context, at) => [{ value: [value], end: at, cost: 0 }];

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|ico)$/i;
const MARKERS: readonly [form: RegExp, marker: string][] = [
  [/^(?:-|dash(?:es)?|hyphens?)$/, "-"],
  [/^(?:\*|asterisks?|stars?)$/, "*"],
  [/^(?:\+|plus(?:es)?)$/, "+"],
];
const marker: Reader = ({ tokens }, at) => {
  const token = tokens[at];
  const found = MARKERS.find(([form]) => form.test(token?.kind === "quote" ? token.text : (token?.norm ?? "")));
  return found ? [{ value: [found[1]], end: at + 1, cost: 0 }] : [];
};

/**
 * Known front matter keys. Any other word is a key only if it is spelled or called like one: “the key audience”, but not
 * “the API key”.
 */
const OF_PAGES = /^(?:title|description|sidebarTitle|icon|tag|keywords|mode|slug|url|canonical|layout|author|date|status|noindex|version|deprecated)$/; // oxfmt-ignore

const page = either(quoted, path, knownTitle, bareName, unlessKnown(titles));

const READERS: Readonly<Record<string, Reader>> = {
  quoted,
  path: either(path, quotedPath),
  page,
  "page.named": either(page, namedWord),
  "page.guide": either(quoted, path, knownTitle, (context, at) => (context.names.isKnown ? bareName(context, at) : []), unlessKnown(titles)),
  "page.title": either(quoted, knownTitle, unlessKnown(titles)),
  "page.sure": either(path, knownTitle, inLowerCase(knownName)),
  "page.path": path,
  folder: either(quoted, path, bareFolder),
  "folder.known": knownFolder,
  group: either(quoted, knownGroup, groupTitles),
  "word.first": word(/^(?:first|top|beginning|start)$/i),
  "word.last": word(/^(?:last|bottom|end)$/i),
  "group.known": either(quoted, knownGroup),
  title: either(quoted, newTitles),
  heading: either(quoted, knownHeading, unlessKnown(titles)),
  address: either(quoted, word(/^\/|^https?:\/\/|^[\p{L}\p{N}_.*-]+(?:\/[\p{L}\p{N}_.*:-]+)+\/?$/u)),
  "address.own": either(quoted, word(/^\/|^(?!https?:)[\p{L}\p{N}_.*-]+(?:\/[\p{L}\p{N}_.*:-]+)+\/?$/u)),
  image: either(quoted, word(IMAGE)),
  "image.named": either(quoted, word(/^[\p{L}\p{N}_./-]+$/u, 1)),
  file: either(quoted, word(/\.(?:json|ya?ml)$/i)),
  "file.data": (context, at) => either(quoted, word(/./))(context, at).filter(({ value: [text = ""] }) => /\.(?:json|ya?ml)$/i.test(text)),
  version: either(quoted, word(/^v?\d[\w.-]*$/i)),
  revision: either(quoted, word(/^v?\d[\w.-]*$|^[\w-]+(?:[./][\w-]+)+$|^(?=.*\d)[\w.-]+$/i)),
  source: either(quoted, word(/^[a-z0-9][a-z0-9-]{0,39}$/)),
  key: either(quoted, word(/^[A-Za-z][\w-]{0,60}$/)),
  "key.known": word(OF_PAGES),
  "key.called": either(quoted, word(OF_PAGES), word(/^[a-z][A-Za-z0-9]*(?:[A-Z_-][A-Za-z0-9]+)+$/)),
  field: word(/^(?:title|description|desc|sidebar-?title|icon|keywords?|tags?)$/i),
  "field.title": ({ tokens }, at) => (tokens[at]?.norm === "title" ? [{ value: ["sidebarTitle"], end: at + 1, cost: 0 }] : []),
  "field.tag": said("tag"),
  "field.keywords": said("keywords"),
  nothing: said("all"),
  callout: word(/^(?:note|warning|tip|info|check|danger|caution)$/i, 0, (text) => text.toLowerCase()),
  case: word(/^(?:sentence|title)$/i),
  "case.joined": word(/^(?:sentence|title)-case$/i),
  flag: word(/^(?:true|false)$/),
  bare: word(/^[\p{L}\p{N}_-]+$/u, 1),
  marker,
  "term.name": term(5, isName, 2),
  "term.word": term(1, isAnyWord, 2),
  "term.words": term(3, isAnyWord, 2),
}; // oxfmt-ignore
