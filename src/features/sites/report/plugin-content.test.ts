import { expect, it } from "vitest";
import { problemLines, reportOf } from "#testing/reports.ts";

it("reports links to headings that a plugin generates once for their page, and others one by one", async () => {
  const files = {
    "mkdocs.yml": "site_name: Harbor\n",
    "docs/index.md": "# Home\n\n[Run](api.md#harbor.App.run), [stop](api.md#harbor.App.stop), [no](guide.md#gone)\n",
    "docs/api.md": "# API\n\n::: harbor.App\n    options:\n      members: true\n",
    "docs/guide.md": "# Guide\n",
  };
  const lines = problemLines(await reportOf(files, "mkdocs"));
  expect(lines.map((line) => line.slice(0, 90))).toEqual([
    expect.stringMatching(/^docs\/api\.md:3 warning left_out: What a plugin generates here is left out/),
    expect.stringMatching(
      /^docs\/api\.md:3 warning broken_anchor: Links to 2 headings of this page \(#harbor\.App\.run …\)/,
    ),
    expect.stringMatching(/^docs\/index\.md:3 warning broken_anchor: guide\.md#gone is broken/),
  ]);
});
