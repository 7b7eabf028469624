import { mkdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { ProjectId } from "#lib/ids.ts";
import { removeOlderFiles, removeSearchFile, searchFile } from "./search-files.ts";
import {
  FIELD_WEIGHTS,
  fieldWords,
  type IndexQuery,
  isPlainWord,
  MAX_VOCABULARY,
  OTHER_VERSION,
  scopeWords,
  type SearchIndex,
} from "./search-index.ts";
import type { FoundSection, IndexedPage, SearchPage } from "./search-page.ts";

const MAX_OPEN = 100;

const TABLES = `
  pragma journal_mode = wal; pragma synchronous = off;
  create table if not exists page (route text primary key, key text not null, includes text not null) without rowid;
  create table if not exists section (
    id integer primary key, route text not null, anchor text, title text not null, heading text not null, body text not null,
    reference text not null, is_reference integer not null
  );
  create index if not exists section_route on section (route);
  create virtual table if not exists words using fts5 (
    title, heading, context, body, reference, scope, content = '', contentless_delete = 1, prefix = '2 3',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
  );
  create virtual table if not exists vocabulary using fts5vocab (words, 'row');
`;

type Statements = ReturnType<typeof prepare>;

interface OpenFile {
  database: DatabaseSync;
  statements: Statements;
}

/**
 * Each project in a file of its own, with FTS5, so that weights and damage are per project. Nothing here is the only copy of
 * anything, so writes do not wait for the disk, and an unreadable file is recreated.
 */
export function createSqliteSearch({ directory }: { directory: string }): SearchIndex {
  const open = new Map<ProjectId, OpenFile>(); // least recently used first

  function openFile(project: ProjectId): OpenFile {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    removeOlderFiles(directory, project);
    const database = new DatabaseSync(searchFile(directory, project), { timeout: 5_000 });
    try {
      database.exec(TABLES);
      return { database, statements: prepare(database) };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  function close(project: ProjectId): void {
    open.get(project)?.database.close();
    open.delete(project);
  }

  function opened(project: ProjectId): OpenFile {
    const file = open.get(project) ?? openFile(project);
    open.delete(project);
    open.set(project, file);
    const [oldest] = open.keys();
    if (open.size > MAX_OPEN && oldest !== undefined) close(oldest);
    return file;
  }

  function use<Result>(project: ProjectId, work: (file: OpenFile) => Result): Result {
    try {
      return work(opened(project));
    } catch (error) {
      if (!isDamaged(error)) throw error;
      close(project);
      removeSearchFile(directory, project);
      return work(opened(project));
    }
  }

  return {
    async pages(project) {
      const rows = use(project, ({ statements }) => statements.pages.all()) as Record<
        "route" | "key" | "includes",
        string
      >[];
      return new Map(
        rows.map(({ route, key, includes }): [string, IndexedPage] => [
          route,
          { key, includes: JSON.parse(includes) as string[] },
        ]),
      );
    },
    async change(project, { put, remove }) {
      use(project, ({ database, statements }) => {
        database.exec("begin immediate");
        try {
          for (const route of [...remove, ...put.map((page) => page.route)]) deletePage(statements, route);
          for (const page of put) insertPage(statements, page);
          database.exec("commit");
        } catch (error) {
          if (database.isTransaction) database.exec("rollback");
          throw error;
        }
      });
    },
    async find(project, query) {
      const match = matchExpression(query);
      if (match === "") return [];
      const rows = use(project, ({ statements }) =>
        statements.find.all(match, query.limit),
      ) as unknown as FoundSection[];
      return rows.map((row) => ({ ...row, isReference: Boolean(row.isReference) }));
    },
    async vocabulary(project) {
      const rows = use(project, ({ statements }) => statements.vocabulary.all(MAX_VOCABULARY)) as { term: string }[];
      return rows.map(({ term }) => term).filter(isPlainWord);
    },
    alone: aloneInProcess(),
    async remove(project) {
      close(project);
      removeSearchFile(directory, project);
    },
    async [Symbol.asyncDispose]() {
      for (const { database } of open.values()) database.close();
      open.clear();
    },
  };
}

/** One server works on a data directory. */
export function aloneInProcess(): SearchIndex["alone"] {
  const working = new Set<ProjectId>();
  return async (project, work) => {
    if (working.has(project)) return false;
    working.add(project);
    try {
      await work(() => Promise.resolve(true));
      return true;
    } finally {
      working.delete(project);
    }
  };
}

function prepare(database: DatabaseSync) {
  const { title, heading, context, text, reference } = FIELD_WEIGHTS;
  return {
    pages: database.prepare("select route, key, includes from page"),
    sectionsOf: database.prepare("select id from section where route = ?"),
    deleteWords: database.prepare("delete from words where rowid = ?"),
    deleteSections: database.prepare("delete from section where route = ?"),
    deletePage: database.prepare("delete from page where route = ?"),
    insertPage: database.prepare("insert into page (route, key, includes) values (?, ?, ?)"),
    insertSection: database.prepare(
      "insert into section (route, anchor, title, heading, body, reference, is_reference) values (?, ?, ?, ?, ?, ?, ?)",
    ),
    insertWords: database.prepare(
      "insert into words (rowid, title, heading, context, body, reference, scope) values (?, ?, ?, ?, ?, ?, ?)",
    ),
    find: database.prepare(`
      select section.route, section.anchor, section.title, section.heading, section.body as text,
        section.reference, section.is_reference as isReference
      from (
        select rowid as id, bm25(words, ${title}, ${heading}, ${context}, ${text}, ${reference}, 0) as score
        from words where words match ? order by score, rowid limit ?
      ) best join section on section.id = best.id order by best.score, best.id
    `),
    vocabulary: database.prepare("select term from vocabulary order by doc desc, term limit ?"),
  };
}

function deletePage(statements: Statements, route: string): void {
  for (const { id } of statements.sectionsOf.all(route) as { id: number }[]) statements.deleteWords.run(id);
  statements.deleteSections.run(route);
  statements.deletePage.run(route);
}

function insertPage(statements: Statements, page: SearchPage): void {
  statements.insertPage.run(page.route, page.key, JSON.stringify(page.includes));
  const { language, version } = scopeWords(page);
  const scope = [language, version, ...(page.versionRank === 0 ? [] : [OTHER_VERSION])].join(" ");
  for (const section of page.sections) {
    const { anchor, heading, text, reference } = section;
    const { lastInsertRowid } = statements.insertSection.run(
      page.route,
      anchor,
      page.title,
      heading,
      text,
      reference,
      Number(page.isReference),
    );
    const words = fieldWords(page, section);
    const fields = [words.title, words.heading, words.context, words.text, words.reference];
    statements.insertWords.run(lastInsertRowid, ...fields.map((each) => each.join(" ")), scope);
  }
}

/** Quotes every word; words contain only letters and digits. */
function matchExpression({ terms, match, scope, isDefaultVersion = false, isOfTitles = false }: IndexQuery): string {
  const groups = terms
    .filter((term) => term.length > 0)
    .map((term) => `(${term.map(({ text, isPrefix }) => `"${text}"${isPrefix ? "*" : ""}`).join(" OR ")})`);
  if (groups.length === 0) return "";
  const own = scopeWords(scope);
  const all = scopeWords({ language: null, version: null });
  const fields = isOfTitles ? "title" : "title heading context body reference";
  const matched = `({${fields}} : (${groups.join(match === "all" ? " AND " : " OR ")}))`;
  const expression = [
    matched,
    ...(scope.language === null ? [] : [`scope : ("${own.language}" OR "${all.language}")`]),
    ...(scope.version === null ? [] : [`scope : ("${own.version}" OR "${all.version}")`]),
  ].join(" AND ");
  return isDefaultVersion ? `(${expression}) NOT (scope : "${OTHER_VERSION}")` : expression;
}

/** SQLite errors after which a file is recreated: a disk error (10), a malformed image (11), not a database (26). */
function isDamaged(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && [10, 11, 26].includes(errcode & 0xff);
}
