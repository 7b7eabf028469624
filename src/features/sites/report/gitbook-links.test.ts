import { expect, it } from "vitest";
import { problemLines, reportOf } from "#testing/reports.ts";

it("names references of GitBook's blocks to pages and files that do not exist", async () => {
  const files = {
    "SUMMARY.md": "* [A](README.md)\n* [B](guides/b.md)\n",
    "README.md": [
      "# A",
      '{% content-ref url="guides/gone.md" %}\nWords.\n{% endcontent-ref %}',
      '{% page-ref page="guides/b.md" %} {% page-ref page="guides/lost.md" %}',
      '{% file src=".gitbook/assets/none.pdf" %}',
      '`{% page-ref page="code.md" %}`',
    ].join("\n\n"),
    "guides/b.md": '# B\n\n{% content-ref url="../README.md" %}\n[README.md](../README.md)\n{% endcontent-ref %}\n',
  };
  expect(problemLines(await reportOf(files, "gitbook"))).toEqual([
    "README.md:3 error broken_link: guides/gone.md is broken: there is no such page.",
    "README.md:7 error broken_link: guides/lost.md is broken: there is no such page.",
    "README.md:9 error missing_file: .gitbook/assets/none.pdf is broken: there is no such file.",
  ]);
});
