import { expect, it } from "vitest";
import { AppError } from "#lib/app-error.ts";
import { formFields } from "./form-fields.ts";
import { formPages } from "./form-pages.ts";
import { html } from "./markup.ts";

const OUTCOMES: Record<string, () => Promise<{ made: string } | { notice: string } | { to: string } | null>> = {
  done: () => Promise.resolve(null),
  elsewhere: () => Promise.resolve({ to: "/elsewhere" }),
  secret: () => Promise.resolve({ made: "a secret" }),
  told: () => Promise.resolve({ notice: "It is queued." }),
  busy: () => Promise.reject(new AppError("rate_limited", "Wait a moment.", { retryAfterSeconds: 7 })),
  gone: () => Promise.reject(new AppError("not_found", "It was removed.")),
  signedOut: () => Promise.reject(new AppError("unauthorized", "Sign in.")),
};
const routes = formPages<object, string>({
  access: { open: async () => ({}), openForm: async (c) => ({ field: await formFields(c) }) },
  pages: { things: "read" },
  actions: { "things/add": { needs: "write", notice: "Added.", run: ({ field }) => OUTCOMES[field("name")]!() } },
  show: async (_, { notice, refused, made }) =>
    html`${notice ?? ""}${made ?? ""}${refused && `${refused.action}: ${refused.problem} ${refused.field("name")}`}`,
});
routes.onError((error, c) => c.text(`the server says: ${error.message}`, 500));
async function send(name: string) {
  const answer = await routes.request("/harbor/things/add", { method: "POST", body: new URLSearchParams({ name }) });
  const { status, headers } = answer;
  return [
    status,
    await answer.text(),
    headers.get("location") ?? headers.get("retry-after"),
    headers.get("cache-control"),
  ];
}

it.each([
  ["done", [303, "", "/harbor/things?done=add", null]],
  ["elsewhere", [303, "", "/elsewhere", null]],
  ["secret", [201, "a secret", null, "no-store"]],
  ["told", [200, "It is queued.", null, "private, no-cache"]],
  ["busy", [429, "add: Wait a moment. busy", "7", "private, no-cache"]],
  ["gone", [409, "add: It was removed. gone", null, "private, no-cache"]],
])("shows on the page of a form how it went: %s", async (name, expected) => {
  expect(await send(name)).toEqual(expected);
});

it("leaves other errors to the server, and says on the page what was done", async () => {
  expect((await send("signedOut")).slice(0, 2)).toEqual([500, "the server says: Sign in."]);
  expect(await (await routes.request("/harbor/things?done=add")).text()).toBe("Added.");
});

it("refuses a form of more than 512 KiB", async () => {
  expect((await send("x".repeat(512 * 1024))).slice(0, 2)).toEqual([
    500,
    "the server says: A form may have at most 512 KiB.",
  ]);
});
