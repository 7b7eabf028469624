import type { ObjectId } from "#git/objects/objects.ts";
import { forEachRef } from "./references.ts";
import type { Repository } from "#git/process/runner.ts";

/** A branch with metadata of its newest commit. */
export interface RecentBranch {
  name: string;
  commit: ObjectId;
  subject: string;
  author: string;
  committedAt: Date;
}

/** The branches with the newest commits, newest first. */
export async function listRecentBranches(repository: Repository, limit: number): Promise<RecentBranch[]> {
  const format = ["objecttype", "objectname", "committerdate:unix", "refname", "authorname", "contents:subject"];
  const options = [
    `--count=${limit}`,
    "--sort=-committerdate",
    `--format=${format.map((field) => `%(${field})`).join("%00")}`,
  ];
  const found = (await forEachRef(repository, options, "refs/heads")).flatMap((line) => {
    const [type, commit = "", seconds, name = "", author = "", subject = ""] = line.split("\0");
    if (type !== "commit") return [];
    const committedAt = new Date(Number(seconds) * 1000);
    return [{ name: name.slice("refs/heads/".length), commit, subject, author, committedAt }];
  });
  // Beside a damaged one they come in parts, each with its newest ones.
  return found.toSorted((a, b) => b.committedAt.getTime() - a.committedAt.getTime()).slice(0, limit);
}
