import { describe, expect, it } from "vitest";
import { moveSite } from "#testing/moved-site.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { isSection, type NavigationNode, routesBelow } from "#docs/tree/navigation.ts";
import { type Docs, loadDocs } from "#docs/tree/page-tree.ts";
import type { DialectName } from "#docs/dialect.ts";

export type Files = Record<string, string>;

/** A small repository of a tool, and the site that the tool builds from it. */
export interface DialectExample {
  dialect: DialectName;
  files: Files;
  /** The file that people edit for the navigation, and its folder. */
  file: string;
  routes: readonly string[];
  navigation: string;
  /** The same file with a value that only a program can compute, and its place. */
  computed?: { file: string; text: string; line: number };
}

export const load = (files: Files, options: { contentRoot?: string } = {}): Promise<Docs> =>
  loadDocs(createTestSnapshot(files), options);

/** `Guides(/guides)[Start(/start)]`: titles and addresses in reading order. */
export function outline(nodes: readonly NavigationNode[]): string {
  return nodes
    .map((node) => {
      if (node.kind === "page") return `${node.title}(${node.route})`;
      if (node.kind === "link") return `${node.title}->${node.href}`;
      const kind = node.kind === "group" ? "" : `${node.kind}:`;
      return `${kind}${node.title}${node.route === null ? "" : `(${node.route})`}[${outline(node.children)}]`;
    })
    .join(" ");
}

/** The contract of every dialect. */
export function dialectContract({ dialect, files, file, routes, navigation, computed }: DialectExample): void {
  const below = (folder: string): Files =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

  describe(`a repository of ${dialect}`, () => {
    it("has the addresses and the navigation that the tool generates", async () => {
      const docs = await load(files);
      expect(docs.config.dialect).toBe(dialect);
      expect(docs.problems).toEqual([]);
      expect([...docs.pages.keys()].toSorted()).toEqual(routes.toSorted());
      expect(outline(docs.navigation)).toBe(navigation);
    });

    it("is the same site in a folder of a repository, found or named", async () => {
      for (const options of [{}, { contentRoot: "packages/site" }]) {
        const docs = await load({ "README.md": "# A program", ...below("packages/site") }, options);
        expect(docs.contentRoot).toBe("packages/site");
        expect(outline(docs.navigation)).toBe(navigation);
      }
    });

    it("redirects from the path of a page's file to the page", async () => {
      const docs = await load(files);
      for (const page of docs.pages.values()) {
        const address = `/${encodeURI(page.path.replace(/\.[^.]+$/, ""))}`;
        const folded = address.replace(/\/(?:index|readme)$/i, "") || "/";
        const reached = [address, folded].map(
          (each) => docs.pages.get(each) ?? docs.pages.get(docs.aliases.get(each) ?? ""),
        );
        expect(reached).toContain(page);
      }
    });

    it("is ignored when there is a docs.json", async () => {
      const docs = await load({ ...files, "docs.json": '{"name": "Native"}' });
      expect([docs.config.dialect, docs.config.name, docs.configFile]).toEqual(["native", "Native", "docs.json"]);
    });

    it("reports another site of the repository, and the setting that selects it", async () => {
      const docs = await load({ ...files, ...below("examples/other") });
      expect(outline(docs.navigation)).toBe(navigation);
      const named = docs.problems.filter(({ message }) => message.includes('contentRoot "examples/other"'));
      expect(named).toHaveLength(1);
    });

    it("is the same site after a move to docs.json", async () => {
      const { before, after, result, pages, files: moved } = await moveSite(files);
      expect(result.ok).toBe(true);
      expect([after.config.dialect, after.problems.filter(({ severity }) => severity === "error")]).toEqual([
        "native",
        [],
      ]);
      expect(outline(after.navigation)).toBe(navigation);
      expect([after.config.footer, after.config.banner]).toEqual([before.config.footer, before.config.banner]);
      expect([...after.pages.keys()].toSorted()).toEqual(routes.toSorted());
      for (const page of pages) expect([page.route, page.after]).toEqual([page.route, page.before]);
      const isReached = (address: string) => after.pages.has(address) || after.redirects.match(address) !== null;
      expect(before.config.redirects.filter(({ source }) => !isReached(source))).toEqual([]);
      expect((await moveSite(moved)).files).toEqual(moved);
    });

    it("reads the rest of a broken file, and reports which file is broken", async () => {
      const text = files[file] ?? "";
      for (const broken of [
        text.slice(0, text.length / 2),
        `${text}\n]}{"`,
        "\u0000\u0001[[[",
        "x: &a [*a]\n",
        "- ".repeat(2_000),
      ]) {
        const docs = await load({ ...files, [file]: broken });
        expect(docs.pages.size).toBeGreaterThan(0);
        expectValidRoutes(docs);
      }
    });

    it.runIf(computed !== undefined)("reports values that only a program can compute, with file and line", async () => {
      const docs = await load({ ...files, [computed!.file]: computed!.text });
      expect(docs.problems).toContainEqual(
        expect.objectContaining({ path: computed!.file, line: computed!.line, severity: "warning" }),
      );
      expectValidRoutes(docs);
    });
  });
}

/** Checks that every entry of the navigation and every alias leads to a page. */
function expectValidRoutes({ navigation, pages, aliases }: Docs): void {
  for (const route of [...routesBelow(navigation), ...aliases.values()]) expect(pages.has(route)).toBe(true);
  for (const alias of aliases.keys()) expect(pages.has(alias)).toBe(false);
  const empty = (nodes: readonly NavigationNode[]): boolean =>
    nodes.some(
      (node) => isSection(node) && ((node.children.length === 0 && node.route === null) || empty(node.children)),
    );
  expect(empty(navigation)).toBe(false);
}
