import type { CorpusEntry, ExpectedCall } from "./entry.ts";

const NOTE = "Add a note to quickstart with the text: ";
const notes = (...texts: readonly string[]): CorpusEntry[] =>
  texts.map((text) => {
    const call: ExpectedCall = ["add_callout", { page: "quickstart", kind: "note", text }];
    return { calls: [call], say: [NOTE + text] };
  });

/** Texts without quotation marks: what was said to us behind them, or what only points at a text, was published once. */
export const misledByLooseTexts: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      "You need an account. Scratch that.",
      "You need an account. Wait, no.",
      "You need an account. Sorry, I meant a warning.",
      "You need an account. Or something like that.",
      "You need an account. Not sure about the wording.",
      "You need an account. I think that is all.",
      'You need an account. Below "Install".',
      "You need an account. At the top of the page.",
      "You need an account. In guides/ too.",
      "You need an account. By Friday.",
      "You need an account.\n\nBest regards,\nAnna",
      "You need an account.\n\nAnna",
      "You need an account.\n\n— Anna",
      "You need an account.\n\n-- \nAnna Smith",
      "You need an account. Thanks in advance!",
      "You need an account, thanks.",
      "You need an account. No rush.",
      "You need an account. Low priority.",
      "You need an account. As a warning.",
      "You need an account. Only for admins.",
      "You need an account. Same on install/linux.",
      "You need an account. Is that ok?",
      "You need an account. Let me know.",
      "You need an account. The rest stays.",
      "You need an account. We can improve it later.",
    ].map((text) => NOTE + text),
  },
  {
    refused: true,
    say: [
      "our standard beta disclaimer.",
      "Our standard beta disclaimer.",
      "The usual notice from legal.",
      "See attachment.",
      "See the ticket.",
      "Attached.",
      "As discussed in the meeting.",
      "Whatever legal sent us yesterday.",
      "What marketing sent us.",
    ].map((text) => NOTE + text),
  },
  ...notes(
    "You need an account. It is free.",
    "You need a token:\n- Admin\n- Viewer",
    "iOS 17 is needed.",
    "The API returns text.",
    "This page shows the message.",
    "The old text is gone.",
    "By default it is off. In a cluster it is on.",
    "Can I self-host? Yes, you can.",
    "Two berths are free. In production, use two of them.",
    "Some services send a message. Harbor shows it.",
  ),
];
