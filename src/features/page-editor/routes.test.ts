import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAudit } from "#features/accounts/audit.ts";
import type { Person } from "#features/accounts/people.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { type Browsing } from "#testing/browsing.ts";
import { ENGINES } from "#testing/databases.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

const FILES = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    navigation: {
      groups: [
        { group: "Guides", pages: ["index", "guides/install"] },
        { group: "Once more", pages: ["index"] },
      ],
    },
  }),
  "index.md": "# Welcome\n\nTo Harbor.\n",
  "guides/install.mdx": "---\r\ntitle: Install\r\n---\r\n\r\nRun it.\r\n\r\n## After\r\n\r\nThe end",
  "guides/hidden.md": "# Not listed\n\nText.\n",
  "snippets/note.mdx": "A note.\n",
  "latin.md": "# Hi\n",
  "package.json": "{}\n",
  "credentials.json": '{"password": "x"}\n',
};
const EDITOR = "/harbor-docs/pages/edit?path=guides%2Finstall.mdx";

describe.each(ENGINES)("the editor of pages on %s", (engine) => {
  let app: TestApp;
  let person: Person;
  let editor: Browsing;
  let viewer: Browsing;

  beforeAll(async () => {
    app = await createTestApp(engine, { files: FILES, canTryChores: true });
    person = await makePerson(app, { role: "editor" });
    editor = await browseAs(app, person);
    viewer = await browseAs(app, await makePerson(app, { role: "viewer" }));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const tip = async (branch = "main") => (await app.repoStore.resolve(app.project.id, `refs/heads/${branch}`))!;
  const textAt = async (commit: string, path: string) => {
    const bytes = await commitSnapshot(app.repoStore, app.project.id, commit).read(path);
    return bytes && Buffer.from(bytes).toString("utf8");
  };
  const push = async (files: Record<string, string | null>, branch = "main") => {
    const expected = await tip(branch);
    const edits = Object.entries(files).map(([path, text]) => ({
      path,
      content: text === null ? null : Buffer.from(text),
    }));
    const tree = await app.repoStore.snapshot(app.project.id, { base: expected, edits });
    const author = { name: "Grace", email: "grace@example.com" };
    const made = { tree, parents: [expected], message: "Shorten the guide\n", author, at: new Date() };
    const commit = await app.repoStore.commit(app.project.id, made);
    expect(await app.codeHost.push(app.repository, { branch, commit, expected })).toEqual({ outcome: "pushed" });
  };
  const send = async (fields: Record<string, string>, to = EDITOR, from = editor) =>
    from.post(to, { base: await tip(), title: 'Edit "Install"', description: "", ...fields });
  const shown = (file: string) => file.replaceAll("\r\n", "\n");
  const hidden = (page: string, name: string) =>
    new RegExp(`name="${name}" value="([0-9a-f]{40})"`).exec(page)?.[1] ?? "";
  const pullRequestAt = async (location: string | null) => {
    const number = Number(/^\/harbor-docs\/pull\/(\d+)$/.exec(location ?? "")?.[1]);
    return (await app.codeHost.getPullRequest(app.repository, number))!;
  };
  const install = FILES["guides/install.mdx"];

  it("lists the pages as the navigation has them, then the other files", async () => {
    const { status, text } = await editor.get("/harbor-docs/pages");
    expect(status).toBe(200);
    const order = ["<h2>Guides</h2>", "index.md", "guides/install.mdx", "Not in the navigation", "guides/hidden.md", "Other files", "docs.json", "snippets/note.mdx"]; // oxfmt-ignore
    const places = order.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).not.toContain("Once more");
    expect(text).toContain('href="http://harbor-docs.localhost:4000/guides/install"');
    const found = await editor.get("/harbor-docs/pages?search=NOT+listed");
    expect(found.text).toContain("guides/hidden.md");
    expect(found.text).not.toContain("guides/install.mdx");
    expect((await editor.get("/harbor-docs/pages?search=zebra")).text).toContain(
      "No page has “zebra” in its title or path.",
    );
  });

  it("proposes a change as one commit of the person with one pull request, and keeps the file's line ends", async () => {
    const base = await tip();
    const sent = await send({
      text: shown(install).replace("Run it.", "Run it twice."),
      description: "Once is not enough.",
    });
    expect(sent.status).toBe(303);
    const pullRequest = await pullRequestAt(sent.location);
    expect(pullRequest).toMatchObject({
      state: "open",
      draft: false,
      title: 'Edit "Install"',
      body: "Once is not enough.",
    });
    expect(pullRequest.head.branch).toMatch(/^edit\/guides-install-[0-9a-f]{8}$/);
    const commits = await app.repoStore.log(app.project.id, { base, head: pullRequest.head.commit, limit: 9 });
    expect(commits).toMatchObject([{ subject: 'Edit "Install"', body: "Once is not enough.", parents: [base] }]);
    expect(commits[0]!.author).toEqual({ name: person.name, email: person.email });
    const text = await textAt(pullRequest.head.commit, "guides/install.mdx");
    expect(text).toBe(install.replace("Run it.", "Run it twice."));
    expect(await tip()).toBe(base);
    const page = await editor.get(sent.location!);
    expect(page.text).toContain(`<b>${person.name}</b> wants to merge 1 commit into`);
    expect(page.text).toContain(`<span class="by">${person.name}</span>`);
    expect((await editor.get("/harbor-docs/pulls")).text).toContain(`open · by ${person.name} ·`);
    const [event] = await listAudit(app.database.kysely, {
      projectId: app.project.id,
      filter: {},
      before: null,
      limit: 1,
    });
    expect(event).toMatchObject({
      action: "pages/edit",
      subject: `guides/install.mdx in pull request #${pullRequest.number}`,
      actor: { name: person.name },
    });
  });

  it("opens one pull request for a form that is sent again", async () => {
    const base = await tip();
    const text = shown(install).replace("Run it.", "Run it again.");
    const sent = await Promise.all(Array.from({ length: 3 }, () => send({ base, text })));
    const late = await send({ base, text });
    expect(new Set([...sent, late].map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    const other = await send({ base, text, title: "Another title" });
    expect(other.location).not.toBe(late.location);
  });

  it("names the open pull requests that change the file already", async () => {
    const text = shown(install).replace("Run it.", "Run it once more.");
    const { number } = await pullRequestAt((await send({ text })).location);
    expect((await editor.get(EDITOR)).text).toContain(`<a href="/harbor-docs/pull/${number}" title="Edit`);
    expect((await editor.get("/harbor-docs/pages/edit?path=index.md")).text).not.toContain(
      "An open pull request changes",
    );
  });

  it("proposes a change where a branch is named edit", async () => {
    await using other = await createTestApp(engine, { files: FILES });
    const by = await browseAs(other, await makePerson(other, { role: "editor" }));
    const base = (await other.repoStore.resolve(other.project.id, "refs/heads/main"))!;
    await other.codeHost.push(other.repository, { branch: "edit", commit: base, expected: null });
    const sent = await by.post(EDITOR, { base, title: "Shorten", description: "", text: "Short.\n" });
    const [branch] = (await other.repoStore.branches(other.project.id)).filter(({ name }) => name.startsWith("edit-"));
    expect({ status: sent.status, branch: branch?.name }).toEqual({
      status: 303,
      branch: expect.stringMatching(/^edit-guides-install-[0-9a-f]{8}$/) as string,
    });
  });

  it("refuses a text without a change, and keeps everything that was entered", async () => {
    const sent = await send({ text: shown(install), title: "My <title>", description: "Why" });
    expect(sent.status).toBe(400);
    expect(sent.text).toContain("Nothing is changed: the text is the same as on main.");
    expect(sent.text).toContain('value="My &lt;title&gt;"');
    const untitled = await send({ text: "Other text & <more>\n", title: " " });
    expect(untitled.status).toBe(400);
    expect(untitled.text).toContain("The title must not be empty.");
    const torn = await send({ text: "Other", description: "a\0b" });
    expect(torn.text).toContain("The description contains a NUL character");
    expect(untitled.text).toContain("Other text &amp; &lt;more&gt; </textarea>");
  });

  it("tells the second person what the first one changed, and overwrites nothing", async () => {
    const base = await tip();
    const text = "# Welcome\n\nTo Harbor, the port.\n";
    await push({ "index.md": "# Welcome\n\nTo the new Harbor.\n" });
    const to = "/harbor-docs/pages/edit?path=index.md";
    const late = await send({ base, text }, to);
    expect(late.status).toBe(409);
    expect(late.text).toContain("This file changed on main since you opened it.");
    expect(late.text).toContain("<b>Grace</b> changed it");
    expect(late.text).toContain("To <ins>the new </ins>Harbor.");
    expect(late.text).toContain("To Harbor, the port. </textarea>");
    expect(late.text).toContain("Both changed the same place.");
    expect(hidden(late.text, "base")).toBe(base);
    // Sent again as it is, as by a click or with a draft that a browser restored.
    expect((await send({ base, seen: hidden(late.text, "seen"), text }, to)).status).toBe(409);
    expect(await textAt(await tip(), "index.md")).toBe("# Welcome\n\nTo the new Harbor.\n");
  });

  it("keeps browsers from putting old text on a newer version after a reload", async () => {
    // They restore what was typed into a text area, but not the hidden commit that it is based on.
    expect((await editor.get(EDITOR)).text).toMatch(/<form class="form editor"[^>]* autocomplete="off"/);
  });

  it("replaces a version of others only on demand, and only the version that was shown", async () => {
    const to = "/harbor-docs/pages/edit?path=fought.md";
    const text = "Mine.\n";
    await push({ "fought.md": "First.\n" });
    const base = await tip();
    await push({ "fought.md": "Second.\n" });
    const late = await send({ base, text }, to);
    expect(late.text).toContain('<button class="button" name="do" value="replace">Replace this version</button>');
    const seen = hidden(late.text, "seen");
    await push({ "fought.md": "Third.\n" });
    const again = await send({ base, seen, text, do: "replace" }, to);
    expect(again.status).toBe(409);
    expect(again.text).toContain("<td>Third.</td>");
    const sent = await send({ base, seen: hidden(again.text, "seen"), text, do: "replace" }, to);
    const { head } = await pullRequestAt(sent.location);
    expect(await textAt(head.commit, "fought.md")).toBe(text);
    expect((await app.repoStore.log(app.project.id, { base: null, head: head.commit, limit: 1 }))[0]!.parents).toEqual([
      await tip(),
    ]);
  });

  it("creates a file again that others removed only on demand", async () => {
    await push({ "removed.md": "First.\n" });
    const base = await tip();
    await push({ "removed.md": null });
    const to = "/harbor-docs/pages/edit?path=removed.md";
    const late = await send({ base, text: "Mine.\n" }, to);
    expect(late.status).toBe(409);
    expect(late.text).toContain("<code>removed.md</code> was removed or moved.");
    const sent = await send({ base, seen: hidden(late.text, "seen"), text: "Mine.\n", do: "replace" }, to);
    expect(await textAt((await pullRequestAt(sent.location)).head.commit, "removed.md")).toBe("Mine.\n");
  });

  it("does nothing for an unknown button", async () => {
    const before = await app.codeHost.listPullRequests(app.repository, { state: "open", limit: 50, before: null });
    const sent = await send({ text: "Other text.\n", do: "publish" });
    expect(sent.status).toBe(400);
    expect(sent.text).toContain("A form of the editor can propose, replace, combine, preview, problems");
    const after = await app.codeHost.listPullRequests(app.repository, { state: "open", limit: 50, before: null });
    expect(after).toEqual(before);
  });

  it("combines both changes where they are in different places", async () => {
    await push({ "long.md": "# Long\n\nOne.\n\nTwo.\n\nThree.\n" });
    const base = await tip();
    await push({ "long.md": "# Long\n\nOne, by Grace.\n\nTwo.\n\nThree.\n" });
    const to = "/harbor-docs/pages/edit?path=long.md";
    const text = "# Long\n\nOne.\n\nTwo.\n\nThree, by me.\n";
    const late = await send({ base, text }, to);
    expect(late.text).toContain("Combine both");
    const seen = hidden(late.text, "seen");
    await push({ "long.md": "# Long\n\nOne, by Grace.\n\nTwo, by Grace.\n\nThree.\n" });
    const combined = await send({ base, seen, text, do: "combine" }, to);
    expect(combined.status).toBe(200);
    expect(combined.text).toContain("# Long One, by Grace. Two. Three, by me. </textarea>");
    // What came after the version that was combined is not overwritten either.
    expect(hidden(combined.text, "base")).toBe(seen);
    const both = "# Long\n\nOne, by Grace.\n\nTwo.\n\nThree, by me.\n";
    expect((await send({ base: seen, text: both }, to)).status).toBe(409);
  });

  it("shows viewers the source without a way to change it", async () => {
    const page = await viewer.get(EDITOR);
    expect(page.status).toBe(200);
    expect(page.text).toContain("readonly");
    expect(page.text).not.toContain("Propose changes");
    expect((await send({ text: "x" }, EDITOR, viewer)).status).toBe(403);
  });

  it("refuses a form without its token, another project's address and a file that is not there", async () => {
    expect((await send({ text: "x", csrf: "wrong" })).status).toBe(403);
    const other = await app.makeProject("Other docs");
    expect((await editor.get(`/${other.slug}/pages/edit?path=index.md`)).status).toBe(404);
    expect((await editor.get("/harbor-docs/pages/edit?path=gone.md")).status).toBe(404);
    expect((await editor.get("/harbor-docs/pages/edit?path=index.md&pull=999")).status).toBe(404);
    expect((await send({ text: "x", base: "0".repeat(40) })).status).toBe(400);
  });

  it("renders a draft without storing it, and names the problems with their lines", async () => {
    const text = "---\ntitle: Install\n---\n\n<Nothing>Fresh words</Nothing>\n\n[away](/missing)\n";
    const base = await tip();
    const page = await send({ text, do: "preview" });
    expect(page.status).toBe(200);
    expect(page.text).toContain("Fresh words");
    expect(page.headers.get("content-security-policy")).toContain("sandbox allow-same-origin");
    const problems = await send({ text, do: "problems" });
    expect(problems.text).toContain('data-line="7"');
    expect(problems.text).toContain("/missing");
    expect(problems.text).toContain("&lt;Nothing&gt;");
    expect(await tip()).toBe(base);
    const audited = await listAudit(app.database.kysely, {
      projectId: app.project.id,
      filter: {},
      before: null,
      limit: 50,
    });
    expect(audited.map(({ action }) => action)).not.toContain("previewPage");
  });

  it("ends the preview of an earlier text when a newer one is sent", async () => {
    for (const wanted of ["preview", "problems"]) {
      const sendTwo = async () => {
        const texts = ["One", "Two"].map((first) => first + " word".repeat(10_000));
        const answers = await Promise.all(texts.map((text) => send({ text, do: wanted })));
        const [newer, older] = answers.sort((a, b) => a.status - b.status); // either may arrive first
        return [newer!.status, older!.status, older!.status === 409 && older!.text];
      };
      // On a busy machine the first may be rendered before the second arrives.
      await expect.poll(sendTwo, { timeout: 10_000 }).toEqual([200, 409, "A newer text was sent meanwhile."]);
    }
  });

  it("renders the drafts of two people at the same time", async () => {
    const other = await browseAs(app, await makePerson(app, { role: "editor" }));
    const sent = [editor, other].map((from) => send({ text: "New", do: "preview" }, EDITOR, from));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("does not check a large text while it is typed", async () => {
    const { text } = await send({ text: "word ".repeat(60_000), do: "problems" });
    expect(text).toContain("The text has 293 KiB, and up to 256 KiB are checked while you type.");
  });

  it("adds a commit to an open pull request, on whatever others pushed meanwhile", async () => {
    const first = await pullRequestAt((await send({ text: `${shown(install)} of it` })).location);
    const to = `${EDITOR}&pull=${first.number}`;
    const page = await editor.get(to);
    expect(page.text).toContain("Commit to this pull request");
    const files = await editor.get(`/harbor-docs/pull/${first.number}/files`);
    expect(files.text).toContain(`href="${to.replaceAll("&", "&amp;")}&amp;line=9">Edit</a>`);
    await push({ "added.md": "# Added\n" }, first.head.branch);
    const sent = await send({ base: first.head.commit, text: `${shown(install)} of all` }, to);
    expect(sent.location).toBe(`/harbor-docs/pull/${first.number}`);
    const now = await pullRequestAt(sent.location);
    expect(await textAt(now.head.commit, "guides/install.mdx")).toBe(`${install} of all`);
    expect(await textAt(now.head.commit, "added.md")).toBe("# Added\n");
    await app.codeHost.closePullRequest(app.repository, first.number);
    expect(await editor.get(to)).toMatchObject({ status: 303, location: `/harbor-docs/pull/${first.number}` });
  });

  it("begins a new page with its front matter, and adds it to the navigation in the same pull request", async () => {
    const asked = "title=Run+%22it%22&description=How&path=guides%2Frun.mdx";
    const page = await editor.get(`/harbor-docs/pages/new?${asked}`);
    expect(page.text).toContain("title: &quot;Run \\&quot;it\\&quot;&quot; description: &quot;How&quot;");
    expect(page.text).toContain("Add it to the navigation");
    const to = "/harbor-docs/pages/edit?path=guides%2Frun.mdx&new=yes";
    const text = "---\ntitle: Run\n---\n\nRun.\n";
    const made = await pullRequestAt((await send({ text, title: "Add Run", navigation: "yes" }, to)).location);
    expect(made.body).toBe("Added the page “Run” (guides/run.mdx) under “Guides”.");
    expect(await textAt(made.head.commit, "guides/run.mdx")).toBe(text);
    expect(JSON.parse((await textAt(made.head.commit, "docs.json"))!)).toMatchObject({
      navigation: { groups: [{ pages: ["index", "guides/install", "guides/run"] }, { pages: ["index"] }] },
    });
    const untitled = { text: "Run.\n", title: "Add Run", navigation: "yes" };
    const named = await pullRequestAt((await send(untitled, to)).location);
    expect(named.body).toBe("Added the page “guides/run.mdx” (guides/run.mdx) under “Guides”.");
    const without = await pullRequestAt((await send({ text, title: "Add Run" }, to)).location);
    expect(await textAt(without.head.commit, "docs.json")).toBe(FILES["docs.json"]);
  });

  it.each([
    ["guides/run.txt", "ends in .md or .mdx"],
    ["guides/../../run.md", "must not contain"],
    ["guides/install.md", "There is a page with this address already: guides/install.mdx"],
    ["index.md", "There is a file index.md already."],
    [".github/run.md", "belongs to git"],
    ["a:b.md", "holds one of"],
  ])("refuses the path of a new page: %s", async (path, problem) => {
    const { status, text } = await editor.get(`/harbor-docs/pages/new?title=Run&path=${encodeURIComponent(path)}`);
    expect(status).toBe(400);
    expect(text).toContain(problem);
    expect(text).toContain(`value="${path}"`);
  });

  it.each([
    ["package.json", "changes only documentation"],
    ["credentials.json&new=yes", "usually hold credentials"],
    ["scripts%2Ftest.js", "ends in .md or .mdx"],
    ["src%2Fevil.js&new=yes", "ends in .md or .mdx"],
    ["node_modules%2Fx.md&new=yes", "no page of the site"],
    ["INDEX.md&new=yes", "There is a page with this address already"],
    ["guides%2FHidden.md&new=yes", "differs only in case"],
  ])("writes and previews nothing at %s", async (path, problem) => {
    const to = `/harbor-docs/pages/edit?path=${path}`;
    const sent = await send({ text: "x" }, to);
    expect(sent.status).toBe(400);
    expect(sent.text).toContain(problem);
    expect((await send({ text: "x", do: "combine", seen: await tip() }, to)).status).toBe(400);
  });

  it("refuses a new page that the repository's tool does not show", async () => {
    await using other = await createTestApp(engine, {
      files: { "mkdocs.yml": "site_name: T\n", "docs/index.md": "# T\n" },
    });
    const admin = await browseAs(other, await makePerson(other, { role: "admin" }));
    const at = (path: string) => admin.get(`/harbor-docs/pages/new?title=Run&path=${path}`);
    expect((await at("docs/run.md")).text).toContain("--- title: &quot;Run&quot; ---");
    expect((await at("docs/run.md")).text).toContain("The navigation follows the folders of the docs");
    const refused = await at("docs/run.mdx");
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("MkDocs shows no page at docs/run.mdx: choose another folder or extension.");
    expect(refused.text).toContain('placeholder="docs/guides/install.md"');
  });

  it("names the file whose code makes the navigation, in place of adding a new page to it", async () => {
    const config = "export default { locales: { root: { label: 'English' }, de: { label: 'Deutsch' } } }\n";
    await using other = await createTestApp(engine, {
      files: { ".vitepress/config.js": config, "index.md": "# T\n", "de/index.md": "# T\n" },
    });
    const admin = await browseAs(other, await makePerson(other, { role: "admin" }));
    const { text } = await admin.get("/harbor-docs/pages/new?title=Run&path=run.md");
    expect(text).toContain("The navigation is made in <code>.vitepress/config.js</code>");
    expect(text).not.toContain("Add it to the navigation");
  });

  it("derives the path of a new page from its title, with the extension of most pages", async () => {
    const page = await editor.get("/harbor-docs/pages/new?title=Set+sail&path=guides%2F");
    expect(page.text).toContain("<code>guides/set-sail.md</code>");
    expect(page.text).toContain("--- title: &quot;Set sail&quot; --- </textarea>");
  });

  it.each(["a\u001B[2Jb", "a\u202Eb", "a\u2028b"])("refuses the title %j", async (title) => {
    const sent = await send({ text: "x", title });
    expect(sent.text).toContain("The title must not contain control characters.");
  });

  it("does not propose a configuration that cannot be read", async () => {
    const sent = await send(
      { text: '{\n"name": "Harbor"\n"navigation": []}' },
      "/harbor-docs/pages/edit?path=docs.json",
    );
    expect(sent.status).toBe(400);
    expect(sent.text).toContain("docs.json cannot be read in line 3, and the site would lose its navigation.");
  });

  it("lands saves of different files to one pull request that come at once", async () => {
    const first = await pullRequestAt((await send({ text: `${shown(install)} first` })).location);
    const sent = ["a", "b", "c", "d", "e"].map((name) =>
      send(
        { base: first.head.commit, text: `# ${name}\n` },
        `/harbor-docs/pages/edit?path=${name}.md&new=yes&pull=${first.number}`,
      ),
    );
    for (const { status } of await Promise.all(sent)) expect(status).toBe(303);
  });

  it("offers no edit while the project is archived, and keeps what was entered", async () => {
    const { number } = await pullRequestAt((await send({ text: `${shown(install)} kept` })).location);
    const admin = await browseAs(app, await makePerson(app, { role: "admin" }));
    await admin.post("/harbor-docs/settings/archive", {});
    const jump = await admin.get("/-/jump?project=harbor-docs&search=new");
    const files = await admin.get(`/harbor-docs/pull/${number}/files`);
    const page = await admin.get(EDITOR);
    const sent = await send({ text: "Late.\n" });
    await admin.post("/harbor-docs/settings/unarchive", {});
    expect(JSON.stringify(jump.text)).not.toContain("New page");
    expect(files.text).not.toContain("/pages/edit?");
    expect(page.text).toContain("An archived project takes no changes.");
    expect(sent.status).toBe(409);
    expect(sent.text).toContain("An archived project takes no changes. Unarchive it first.");
    expect((await admin.get(`/harbor-docs/pull/${number}/files`)).text).toContain("/pages/edit?");
    expect((await admin.get("/-/jump?project=harbor-docs&search=new")).text).toContain("New page");
  });

  it("says how large a file may be", async () => {
    const sent = await send({ text: "x".repeat(512 * 1024 + 1) });
    expect(sent.status).toBe(400);
    expect(sent.text).toContain("The text has 513 KiB. The limit of the editor is 512 KiB.");
  });
});
