import { expect, it } from "vitest";
import { createActivity } from "#lib/activity.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTracer } from "./tracer.ts";

const SETTINGS = { url: "http://127.0.0.1:9/", headers: {}, timeoutMs: 100, compression: "none" as const, resource: {}, delayMs: 100, queueSize: 10 }; // oxfmt-ignore

it.each([0, 1])(
  "describes the end of each piece of work at a ratio of %i, so that nothing is kept for it",
  async (ratio) => {
    await using tracer = createTracer({ logger: silentLogger, version: "0" }, { ...SETTINGS, ratio });
    const activity = createActivity<{ name: string }>(`test at ${ratio}`);
    const ended: string[] = [];
    using _following = tracer.follow(activity, {
      begin: ({ name }) => ({ name }),
      end: ({ name }) => (ended.push(name), {}),
    });
    await activity.run({ name: "one" }, () => Promise.resolve());
    expect(ended).toEqual(["one"]);
  },
);
