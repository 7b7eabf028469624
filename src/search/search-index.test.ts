import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createPostgresSearch } from "./postgres-search.ts";
import { searchFile } from "./search-files.ts";
import { searchIndexContract } from "./search-index.contract.ts";
import { createSearch, withVersions } from "./search.ts";
import { createSqliteSearchThread } from "./sqlite-search-in-thread.ts";
import { createSqliteSearch } from "./sqlite-search.ts";

const PAGE = {
  route: "/a",
  title: "Harbour",
  keywords: "",
  isReference: false,
  language: null,
  version: null,
  versionRank: 0,
  key: "1",
  includes: [],
  sections: [{ anchor: null, heading: "", text: "Ships.", reference: "" }],
};
const QUERY = {
  terms: [[{ text: "harbour", isPrefix: false }]],
  match: "all",
  scope: { language: null, version: null },
  limit: 5,
} as const;

describe("on SQLite", () => {
  searchIndexContract(async () => {
    const directory = await createTestDirectory();
    const index = createSqliteSearch({ directory: path.join(directory.path, "search") });
    return {
      index,
      other: null,
      newProject: async () => newProjectId(),
      async [Symbol.asyncDispose]() {
        await index[Symbol.asyncDispose]();
        await directory[Symbol.asyncDispose]();
      },
    };
  });

  it("recreates a damaged file", async () => {
    await using directory = await createTestDirectory();
    const project = newProjectId();
    await using index = createSqliteSearch({ directory: directory.path });
    writeFileSync(searchFile(directory.path, project), "this is no database ".repeat(500));
    expect(await index.find(project, QUERY)).toEqual([]);
    await index.change(project, { put: [PAGE], remove: [] });
    expect(await index.find(project, QUERY)).toHaveLength(1);
  });

  it("keeps its content across a restart, for more projects than it opens at once", async () => {
    await using directory = await createTestDirectory();
    const projects = Array.from({ length: 110 }, () => newProjectId());
    {
      await using index = createSqliteSearch({ directory: directory.path });
      for (const project of projects) await index.change(project, { put: [PAGE], remove: [] });
    }
    await using index = createSqliteSearch({ directory: directory.path });
    const found = await Promise.all(projects.map((project) => index.find(project, QUERY)));
    expect(found.every((each) => each.length === 1)).toBe(true);
  });
});

describe("on SQLite in a thread", () => {
  async function openThread() {
    const directory = await createTestDirectory();
    const index = createSqliteSearchThread({ directory: path.join(directory.path, "search"), logger: silentLogger });
    return {
      index,
      other: null,
      newProject: async () => newProjectId(),
      async [Symbol.asyncDispose]() {
        await index[Symbol.asyncDispose]();
        await directory[Symbol.asyncDispose]();
      },
    };
  }
  const REQUEST = { scope: QUERY.scope, limit: 10, edition: "1" } as const;

  searchIndexContract(openThread);

  it("finds and corrects there what a search in the calling thread does", async () => {
    await using opened = await openThread();
    const project = newProjectId();
    const old = { ...PAGE, route: "/v1/a", version: "v1", versionRank: 1 };
    await opened.index.change(project, { put: [PAGE, old, { ...PAGE, route: "/b", title: "Ships" }], remove: [] });
    const versionOf = (route: string) => (route.startsWith("/v1") ? { name: "v1", rank: 1 } : null);
    const [here, there] = [createSearch({ index: opened.index }), withVersions(opened.index.search)];
    for (const query of ["harbour", "harbuor ships", "nothing"])
      for (const versions of [{}, { versionOf }]) {
        const request = { ...REQUEST, ...versions, query };
        expect([query, await there(project, request)]).toEqual([query, await here(project, request)]);
      }
  });

  it("answers a search after steps of another project's searches, not after all of them", async () => {
    await using opened = await openThread();
    const [loud, calm] = [newProjectId(), newProjectId()];
    const text = `Harbour ${"ships and lanterns ".repeat(200)}`;
    const put = Array.from({ length: 60 }, (_, at) => ({
      ...PAGE,
      route: `/page-${at}`,
      sections: [{ anchor: null, heading: "", text: `${text} ${at}`, reference: "" }],
    }));
    await opened.index.change(loud, { put, remove: [] });
    await opened.index.change(calm, { put: [PAGE], remove: [] });
    const answered: unknown[] = [];
    await Promise.all(
      [...Array.from({ length: 20 }, () => loud), calm].map(async (project) => {
        const request = { ...REQUEST, query: "harbour", limit: 60, isDefaultVersion: false };
        await opened.index.search(project, request);
        answered.push(project);
      }),
    );
    expect(answered.indexOf(calm)).toBeLessThan(10);
  });

  it("recreates a damaged file", async () => {
    await using directory = await createTestDirectory();
    const project = newProjectId();
    await using index = createSqliteSearchThread({ directory: directory.path, logger: silentLogger });
    writeFileSync(searchFile(directory.path, project), "this is no database ".repeat(500));
    await index.change(project, { put: [PAGE], remove: [] });
    expect(await index.find(project, QUERY)).toHaveLength(1);
  });

  it("is closed with all files, and opened again by the next server", async () => {
    await using directory = await createTestDirectory();
    const project = newProjectId();
    const settings = { directory: directory.path, logger: silentLogger };
    {
      await using index = createSqliteSearchThread(settings);
      await index.change(project, { put: [PAGE], remove: [] });
    }
    expect(readdirSync(directory.path)).toEqual([path.basename(searchFile(directory.path, project))]);
    await using index = createSqliteSearchThread(settings);
    expect(await index.find(project, QUERY)).toHaveLength(1);
  });

  it("says why it cannot be opened", async () => {
    await using directory = await createTestDirectory();
    const file = path.join(directory.path, "file");
    writeFileSync(file, "");
    await using index = createSqliteSearchThread({ directory: path.join(file, "search"), logger: silentLogger });
    await expect(index.pages(newProjectId())).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});

/** Two processes on one database. */
async function openPostgres() {
  const opened = await openTestDatabase("postgres");
  const { database } = opened;
  let count = 0;
  return {
    database,
    index: createPostgresSearch({ database }),
    other: createPostgresSearch({ database }),
    async newProject(): Promise<ProjectId> {
      const id = newProjectId();
      count += 1;
      await database.kysely
        .insertInto("project")
        .values({
          id,
          slug: `project-${count}`,
          name: "A",
          source_url: null,
          code_host: "embedded",
          branch: "main",
          settings: "{}",
          created_at: 0,
        })
        .execute();
      return id;
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

describe("on PostgreSQL", () => {
  searchIndexContract(openPostgres);

  it("tells a delayed process that another one has taken over its project", async () => {
    await using opened = await openPostgres();
    const { database, index, other, newProject } = opened;
    const project = await newProject();
    const said: boolean[] = [];
    await index.alone(project, async (stillOurs) => {
      said.push(await stillOurs());
      await sql`update search_lease set until = now() - interval '1 second'`.execute(database.kysely);
      await other.alone(project, async () => void said.push(await stillOurs()));
    });
    expect(said).toEqual([true, false]);
  });
});
