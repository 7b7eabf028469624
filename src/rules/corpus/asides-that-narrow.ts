import { type CorpusEntry, type ExpectedCall, term } from "./entry.ts";

const slot = term("berth", "slot");
const slotInGuides = term("berth", "slot", { in: ["guides/"] });
const hide: ExpectedCall = ["set_front_matter", { page: "quickstart", key: "hidden", value: true }];
const removeWindows: ExpectedCall = ["remove_page", { page: "install/windows", redirectTo: "install/docker" }];

/** What looks like a courtesy, a date or a reason, and says where, when, whether or that it is off. Only a closed list of shapes is left out. */
export const asidesThatNarrow: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      'Replace "berth" with "slot" as agreed for the concepts alone',
      'Replace "berth" with "slot" as discussed in all guides except search',
      'Replace "berth" with "slot" as decided at the next meeting',
      "Hide the page quickstart as announced from Monday on",
      "Hide the page quickstart as agreed in the cancelled meeting",
      "Remove the page drafts/roadmap as decided by vote if it passes",
      "Move guides/search to reference/search as agreed with one change",
      "Fix broken links as discussed in the guide meeting pages",
      'Replace "berth" with "slot" in guides/, all of them are fixed',
    ],
  },
  {
    calls: [slotInGuides],
    say: [
      'Replace "berth" with "slot" in guides/, as agreed.',
      'Replace "berth" with "slot" in guides/ as decided in the docs meeting',
      'Please replace "berth" with "slot" in guides/ as discussed yesterday',
      'Replace "berth" with "slot" in guides/ as agreed with the docs team.',
      'Replace "berth" with "slot" in guides/ (see #12)',
    ],
  },
  {
    refused: true,
    say: [
      "Dear Anna forget it. Hide the page quickstart.",
      "Dear all not yet. Hide the page quickstart.",
      "Hide the page quickstart. Dear team hold on",
      "Hide the page quickstart. Thanks, Later",
      "Hide the page quickstart. Best, Never",
      "Hello Docent ignore this. Hide the page quickstart.",
    ],
  },
  {
    calls: [hide],
    say: [
      "Dear Anna, hide the page quickstart. Kind regards, Ben Miller",
      "Dear colleagues, please hide the page quickstart.",
      "Good morning! Hide the page quickstart. Thanks in advance, Anna",
      "Hi Ben, could you hide the page quickstart?",
      "Hide the page quickstart. Thanks, everyone!",
    ],
  },
  {
    refused: true,
    say: [
      "The style guide says that nobody should. Hide the page quickstart.",
      "Hide the page quickstart. Our style guide wants it visible.",
      "Move guides/search to reference/search without a redirect. Links should keep working.",
      "Hide the page quickstart. Links should keep working on it.",
      'Replace "berth" with "slot". The style guide asks for it in guides.',
    ],
  },
  {
    refused: true,
    say: [
      "That idea is outdated. Hide the page quickstart.",
      "Our proposal was dropped. Hide the page quickstart.",
      "The job below is obsolete. Hide the page quickstart.",
      "Hiding is deprecated. Hide the page quickstart.",
      "We no longer want this. Hide the page quickstart.",
      "Nobody uses this request any more. Hide the page quickstart.",
      "We dropped the deletion. Remove install/windows and redirect it to install/docker.",
      "We dropped Linux. Remove install/windows and redirect it to install/docker.",
      'We no longer offer Slots. Replace "berth" with "slot".',
      'Slot is deprecated. Replace "berth" with "slot".',
      'Guides are stable. Replace "berth" with "slot" in guides/.',
      'Some links are broken. Replace "berth" with "slot".',
      'Some pages have no description. Replace "berth" with "slot".',
      "2.7 is out. Remove install/windows and redirect it to install/docker.",
      "Our style guide wants title case. Use sentence case for all headings.",
      "Marketing renamed the product. Remove install/windows and redirect it to install/docker.",
      "The removal was moved to next week: remove install/windows and redirect it to install/docker.",
      "We will rebrand. Hide the page quickstart.",
      'We rebranded in one of the guides. Replace "Harbor Cloud" with "Harbor Platform".',
      'The quickstart is obsolete. Replace "berth" with "slot" on the page quickstart.',
      "Windows is obsolete, they say. Remove install/windows and redirect it to install/docker.",
      "Windows was deprecated. Unhide install/windows.",
      "Now and then hide the page quickstart",
      "Outdated requests:\n- Hide the page quickstart",
      "Tasks that are dead:\n- Hide the page quickstart",
      "Tasks for next week:\n- Hide the page quickstart",
      "Old to-dos:\n- Hide the page quickstart",
    ],
  },
  {
    calls: [removeWindows],
    say: [
      "We retired Windows last year. Remove install/windows and redirect it to install/docker.",
      "Windows is no longer supported. Remove install/windows and redirect it to install/docker.",
      "We don't support Windows any more. Remove install/windows and redirect it to install/docker.",
      "Nobody uses Windows anymore. Remove install/windows and redirect it to install/docker.",
      "The Windows page is outdated: remove install/windows and redirect it to install/docker.",
      "We have discontinued Windows, please remove install/windows and redirect it to install/docker.",
    ],
  },
  {
    calls: [term("Harbor Cloud", "Harbor Platform")],
    say: [
      'Our company has been renamed. Replace "Harbor Cloud" with "Harbor Platform".',
      'We have just rebranded. Replace "Harbor Cloud" with "Harbor Platform".',
      'Harbor Cloud was renamed last month. Replace "Harbor Cloud" with "Harbor Platform".',
      'The product has a new name: replace "Harbor Cloud" with "Harbor Platform"',
    ],
  },
  {
    calls: [["fix_links", {}]],
    say: [
      "The build is red again. Fix broken links.",
      "There are several dead links in the docs. Please fix broken links.",
      "The latest release broke many links. Fix broken links.",
      "Docs chores:\n- Fix broken links",
      "Monthly clean-up: fix broken links",
    ],
  },
  { calls: [slot], say: ['Replace "berth" with "slot". Our style guide demands it.'] },
];
