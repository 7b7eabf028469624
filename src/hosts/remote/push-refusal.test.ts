import { expect, it } from "vitest";
import { readRefusal } from "./push-refusal.ts";

// The hosts' messages, as of 2026: what git prints after "remote:", and the reason of the reference.
it.each([
  [
    "GitHub",
    "GH006: Protected branch update failed for refs/heads/docent/one. protected branch hook declined",
    /^A rule protects this branch\. Ask an administrator to let this token push/,
  ],
  ["GitHub", "GH013: Repository rule violations found. push declined due to repository rule violations", /^A rule/],
  [
    "GitHub",
    "GH013: Repository rule violations found. - Commits must have verified signatures.",
    /^The host wants signed commits\. Ask an administrator/,
  ],
  ["GitHub", "This repository was archived so it is read-only.", /^The repository is archived or read-only\. Ask its/],
  [
    "GitLab",
    "GitLab: You are not allowed to push code to protected branches on this project. pre-receive hook declined",
    /^A rule protects this branch\./,
  ],
  [
    "GitLab",
    'GitLab: Pushes to protected branches that contain changes to files that match patterns defined in "CODEOWNERS" are disallowed',
    /^A rule protects this branch\..*"CODEOWNERS"/,
  ],
  [
    "GitLab",
    "GitLab: Your push to this repository has been rejected because this repository has exceeded its size limit",
    /^The repository is over its host's limits\. Ask/,
  ],
  ["GitLab", "GitLab: Commit message does not follow the pattern 'DOC-'", /^A rule of the host refused the push\. Ask/],
  ["GitLab", "GitLab: Commit must be signed with a GPG key", /^The host wants signed commits\./],
  ["GitLab", "GitLab: The project is read-only", /^The repository is archived or read-only\./],
  ["Gitea", "Gitea: Not allowed to push to protected branch docent/one", /^A rule protects this branch\./],
  ["Forgejo", "Forgejo: quota exceeded", /^The repository is over its host's limits\./],
])(
  "explains who can do what when %s refuses a push with “%s”, in the job and at the connection",
  (host, gitError, expected) => {
    const { push, trouble } = readRefusal(host, gitError);
    expect(push).toMatchObject({ outcome: "denied", reason: trouble });
    expect(trouble).toMatch(expected);
    expect(trouble).toContain(`It said: ${gitError}`);
  },
);

it.each([
  ["GH001: Large files detected. File video.mp4 is 120 MB; this exceeds GitHub's file size limit", /^A file is larger/],
  ["GH009: Secrets detected! Push cannot contain secrets", /^The host found a secret/],
  ["refusing to allow a Personal Access Token to create or update workflow `x` without `workflow` scope", /^The token/],
])("says nothing at the connection when a push is refused for its content, “%s”", (gitError, expected) => {
  const { push, trouble } = readRefusal("GitHub", gitError);
  expect("reason" in push && push.reason).toMatch(expected);
  expect(trouble).toBe(null);
});

it("a name that conflicts with another branch is not a refusal", () => {
  const gitError = "cannot lock ref 'refs/heads/docent/one/two': 'refs/heads/docent/one' exists; cannot create";
  expect(readRefusal("GitHub", gitError)).toEqual({
    push: { outcome: "name_taken", reason: "GitHub has a branch above or below this name." },
    trouble: null,
  });
});
