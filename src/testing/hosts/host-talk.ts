import type { PullRequest } from "#hosts/code-host.ts";

/** A person with an account at an imitated host. */
export interface Person {
  id: number;
  login: string;
  access: "none" | "read" | "write" | "admin";
  isBot: boolean;
}

export interface TalkComment {
  id: number;
  number: number;
  author: Person;
  body: string;
  createdAt: Date;
  changedAt: Date;
  /** Set for a comment in a file. */
  place: { path: string; line: number } | null;
  /** The first comment of its thread. */
  thread: number | null;
}

/** Webhooks and statuses at a repository of an imitated host. */
export interface HostNoticesState {
  webhooks: { id: number; url: string; secret: string; events: string[] }[];
  /** Statuses with their addresses, by commit. */
  statuses: { commit: string; name: string; url: string; outcome: string; description: string }[];
}

export type HostTalk = ReturnType<typeof createTalk>;

/** Comments on the pull requests of a host, and their authors. `self` owns the token of the tests. */
export function createTalk() {
  const self: Person = { id: 1, login: "docs-helper", access: "write", isBot: false };
  const people: Person[] = [self];
  const comments: TalkComment[] = [];
  return {
    self,
    people,
    comments,
    person(login: string, access: Person["access"], { isBot = false } = {}): Person {
      const person = { id: people.length + 1, login, access, isBot };
      people.push(person);
      return person;
    },
    say(author: Person, number: number, body: string, at: Partial<Pick<TalkComment, "place" | "thread">> = {}) {
      const now = new Date();
      const { place = null, thread = null } = at;
      const comment = {
        id: comments.length + 100,
        number,
        author,
        body,
        createdAt: now,
        changedAt: now,
        place,
        thread,
      };
      comments.push(comment);
      return comment;
    },
    of: (number: number) => comments.filter((comment) => comment.number === number),
    find: (id: number) => comments.find((comment) => comment.id === id),
    findPerson: (login: string) => people.find((person) => person.login === login),
    remove(id: number) {
      comments.splice(
        comments.findIndex((comment) => comment.id === id),
        1,
      );
    },
    /** Pull requests, changed last first; a comment is a change. */
    changedFirst(pullRequests: readonly PullRequest[]): PullRequest[] {
      const changed = pullRequests.map((one) => {
        const times = comments
          .filter(({ number }) => number === one.number)
          .map(({ changedAt }) => changedAt.getTime());
        return { ...one, updatedAt: new Date(Math.max(one.updatedAt.getTime(), ...times)) };
      });
      return changed.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
    },
  };
}
