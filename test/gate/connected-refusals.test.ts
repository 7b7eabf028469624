import { describe, expect, it } from "vitest";
import { type Fault, HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";
import { refusedPush } from "#testing/hosts/refused-push.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createConnectedProject } from "#test/support/connected-project.ts";
import { HOST_SHAPES } from "#test/support/host-shapes.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { serveInstance } from "#test/support/server.ts";

const FILES = { "index.md": "# Start\n\nHarbor Cloud is here.\n" };
const ALLOW = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32" };

interface Refusal {
  name: string;
  /** What the host does, and how a person mends it. */
  begin(host: HostServer): void;
  end(host: HostServer): void;
  code: "push_denied" | "code_host_error";
  says: RegExp;
}

const isPush = ({ method, url }: Request) => method === "POST" && url.endsWith("/git-receive-pack");
const isCreation = ({ method, url }: Request) => method === "POST" && /\/(?:pulls|merge_requests)$/.test(url);

/** A refusal by answers that the host gives in place of its own. */
const answered = (name: string, fault: Fault, says: RegExp): Refusal => ({
  name,
  begin: ({ state }) => void (state.fault = fault),
  end: ({ state }) => void (state.fault = () => null),
  code: "push_denied",
  says,
});

const PROTECTED = "a rule protects the branches of agents";
const WITHOUT_PULL_REQUESTS = "the token may push, and open no pull request";
const RULES: Refusal[] = [
  answered(
    PROTECTED,
    (request) =>
      isPush(request) ? refusedPush(request, "GH013: Repository rule violations found.", "push declined") : null,
    /^A rule protects this branch\. Ask an administrator to let this token push/,
  ),
  answered(
    "commits have to be signed",
    (request) =>
      isPush(request) ? refusedPush(request, "Commits must have verified signatures.", "push declined") : null,
    /^The host wants signed commits\. Ask an administrator/,
  ),
  answered(
    "the repository is over its quota",
    (request) =>
      isPush(request) ? refusedPush(request, "the repository has exceeded its size limit", "declined") : null,
    /^The repository is over its host's limits\. Ask its owner/,
  ),
  answered(
    WITHOUT_PULL_REQUESTS,
    (request) => (isCreation(request) ? Response.json({ message: "Resource not accessible." }, { status: 403 }) : null),
    /Resource not accessible/,
  ),
  {
    name: "the token expires in mid-push",
    begin({ state }) {
      state.fault = (request) => {
        if (isPush(request)) state.tokens.clear();
        return null;
      };
    },
    end({ state }) {
      state.fault = () => null;
      state.tokens.add(HOST_TOKEN);
    },
    code: "code_host_error",
    says: /refused the token: it is wrong,.* expired/,
  },
];

/**
 * One refusal of the push, one of the pull request. `push-refusal.test.ts` has the words for the others; a token that is
 * refused is tried again for 16 s before the job fails.
 */
const IN_GATE = new Set([PROTECTED, WITHOUT_PULL_REQUESTS]);

const TRIED = LONG_TESTS ? HOST_SHAPES : HOST_SHAPES.filter(({ kind }) => kind === "github");

describe.each(TRIED)("a job whose change $kind rejects", ({ kind, start }) => {
  it("says on the job and the connection what a person can do, and completes after that", async () => {
    await using stack = new AsyncDisposableStack();
    const host = stack.use(await start(FILES));
    const { path: directory } = stack.use(await createTestDirectory());
    const connecting = { kind, directory, environment: ALLOW, scope: "admin" as const };
    const { data, caller } = await createConnectedProject(host, connecting);
    const { id } = caller.project;
    const { baseUrl } = stack.use(await serveInstance({ data, environment: ALLOW }));
    const trouble = async () => {
      const answer = await fetch(`${baseUrl}/v2/project/${id}`, { headers: { Authorization: `Bearer ${caller.key}` } });
      return ((await answer.json()) as { connection: { trouble: string | null } }).connection.trouble;
    };

    for (const { name, begin, end, code, says } of LONG_TESTS
      ? RULES
      : RULES.filter((rule) => IN_GATE.has(rule.name))) {
      begin(host);
      const prompt = 'Replace "Harbor Cloud" with "Harbor Platform".';
      const created = await callApi(baseUrl, caller, { path: "/job", body: { prompt } });
      const failed = await waitForJob(baseUrl, caller, created.body.id);
      expect([name, failed]).toMatchObject([name, { status: "failed", error: { code }, pullRequest: null }]);
      const said = failed.error!.message;
      expect(said.replace("The code host refused the pull request: ", "")).toMatch(says);
      expect([name, await trouble()]).toEqual([name, expect.stringMatching(new RegExp(says.source.replace("^", "")))]);

      end(host);
      const again = { prompt: 'Add a page titled "Notes" with the text "Read me."' };
      const path = `/job/${created.body.id}/message`;
      expect((await callApi(baseUrl, caller, { path, body: again })).status).toBeLessThan(300);
      const done = await waitForJob(baseUrl, caller, created.body.id);
      expect([name, done]).toMatchObject([name, { status: "completed", error: null, pullRequest: { state: "open" } }]);
      // The look that met the fault, too, may have written down what it met; the next one takes it back.
      await expect.poll(async () => [name, await trouble()], { timeout: 20_000 }).toEqual([name, null]);
    }
  });
});
