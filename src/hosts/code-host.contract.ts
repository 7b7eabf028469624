import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import type { CodeHost, HostedRepository } from "./code-host.ts";

/** One code host with one repository, whose branch `main` has `index.md` ("one\n") and `guide.md` ("guide\n"). */
export interface CodeHostHarness extends AsyncDisposable {
  host: CodeHost;
  repoStore: RepoStore;
  repository: HostedRepository;
  /** The commit of `main`, which `repoStore` has. */
  main: ObjectId;
  /** A second interface to the same host, as another process would have it. */
  secondHost(): CodeHost;
}

const author = { name: "Docent", email: "docent@example.com" };

/**
 * The tests that every code host passes; called inside a `describe`. `hasPushes`: whether to test pushing as well, which
 * is the same code for all remote hosts.
 */
export function testCodeHost(open: () => Promise<CodeHostHarness>, { hasPushes = true } = {}): void {
  let harness: CodeHostHarness;
  let main: ObjectId;

  beforeEach(async () => {
    harness = await open();
    main = harness.main;
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  const commit = async (parent: ObjectId, files: Record<string, string>, message = "Edit") => {
    const { repoStore, repository } = harness;
    const edits = Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) }));
    const tree = await repoStore.snapshot(repository.projectId, { base: parent, edits });
    return repoStore.commit(repository.projectId, { tree, parents: [parent], message, author, at: new Date(0) });
  };
  const push = (branch: string, to: ObjectId, expected: ObjectId | null) =>
    harness.host.push(harness.repository, { branch, commit: to, expected });
  const pushFiles = async (branch: string, files: Record<string, string>, message?: string) => {
    const made = await commit(main, files, message);
    expect(await push(branch, made, null)).toEqual({ outcome: "pushed" });
    return made;
  };
  const ensure = (head: string, change: Partial<Parameters<CodeHost["ensurePullRequest"]>[1]> = {}) =>
    harness.host.ensurePullRequest(harness.repository, {
      head,
      base: "main",
      title: "Change the page",
      body: "Because.",
      draft: false,
      ...change,
    });
  const open1 = async (head: string, files: Record<string, string> = { "index.md": "two\n" }) => {
    const headCommit = await pushFiles(head, files);
    const ensured = await ensure(head);
    if (ensured.outcome !== "created") throw new Error(`expected a new pull request, got ${ensured.outcome}`);
    return { headCommit, pullRequest: ensured.pullRequest };
  };
  const merge = (number: number, expectedHead: ObjectId | null = null) =>
    harness.host.mergePullRequest(harness.repository, number, { expectedHead });
  const get = (number: number) => harness.host.getPullRequest(harness.repository, number);
  const tip = (branch: string) => harness.host.fetchBranch(harness.repository, branch);
  const read = async (id: ObjectId, path: string) => {
    const { repoStore, repository } = harness;
    const entry = (await repoStore.tree(repository.projectId, id)).find((file) => file.path === path);
    return entry && (await repoStore.readBlob(repository.projectId, entry.oid)).toString();
  };

  it("returns a clone address without credentials", () => {
    const url = new URL(harness.host.repositoryUrl(harness.repository));
    expect([url.username, url.password]).toEqual(["", ""]);
  });

  it("returns the newest commit of a branch, and null for one that does not exist", async () => {
    expect(await tip("main")).toBe(main);
    expect(await tip("none")).toBeNull();
    expect(await tip("../main")).toBeNull();
  });

  describe.runIf(hasPushes)("push", () => {
    it("creates a branch and moves it forward", async () => {
      const first = await pushFiles("agent/one", { "index.md": "two\n" });
      const second = await commit(first, { "index.md": "three\n" });
      expect(await push("agent/one", second, first)).toEqual({ outcome: "pushed" });
      expect(await tip("agent/one")).toBe(second);
    });

    it("reports that the branch moved when another push came first", async () => {
      const theirs = await pushFiles("agent/one", { "index.md": "theirs\n" });
      const ours = await commit(main, { "index.md": "ours\n" });
      expect(await push("agent/one", ours, null)).toEqual({ outcome: "moved" });
      expect(await push("agent/one", ours, main)).toEqual({ outcome: "moved" });
      expect(await tip("agent/one")).toBe(theirs);
    });

    it("accepts the same push again, as after a crash", async () => {
      const made = await pushFiles("agent/one", { "index.md": "two\n" });
      expect(await push("agent/one", made, null)).toEqual({ outcome: "pushed" });
    });

    it("never removes commits", async () => {
      const first = await pushFiles("agent/one", { "index.md": "two\n" });
      const elsewhere = await commit(main, { "index.md": "rewritten\n" });
      expect(await push("agent/one", elsewhere, first)).toMatchObject({ outcome: "denied" });
      expect(await tip("agent/one")).toBe(first);
    });

    it("denies an invalid branch name", async () => {
      for (const branch of ["", "-x", "a..b", "HEAD", "a b", "x.lock"]) {
        expect(await push(branch, main, null)).toMatchObject({ outcome: "denied" });
      }
    });

    it("distinguishes a name that conflicts with a branch above or below it from a refused one", async () => {
      await pushFiles("agent/one/more", { "index.md": "two\n" });
      for (const branch of ["main/sub", "agent/one"]) {
        expect(await push(branch, main, null)).toMatchObject({ outcome: "name_taken" });
      }
    });
  });

  describe("ensurePullRequest", () => {
    it("opens one pull request and returns all of its fields", async () => {
      const { pullRequest, headCommit } = await open1("agent/one");
      expect(pullRequest).toMatchObject({
        number: 1,
        state: "open",
        draft: false,
        title: "Change the page",
        body: "Because.",
        head: { branch: "agent/one", commit: headCommit },
        base: { branch: "main" },
        mergedCommit: null,
      });
      expect(new URL(pullRequest.url).pathname).toMatch(/1$/);
      expect(await get(1)).toEqual(pullRequest);
      expect(await harness.host.findPullRequest(harness.repository, "agent/one")).toEqual(pullRequest);
    });

    it("finds an open one again, and updates title, body and draft state", async () => {
      await open1("agent/one");
      expect(await ensure("agent/one")).toMatchObject({ outcome: "unchanged", pullRequest: { number: 1 } });
      const changed = await ensure("agent/one", { title: "Better", body: "More.", draft: true });
      expect(changed).toMatchObject({
        outcome: "updated",
        pullRequest: { number: 1, title: "Better", body: "More.", draft: true },
      });
      expect(await get(1)).toMatchObject({ title: "Better", draft: true });
    });

    it("shows commits that were pushed later", async () => {
      const { headCommit } = await open1("agent/one");
      const next = await commit(headCommit, { "index.md": "three\n" });
      await push("agent/one", next, headCommit);
      expect(await get(1)).toMatchObject({ head: { commit: next } });
    });

    it("returns `empty` when the branch has no commit of its own", async () => {
      await push("agent/one", main, null);
      expect(await ensure("agent/one")).toEqual({ outcome: "empty" });
      expect(await ensure("main")).toEqual({ outcome: "empty" });
      expect(await harness.host.findPullRequest(harness.repository, "agent/one")).toBeNull();
    });

    it("throws not_found for a branch that does not exist", async () => {
      await expect(ensure("none")).rejects.toMatchObject({ code: "not_found" });
      await pushFiles("agent/one", { "index.md": "two\n" });
      await expect(ensure("agent/one", { base: "none" })).rejects.toMatchObject({ code: "not_found" });
    });

    it("opens one for many concurrent callers in several processes", async () => {
      await pushFiles("agent/one", { "index.md": "two\n" });
      const second = harness.secondHost();
      const wanted = { head: "agent/one", base: "main", title: "T", body: "", draft: false };
      const ensured = await Promise.all(
        Array.from({ length: LONG_TESTS ? 200 : 40 }, (_, index) =>
          (index % 2 ? second : harness.host).ensurePullRequest(harness.repository, wanted),
        ),
      );
      expect(ensured.filter((one) => one.outcome === "created")).toHaveLength(1);
      expect(new Set(ensured.map((one) => ("pullRequest" in one ? one.pullRequest.number : null)))).toEqual(
        new Set([1]),
      );
    });

    it("numbers the pull requests of different branches one after another", async () => {
      const branches = Array.from({ length: 4 }, (_, index) => `agent/${index}`);
      for (const branch of branches) await pushFiles(branch, { "index.md": branch });
      const second = harness.secondHost();
      const ensured = await Promise.all(
        branches.map((head, index) =>
          (index % 2 ? second : harness.host).ensurePullRequest(harness.repository, {
            head,
            base: "main",
            title: head,
            body: "",
            draft: false,
          }),
        ),
      );
      const numbers = ensured.map((one) => ("pullRequest" in one ? one.pullRequest.number : 0));
      expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4]);
    });

    it("opens a new one when the last one was merged or closed", async () => {
      await open1("agent/one");
      await harness.host.closePullRequest(harness.repository, 1);
      const again = await ensure("agent/one");
      expect(again).toMatchObject({ outcome: "created", pullRequest: { number: 2 } });
      expect(await harness.host.findPullRequest(harness.repository, "agent/one")).toMatchObject({ number: 2 });
      expect(await get(1)).toMatchObject({ state: "closed" });
    });

    it("stores any text", async () => {
      await pushFiles("agent/one", { "index.md": "two\n" });
      const ensured = await ensure("agent/one", {
        title: "Q\0uotes \"'` 💡\ud800",
        body: "\0<script>\n".repeat(20_000),
      });
      if (ensured.outcome !== "created") throw new Error("not created");
      expect(ensured.pullRequest.title).toMatch(/^Quotes "'` 💡/);
      expect(ensured.pullRequest.body.length).toBeLessThanOrEqual(65_536);
      expect(await get(1)).toEqual(ensured.pullRequest);
    });
  });

  describe("updatePullRequest", () => {
    const change = { title: "Better", body: "More.", draft: true };
    const update = (number: number, words: Partial<typeof change> = {}) =>
      harness.host.updatePullRequest(harness.repository, number, { ...change, ...words });

    it("changes title, body and draft state of an open one", async () => {
      await open1("agent/one");
      expect(await update(1)).toMatchObject({
        outcome: "updated",
        pullRequest: { ...change, number: 1, state: "open" },
      });
      expect(await update(1)).toMatchObject({ outcome: "unchanged", pullRequest: change });
      expect(await update(1, { draft: false })).toMatchObject({ outcome: "updated", pullRequest: { draft: false } });
      expect(await get(1)).toMatchObject({ ...change, draft: false });
    });

    it("leaves an ended one unchanged, and opens none although its branch still exists", async () => {
      const { headCommit, pullRequest } = await open1("agent/one");
      await harness.host.closePullRequest(harness.repository, 1);
      expect(await update(1)).toMatchObject({ outcome: "ended", pullRequest: { number: 1, state: "closed" } });
      expect(await get(1)).toMatchObject({ title: pullRequest.title, body: pullRequest.body, state: "closed" });
      await ensure("agent/one");
      await merge(2);
      expect(await push("agent/one", headCommit, null)).toEqual({ outcome: "pushed" });
      expect(await update(2)).toMatchObject({ outcome: "ended", pullRequest: { number: 2, state: "merged" } });
      expect(await harness.host.findPullRequest(harness.repository, "agent/one")).toMatchObject({ number: 2 });
    });

    it("throws not_found for a number that does not exist", async () => {
      await expect(update(1)).rejects.toMatchObject({ code: "not_found" });
    });
  });

  describe("mergePullRequest", () => {
    it("squashes all changes into one commit on the base branch and deletes the branch", async () => {
      const first = await pushFiles("agent/one", { "index.md": "two\n" }, "First\n\nJob: 7");
      const second = await commit(first, { "new.md": "new\n" }, "Second");
      await push("agent/one", second, first);
      await ensure("agent/one");
      const merged = await merge(1, second);
      expect(merged).toMatchObject({ ok: true });
      const after = (await tip("main"))!;
      expect(merged.ok && merged.commit).toBe(after);
      expect([await read(after, "index.md"), await read(after, "new.md"), await read(after, "guide.md")]).toEqual([
        "two\n",
        "new\n",
        "guide\n",
      ]);
      const { repoStore, repository } = harness;
      const [made, ...more] = await repoStore.log(repository.projectId, { base: main, head: after, limit: 9 });
      expect(more).toEqual([]);
      // The host chooses the number; it need not start at 1.
      expect(made?.subject).toMatch(/^Change the page \(#\d+\)$/);
      expect(made).toMatchObject({ body: "Because.", trailers: { Job: "7" } });
      expect(await tip("agent/one")).toBeNull();
      expect(await get(1)).toMatchObject({ state: "merged", mergedCommit: after, head: { commit: second } });
    });

    it("keeps commits that the base branch got meanwhile", async () => {
      await open1("agent/one");
      const meanwhile = await commit(main, { "guide.md": "meanwhile\n" });
      await push("main", meanwhile, main);
      expect(await merge(1)).toMatchObject({ ok: true });
      const after = (await tip("main"))!;
      expect([await read(after, "index.md"), await read(after, "guide.md")]).toEqual(["two\n", "meanwhile\n"]);
    });

    it("names the files in conflict and changes nothing", async () => {
      await open1("agent/one");
      const meanwhile = await commit(main, { "index.md": "meanwhile\n" });
      await push("main", meanwhile, main);
      expect(await merge(1)).toMatchObject({ ok: false, reason: "conflict", paths: ["index.md"] });
      expect(await tip("main")).toBe(meanwhile);
      expect(await get(1)).toMatchObject({ state: "open" });
    });

    it("refuses when the branch has commits that the caller has not seen", async () => {
      const { headCommit } = await open1("agent/one");
      const next = await commit(headCommit, { "index.md": "three\n" });
      await push("agent/one", next, headCommit);
      expect(await merge(1, headCommit)).toMatchObject({ ok: false, reason: "head_moved" });
      expect(await tip("main")).toBe(main);
    });

    it("refuses a draft, a closed and a merged pull request", async () => {
      await open1("agent/one");
      await ensure("agent/one", { draft: true });
      expect(await merge(1)).toMatchObject({ ok: false, reason: "draft" });
      await open1("agent/two", { "two.md": "2" });
      await harness.host.closePullRequest(harness.repository, 2);
      expect(await merge(2)).toMatchObject({ ok: false, reason: "not_open" });
      await ensure("agent/one");
      expect(await merge(1)).toMatchObject({ ok: true });
      expect(await merge(1)).toMatchObject({ ok: false, reason: "not_open" });
    });

    it("throws not_found for a number that does not exist", async () => {
      for (const number of [1, 0, -1, 1.5, 2 ** 40, Number.NaN]) {
        await expect(merge(number)).rejects.toMatchObject({ code: "not_found" });
        expect(await get(number)).toBeNull();
      }
    });

    it("loses no change when several are merged at once", async () => {
      const branches = Array.from({ length: LONG_TESTS ? 8 : 4 }, (_, index) => `agent/${index}`);
      for (const [index, branch] of branches.entries()) await open1(branch, { [`page-${index}.md`]: "x" });
      const merges = await Promise.all(branches.map((_, index) => merge(index + 1)));
      expect(merges.map((outcome) => outcome.ok)).toEqual(branches.map(() => true));
      const { repoStore, repository } = harness;
      const after = (await tip("main"))!;
      expect(await repoStore.log(repository.projectId, { base: main, head: after, limit: 99 })).toHaveLength(
        branches.length,
      );
      expect(await repoStore.tree(repository.projectId, after)).toHaveLength(2 + branches.length);
    });
  });

  describe("closePullRequest", () => {
    it("closes it and leaves both branches alone; closing again changes nothing", async () => {
      const { headCommit } = await open1("agent/one");
      await harness.host.closePullRequest(harness.repository, 1);
      await harness.host.closePullRequest(harness.repository, 1);
      expect(await get(1)).toMatchObject({ state: "closed", mergedCommit: null });
      expect([await tip("agent/one"), await tip("main")]).toEqual([headCommit, main]);
    });
  });
}
