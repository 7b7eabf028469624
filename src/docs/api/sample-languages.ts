/** The languages of code samples by the names that docs.json uses, in the default order. */
export const SAMPLE_LANGUAGES = [
  "bash", "javascript", "python", "go", "php", "ruby", "java", "csharp", "rust", "kotlin", "swift", "powershell",
] as const; // oxfmt-ignore

export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

const OTHER_NAMES: Readonly<Record<string, SampleLanguage>> = {
  curl: "bash", shell: "bash", sh: "bash", js: "javascript", node: "javascript", nodejs: "javascript", typescript: "javascript",
  ts: "javascript", py: "python", golang: "go", "c#": "csharp", dotnet: "csharp", rb: "ruby", rs: "rust", kt: "kotlin",
}; // oxfmt-ignore

/** The language that an author names; null if there are no samples in it. */
export function sampleLanguage(written: string): SampleLanguage | null {
  const name = written.toLowerCase();
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  return other ?? SAMPLE_LANGUAGES.find((each) => each === name) ?? null;
}
