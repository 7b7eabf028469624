import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openedOnce } from "#testing/opened-once.ts";
import { useBrowser } from "#test/support/browser.ts";
import { operatorAddress } from "#test/support/commands.ts";
import { startTestServer } from "#test/support/server.ts";

const server = openedOnce(() => startTestServer({ engine: "sqlite", files: { "index.md": "# Welcome\n" } }));
const { browser } = useBrowser();

/** A page with an authenticator that has a passkey where there is one, and whose person agrees. */
async function openPage(): Promise<Page> {
  const page = await (await browser().newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

it("adds a passkey, signs in with it once for each answer, and not after it is removed", async () => {
  const origin = `http://localhost:${server().port}`;
  const page = await openPage();
  await page.goto(await operatorAddress(server().instance.data, origin));
  await page.fill("[name=name]", "Ada Lovelace");
  await page.fill("[name=email]", "ada@example.com");
  await page.fill("[name=password]", "correct horse");
  await page.click("text=Create account");
  await page.goto(`${origin}/-/account`);
  const add = async (password: string) => {
    await page.fill("form[data-passkey] [name=password]", password);
    await page.click("button:has-text('Add passkey')");
  };
  await add("wrong");
  await page.waitForSelector("text=The password is wrong.");
  await add("correct horse");
  await page.waitForSelector("text=The passkey is added");
  await page.fill("[aria-label='Name of the passkey']", "My laptop");
  await page.click("button:has-text('Rename')");
  await page.waitForSelector("text=The passkey is renamed");
  await add("correct horse");
  await page.waitForSelector("text=This device has a passkey for your account already.");

  await page.context().clearCookies();
  await page.goto(`${origin}/sign-in?to=${encodeURIComponent("/-/account")}`);
  const sent = page.waitForRequest((request) => request.url() === `${origin}/sign-in/passkey`);
  await page.click("button:has-text('Sign in with a passkey')");
  await page.waitForURL(`${origin}/-/account`);
  expect(await page.inputValue("[aria-label='Name of the passkey']")).toBe("My laptop");

  const body = (await sent).postData()!;
  const replayed = await fetch(`${origin}/sign-in/passkey`, { method: "POST", body, headers: { origin, "content-type": "application/x-www-form-urlencoded" } }); // oxfmt-ignore
  expect([replayed.status, replayed.headers.get("set-cookie")]).toEqual([401, null]);

  // A second person keeps the button on the page of a server where nobody else has a passkey: here it goes.
  await page.click("form[action='/-/account/passkey-remove'] button");
  await page.waitForSelector("text=The passkey is removed");
  await page.goto(`${origin}/sign-in`);
  expect(await page.locator("button:has-text('Sign in with a passkey')").count()).toBe(0);
});
