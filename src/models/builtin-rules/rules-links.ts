import { type ChoreCall, type Clause, pattern, type Rule, takeScope } from "./clause.ts";

const LINKS =
  "(?:all |any |every |the |our |my |existing |remaining |other )*(?:(?:broken|dead|internal|bad|invalid|404|rotten)(?: and |, |/| or | )?)*(?:hyper)?links?(?: and (?:broken |dead )?(?:anchors?|redirects?|images?|anchor links))?(?: (?:that are broken|that do not work|that don't work|that lead nowhere))?";
const BROKEN =
  "(?:all |any |every |the |our |my |remaining |other )*(?:(?:broken|dead|bad|invalid|404|rotten)(?:,? and |, |/| or | )?)+(?:internal )?(?:links?(?: and anchors?)?|anchors?(?: and links?)?|anchor links|urls|references|404s)(?: and (?:broken |dead )?(?:anchors?|images?|redirects?))?";
const REPORT =
  "(?: (?:and )?(?:report|list|show)(?: (?:on )?(?:them|the results?|what you find|the (?:broken|dead) ones|those that are broken|any that are broken))?| for (?:broken|dead) (?:ones|links)| for (?:errors|problems|404s|breakage))?";

const FIX = [
  pattern(`(?:fix|repair|correct|resolve|mend|clean up|update) ${BROKEN}`),
  pattern(`(?:fix|repair|correct|mend) ${LINKS}`),
  pattern(`(?:find|check|search for|look for|check for) (?:and|,) (?:fix|repair|correct) ${LINKS}`),
  pattern(
    `(?:find|check|search for|look for|check for) ${LINKS},? and (?:fix|repair|correct) (?:them|those|what is broken|what you can|the broken ones|any that are broken)`,
  ),
  pattern(
    `(?:make sure|ensure|see to it)(?: that)? (?:all |every |the |our )*(?:internal )?links?(?: and anchors?)? (?:work|works|are (?:valid|correct|working|not broken)|lead somewhere)`,
  ),
  pattern(`(?:fix|repair) (?:all |any |the )*(?:404s|404 errors|link rot|broken (?:anchors|references))`),
  pattern(`run (?:the |a )?(?:fix[-_ ]links?|link fixer)`),
];
const CHECK = [
  pattern(`verify that (?:all |every |the |our )*(?:internal )?links? (?:work|works|are (?:valid|correct|working))`),
  pattern(`(?:check|verify|validate|test|audit|lint|inspect) ${LINKS}${REPORT}`),
  pattern(`(?:check|look|search|scan) for ${BROKEN}`),
  pattern(`(?:find|list|report|show|show me|tell me|give me a list of|identify|detect|count) ${BROKEN}`),
  pattern(`(?:run|do|perform|make) (?:the |a )?(?:link[- ]check(?:er)?|check of (?:all |the )*links)`),
  pattern(`(?:are|is) there (?:any )?(?:broken|dead) (?:internal )?links?(?: or anchors?)?`),
  pattern(`(?:tell me|report|show me|list) (?:which|what) (?:internal )?links? (?:are|is) (?:broken|dead)`),
  pattern(`which (?:internal )?links? (?:are|is) (?:broken|dead)`),
];

const WHICH =
  /\b(?:that|those that) (?:do not|don't) work|that lead nowhere|what you (?:can|find)|(?:not broken)|which are\b/gi;
const carriesOut = ({ text }: Clause) => text.match(WHICH) ?? [];

export const linkRules: Rule[] = [
  {
    example: "Fix broken links",
    isForAllDocs: true,
    carriesOut,
    match: (clause) => matchAny(FIX, "fix_links", clause),
  },
  { example: "Check all internal links", carriesOut, match: (clause) => matchAny(CHECK, "check_links", clause) },
];

function matchAny(forms: readonly RegExp[], tool: string, clause: Clause): ChoreCall[] | null {
  const { text, scope } = takeScope(clause);
  const isAnchors =
    /\banchors?\b/i.test(text) &&
    !/\b(?:links?|urls|references|404s)\b/i.test(text.replaceAll(/anchor links/gi, "anchors"));
  const input = { ...(scope && { in: scope }), ...(isAnchors && tool === "fix_links" && { only: "anchors" }) };
  return forms.some((form) => form.test(text)) ? [{ tool, input }] : null;
}
