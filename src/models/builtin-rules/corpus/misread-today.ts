/** Messages that the rules carry out with another meaning today. The list only shrinks: a message that is read right must go. */
export const MISREAD_TODAY: readonly string[] = [
  "Hide operate/upgrade. Unhide operate/upgrade.",
  "Move guides/search to reference/search. Move guides/search to api/search.",
  "Use sentence case for headings and use title case for headings",
  "- fix broken links\n- ???",
  "Replace Docker with Podman in the install guide",
  'Replace "berth" with "slot" and "slot" with "berth".',
  'Replace "berth" with "slot". Replace "berth" with "place".',
  'Replace "berth" with "slot" everywhere, only in guides/',
  'Replace "berth" with "berth".',
  'In guides/, replace "berth" with "slot" and fix broken links in guides/.',
  'Set the title of quickstart to "Start". Set the title of quickstart to "Begin".',
];
