import { expect, it } from "vitest";
import { chooseTemplate } from "./pull-request-template.ts";

const ROOT = "PULL_REQUEST_TEMPLATE.md";

it.each([
  ["github", [ROOT], ROOT],
  ["github", ["pull_request_template.txt"], "pull_request_template.txt"],
  ["github", ["docs/pull_request_template.md"], "docs/pull_request_template.md"],
  ["github", [ROOT, ".github/PULL_REQUEST_TEMPLATE.md"], ".github/PULL_REQUEST_TEMPLATE.md"],
  ["gitlab", [ROOT, ".gitlab/merge_request_templates/Default.md"], ".gitlab/merge_request_templates/Default.md"],
  ["gitea", [".github/pull_request_template.md", ".gitea/pull_request_template.md"], ".gitea/pull_request_template.md"],
  ["forgejo", [".forgejo/PULL_REQUEST_TEMPLATE.md", ROOT], ".forgejo/PULL_REQUEST_TEMPLATE.md"],
  ["forgejo", [".gitea/PULL_REQUEST_TEMPLATE.md"], ".gitea/PULL_REQUEST_TEMPLATE.md"],
  ["embedded", [".github/pull_request_template.md"], ".github/pull_request_template.md"],
] as const)("on %s with the files %j, the template is %s", (codeHost, paths, expected) => {
  expect(chooseTemplate(["index.md", ...paths, "zebra.md"], codeHost)).toBe(expected);
});

it("prefers the template for documentation, then the default, then the only one", () => {
  const folder = ".github/PULL_REQUEST_TEMPLATE";
  const several = [`${folder}/bug.md`, `${folder}/feature.md`];
  expect(chooseTemplate(several, "github")).toBe(null);
  expect(chooseTemplate(several.slice(0, 1), "github")).toBe(`${folder}/bug.md`);
  expect(chooseTemplate([...several, ".github/pull_request_template.md"], "github")).toBe(
    ".github/pull_request_template.md",
  );
  expect(chooseTemplate([...several, `${folder}/documentation.md`, ROOT], "github")).toBe(`${folder}/documentation.md`);
  const gitlab = ".gitlab/merge_request_templates";
  expect(chooseTemplate([`${gitlab}/Bug.md`, `${gitlab}/Default.md`], "gitlab")).toBe(`${gitlab}/Default.md`);
});

it("ignores pages with similar names", () => {
  const pages = [
    "docs/default.md",
    "default.md",
    "guides/pull_request_template.md",
    "docs/pull_request_template_old.md",
  ];
  expect(chooseTemplate(pages, "github")).toBe(null);
});
