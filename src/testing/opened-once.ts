import { afterAll, beforeAll } from "vitest";

/** What the tests of a `describe` share: opened before the first one, disposed after the last. */
export function openedOnce<T extends AsyncDisposable>(open: () => Promise<T>): () => T {
  let opened: T;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened[Symbol.asyncDispose]());
  return () => opened;
}
