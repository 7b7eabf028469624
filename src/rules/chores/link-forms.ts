import { FIX, LOOK, aPage, REMOVE, THE } from "#rules/grammar/lexicon.ts";
import { DOCS } from "#rules/grammar/places.ts";
import { all, type ChoreForm, given } from "./chore-form.ts";

const BAD = "broken|dead|bad|invalid|404|rotten";
const BROKEN_LINKS =
  `(${THE} [${BAD} [and|,|or]]* ${BAD} [internal] (links|link|hyperlinks|urls|references [and|or [${BAD}] anchors|images] / anchors and links)` +
  ` / ${THE} (404s / 404 errors|links / link rot))`;
const NOWHERE = `(that|which are broken / that|which (do_not|don't work / lead|leads|go nowhere / are broken / no longer work / cannot be resolved))`;
const LINKS = `(${THE} [internal] (links|link|hyperlinks [and [${BAD}] anchors|images] [of ${DOCS}]))`;
const LOST_LINKS = `(${LINKS} ${NOWHERE})`;
const ANCHORS = `(${THE} [only] (${BAD} (anchor|fragment [links] / anchors|fragments [links]) / links|link whose #anchor|anchor|fragment (does_not|doesn't exist [anymore] / is broken|missing|gone) / anchors|fragments that are broken))`;
const THERE_ARE = `(whatever|any|all|the [${BAD}] ${BAD} links|link|anchors there are|is)`;
const BROKEN = `(${BROKEN_LINKS} / ${LOST_LINKS} / ${THERE_ARE})`;
const SAY = "[[,] [and] (report|list|show|tell [me|us] [on] (it|them / [the] results|result / what you find / what's|what_is broken|dead / back / [the] broken|dead ones / (those|any that are broken)))]"; // oxfmt-ignore
const ONLY_REPORT = `[[,] [and|but] [please] (change nothing / do_not|don't (change|fix|edit|touch) (anything|them) [yet] / without changing anything / fix nothing)]`;
const ANY = "[any|some|all|the|our|of|more]*";

export const linkForms: readonly ChoreForm[] = [
  {
    tool: "fix_links",
    forms: [
      `[please] ${FIX} (${BROKEN} / ${LINKS})`,
      `((find|check / search|look|check for) and|, fix|repair|correct) (${BROKEN} / ${LINKS})`,
      `(find|check / search|look|check for) (${BROKEN} / ${LINKS}) [,] and fix|repair|correct (them|those / what is|what's broken / what you can / ${THE} broken|dead ones / (any that are broken))`,
      `(make_sure|ensure|see_to_it) [that] ${LINKS} (work|works|resolve / are valid|correct|working / are not broken / lead somewhere)`,
      `${BROKEN_LINKS} : (fix|repair|correct) (them [all])`,
      `(there are / we have) [some|several|many] ${BROKEN_LINKS} [in ${DOCS}] [,] [can|could (you|we|somebody|someone)] [please] (fix|repair) (them|those)`,
    ],
    honours: ["in"],
    example: "Fix broken links",
    isForAllDocs: true,
    inputs: () => [{}],
  },
  {
    tool: "fix_links",
    forms: [`[only] ${FIX} ${ANCHORS} [only] [[,] leave [the|all]* other links as they are|alone]`],
    honours: ["in"],
    example: "Fix broken anchors",
    isForAllDocs: true,
    inputs: () => [{ only: "anchors" }],
  },
  {
    tool: "check_links",
    forms: [
      `(check|verify|validate|test|audit|lint|inspect) ${LINKS} ~ ${SAY} ${ONLY_REPORT}`,
      `(check|verify|validate|test|audit) ${LINKS} for (broken|dead (ones|links) / errors|problems|404s|breakage)`,
      `(check|verify|test) [that|whether|if] ${LINKS} (work|works|resolve / are valid|correct|working|ok)`,
      `(check|look|search|scan [${DOCS}] for) (${BROKEN} / ${ANCHORS}) ${SAY} ${ONLY_REPORT}`,
      `check ${DOCS} for ${BROKEN} ${SAY}`,
      `[only|just] ${LOOK} (${BROKEN} / ${ANCHORS}) ${ONLY_REPORT}`,
      `(run|do|perform|make) [the|a] (link check|checker / link-check|linkcheck / check of ${LINKS}) [[over|on|across|for] ${DOCS}] ${SAY}`,
      `(are|is there / do we have / have we|you / are there still) ${ANY} ${BAD} [internal] links|link [or anchors] [left]`,
      `which [of] [the|our]* [internal] links ~ [are] ${BAD}`,
      `are ${ANY} links 404ing|broken|dead`,
      `[a] broken|dead link|links report|list`,
    ],
    honours: ["in"],
    example: "Check links",
    inputs: () => [{}],
  },
];

