/** Messages that are refused today and should be understood, or the other way around, as “theme: message”. The list only shrinks: what is read right must go. */
export const MISSED_TODAY: readonly string[] = [
  'terms: Instead of "log in" we write "sign in". Please change that everywhere.',
  "linksAndRedirects: Some links went stale after the last restructure, please fix broken links.",
  'sectionsAndCallouts: warn readers of guides/migrate under "Import": add the warning "This deletes the old cluster."',
  "fieldsAndImages: strip the icon key from the front matter of every page under guides/advanced",
  "asInIssues: In concepts/berths.mdx set `description: How berths work.`",
  "asInIssues: 2.7.0 is out. Please add a changelog entry from the git history since v2.6.0.",
  "byAReader: Legal asked us to stop using the old word. Please replace “whitelist” with “allowlist” everywhere.",
  'byAReader: Someone misspelled it all over the place. Replace "recieve" with "receive" and "occured" with "occurred".',
  "byAReaderToo: Nobody migrates from Dockhand anymore. Please delete the page guides/migrate and redirect it to the quickstart.",
  "byAReaderToo: images/divider.svg is only a line. Mark the image images/divider.svg as decorative.",
  "byAReaderRefused: Hide the page operate/monitering.",
  'byAReaderRefused: Move the group "Tutorials" after "Guides".',
  "severalTargets: run a link check on api/ and report back",
];