const ADD_ONE = `(add|create|make|set|insert / put in / set up)`;
const FROM = "[the] [old] [address|url|path|page|link] {from:address.own}";
const TARGET = `(${aPage("to")} / {to:address})`;
const GOES = "(to|-> / [that|which] points|leads|goes|pointing|leading|going to / to point to)";

export const redirectForms: readonly ChoreForm[] = [
  {
    tool: "add_redirect",
    forms: [
      `${ADD_ONE} [a|the|new|another]* redirect|redirects [:] [that|which goes|leads|points] [from|for] ${FROM} ${GOES} ${TARGET} [[,] [and] [from] {from:address.own} ${GOES} ${TARGET}]*`,
      `${ADD_ONE} [the|new]* redirects [from|for] ${FROM} [, {from:address.own}]* [,] and [from] {from:address.own} ${GOES} ${TARGET}`,
      `(redirect|forward) [visitors|readers|requests of|from|for] ${FROM} ${GOES} ${TARGET} [[,] [and] {from:address.own} ${GOES} ${TARGET}]*`,
      `(redirect|forward) [both] ${FROM} [, {from:address.own}]* [,] and [from] {from:address.own} ${GOES} ${TARGET}`,
      `(add|create|make / set up) [a] redirect so that {from:address.own} (goes|leads|points|redirects to) ${TARGET}`,
      `{from:address.own} (should|must [be] redirect|redirected|forward|forwarded|lead|point|go to) ${TARGET}`,
      `(make|let) {from:address.own} (point|lead|redirect|forward|go) to ${TARGET} [with a redirect]`,
      `old url|address|path {from:address.own} -> redirect to ${TARGET}`,
    ],
    example: "Add a redirect from /old-address to guides/new",
    inputs(slots) {
      const to = all(slots, "to");
      const from = all(slots, "from");
      const target = (at: number) => (to.length === 1 ? to[0] : to[at]);
      const found = from.map((address, at) => ({ from: address, to: target(at) }));
      const isPaired = to.length === from.length || to.length === 1;
      const isWhole = isPaired && from.every((address) => /\/./.test(address));
      return isWhole && found.every((each) => each.from !== each.to) ? found : null;
    },
  },
  {
    tool: "remove_redirect",
    forms: [
      `${REMOVE} [the] redirect|redirects [that|which leads|goes|points] (from|for|of|at) ${FROM} [to ${TARGET}]`,
      `${REMOVE} [the] redirect|redirects (from|for|of|at) ${FROM} [[,] [and] [from] {from:address.own}]*`,
      `${REMOVE} [the] redirect {from:address.own} [-> {to:address}]`,
      `${REMOVE} [the] {from:address.own} redirect`,
    ],
    example: "Remove the redirect from /old-address",
    inputs(slots) {
      const [to, second] = all(slots, "to");
      const from = all(slots, "from");
      return second === undefined && (to === undefined || from.length === 1)
        ? from.map((address) => given({ from: address, to }))
        : null;
    },
  },
];
