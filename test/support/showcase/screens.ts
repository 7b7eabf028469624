import type { Page } from "playwright-core";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startSourceHost } from "#testing/hosts/source-host.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { operatorAddress } from "#test/support/commands.ts";
import { talkAbout } from "./conversation.ts";
import type { Showcase } from "./showcase.ts";

export interface Screen {
  /** Name of the file. */
  name: string;
  open(page: Page, showcase: Showcase): Promise<void>;
  width?: number;
  height?: number;
  dark?: boolean;
  /** All of the page, beyond what the window shows. */
  isWhole?: boolean;
  /** The documentation shows it. */
  picture?: boolean;
}

/** Waits until nothing loads any more, so that diagrams, fonts and icons are there. */
async function go(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: "networkidle" });
}

const site = (path: string) => (page: Page, showcase: Showcase) => go(page, showcase.site + path);

async function openSearch(page: Page, showcase: Showcase): Promise<void> {
  await go(page, `${showcase.site}/guides/events`);
  await page.keyboard.press("/");
  await page.locator("dialog[open] input").fill("retr");
  await page.locator('dialog[open] a[href^="/"]').first().waitFor();
}

/** Opens a menu of a page by its summary. */
const menu = (path: string, summary: string) => async (page: Page, showcase: Showcase) => {
  await go(page, showcase.site + path);
  await page.click(summary);
};

async function openTryIt(page: Page, showcase: Showcase): Promise<void> {
  await go(page, `${showcase.site}/api-reference/endpoints/change-an-endpoint`);
  await page.click(".api-try > summary");
}

async function openWrongPassword(page: Page, { privateSite }: Showcase): Promise<void> {
  await go(page, privateSite);
  await page.fill("input[name=password]", "not the password");
  await page.click("button:has-text('Open')");
  await page.locator("[role=alert]").waitFor();
}

export async function signIn(page: Page, { server, owner }: Showcase, path: string): Promise<void> {
  await page.goto(`${server.baseUrl}/sign-in?to=${encodeURIComponent(path)}`);
  await page.click("summary");
  await page.fill("input[name=key]", owner.key);
  await page.click("details button");
  await page.waitForURL(server.baseUrl + path, { waitUntil: "networkidle" });
}

/** As the owner of the server, with an account. */
const owned =
  (path: string) =>
  async (page: Page, { server, account }: Showcase) => {
    await page.goto(`${server.baseUrl}/sign-in?to=${encodeURIComponent(path)}`);
    await page.fill("input[name=email]", account.email);
    await page.fill("input[name=password]", account.password);
    await page.click("button:has-text('Sign in')");
    await page.waitForURL(server.baseUrl + path, { waitUntil: "networkidle" });
  };

const dashboard = (path: string) => (page: Page, showcase: Showcase) => signIn(page, showcase, path);

export async function openAsOperator(page: Page, { server }: Showcase): Promise<void> {
  await page.goto(await operatorAddress(server.instance.data, server.baseUrl));
  await page.goto(`${server.baseUrl}/-/new`);
}

async function openConnection(page: Page, showcase: Showcase): Promise<void> {
  const slug = "acme-docs";
  await using host = await startGithubServer({ "index.md": "# Harbor\n\nText.\n" });
  await openAsOperator(page, showcase);
  await page.fill("input[name=name]", slug);
  await page.fill("input[name=url]", host.url);
  await page.fill("input[name=token]", HOST_TOKEN);
  await page.click("button:has-text('Connect')");
  await page.waitForSelector("#new-key");
  await page.click("text=Set up the webhook");
  await page.waitForURL(`${showcase.server.baseUrl}/${slug}/connection`);
}

/** A project whose site another service publishes, before its first view. */
async function openExternalSite(page: Page, showcase: Showcase): Promise<void> {
  await owned("/-/new")(page, showcase);
  const overview = `${showcase.server.baseUrl}/widgets`;
  if ((await page.request.get(overview)).status() === 404) {
    await page.goto(`${showcase.server.baseUrl}/-/new?from=empty`);
    await page.fill("input[name=name]", "Widgets");
    await page.check("input[value=elsewhere]");
    await page.fill("input[name=externalSite]", "https://docs.example.com");
    await page.click("button:has-text('Create project')");
    await page.waitForURL(overview);
  }
  await go(page, overview);
}

async function openCommandMenu(page: Page, showcase: Showcase): Promise<void> {
  await owned("/harbor")(page, showcase);
  await page.keyboard.press("Control+k");
  await page.fill("dialog[open] input", "re");
  await page.locator("dialog[open] [role=option]", { hasText: "abandoned" }).waitFor();
}

/** A program that asks to act for the owner. */
async function openConsent(page: Page, showcase: Showcase): Promise<void> {
  const redirectUri = "http://127.0.0.1:53123/callback";
  const registered = await fetch(`${showcase.server.baseUrl}/-/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "My editor", redirect_uris: [redirectUri] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({ response_type: "code", client_id, redirect_uri: redirectUri, code_challenge: "x".repeat(43), code_challenge_method: "S256" }); // oxfmt-ignore
  await owned(`/-/oauth/authorize?${query.toString()}`)(page, showcase);
}

async function openConversation(page: Page, showcase: Showcase): Promise<void> {
  await owned("/harbor/pull/1")(page, showcase);
  await talkAbout(page, showcase);
}

async function openLineForm(page: Page, showcase: Showcase): Promise<void> {
  await openConversation(page, showcase);
  await page.locator(".hunk-links a").first().click();
  await page.locator("#comment-line").waitFor();
}

/** A thread on a line, with the form for an answer. */
async function openThread(page: Page, showcase: Showcase): Promise<void> {
  await openConversation(page, showcase);
  await page.click(".thread-place a");
  await page.waitForURL(/#thr_/);
  await page.locator(".reply summary").first().click();
}

async function openPullRequest(page: Page, showcase: Showcase): Promise<void> {
  await signIn(page, showcase, "/harbor/pull/1");
}

/** A page with a draft that has a problem. */
async function openPageEditor(page: Page, showcase: Showcase): Promise<void> {
  await signIn(page, showcase, "/harbor/pages/edit?path=guides/signatures.md");
  const source = page.locator("textarea[name=text]");
  await source.fill((await source.inputValue()).replace("\n\n", "\n\nRead more in [Events](/guides/event).\n\n"));
  await page.locator(".draft-problems", { hasText: "/guides/event" }).waitFor();
  await page.frameLocator(".seen iframe:not(.next)").getByText("Read more in").waitFor({ state: "attached" });
}

/** The first changed file as readers see it, before and after. */
async function openReview(page: Page, showcase: Showcase): Promise<void> {
  await signIn(page, showcase, "/harbor/pull/1/files");
  await page.locator(".switch label:has(.to-pages)").first().click();
  await page.frameLocator("iframe >> visible=true >> nth=0").locator("h1").waitFor();
  await page.waitForLoadState("networkidle");
}

async function openReport(page: Page, showcase: Showcase): Promise<void> {
  await signIn(page, showcase, "/harbor/deployments/1");
}

/** The page of an automation, with the example that it is made of. */
async function openAutomation(page: Page, showcase: Showcase): Promise<void> {
  await signIn(page, showcase, "/harbor/automations");
  const example = page.locator("button[aria-label='Add Weekly link check']");
  if (await example.isVisible()) await example.click();
  await page.click("a:has-text('Weekly link check')");
}

/** A new webhook, whose secret is shown. */
async function openNewWebhook(page: Page, showcase: Showcase): Promise<void> {
  await signIn(page, showcase, "/harbor/webhooks");
  await page.fill("input[name=url]", "http://127.0.0.1:9/hooks/docent");
  await page.click("button:has-text('Add webhook')");
}

async function openWebhook(page: Page, showcase: Showcase): Promise<void> {
  await openNewWebhook(page, showcase);
  await page.click("button:has-text('Send test event')");
  await page.click(".delivery > summary");
}

async function openSources(page: Page, showcase: Showcase): Promise<void> {
  await signIn(page, showcase, "/harbor/sources");
  if (await page.locator(".delivery").isHidden()) {
    await using host = await startSourceHost({ "src/server.ts": "export const port = 4000;\n" });
    await page.fill("input[name=url]", host.server.url);
    await page.fill("input[name=name]", "api");
    await page.fill("input[name=token]", host.token);
    await page.selectOption("select[name=host]", "github");
    await page.click("button:has-text('Add source')");
    await page.locator(".delivery").waitFor();
  }
  await page.click(".delivery > summary");
}

/** Of the dashboard, so that a picture of it can be read beside text. */
const DESK = 1000;

/** A screen in light, dark and on a telephone. */
const inAll = (screen: Screen): Screen[] => [
  screen,
  { ...screen, name: `${screen.name}-dark`, dark: true, picture: false },
  { ...screen, name: `${screen.name}-375`, width: 375, height: 760, picture: false },
];

/** Every screen there is to look at. */
export const SCREENS: readonly Screen[] = [
  ...inAll({ name: "site-home", open: site("/"), picture: true }),
  ...inAll({ name: "site-guide", open: site("/guides/events") }),
  ...inAll({ name: "site-operation", open: site("/api-reference/events/send-an-event"), picture: true }),
  ...inAll({ name: "site-api-overview", open: site("/api-reference"), picture: true }),
  ...inAll({ name: "site-callbacks", open: site("/api-reference/endpoints/change-an-endpoint#callbacks") }),
  ...inAll({ name: "site-try-it", open: openTryIt, isWhole: true, picture: true }),
  ...inAll({ name: "site-channel", open: site("/live/websockets/deliveries"), isWhole: true, picture: true }),
  ...inAll({ name: "site-components", open: site("/guides/components"), isWhole: true }),
  ...inAll({ name: "site-code", open: site("/guides/code") }),
  ...inAll({ name: "site-diagrams", open: site("/guides/diagrams") }),
  ...inAll({ name: "site-formulas", open: site("/guides/retries") }),
  ...inAll({ name: "site-tables", open: site("/guides/tables") }),
  ...inAll({ name: "site-search", open: openSearch, picture: true }),
  ...inAll({ name: "site-results", picture: true, height: 620, open: site("/_docent/search?q=retries") }),
  ...inAll({ name: "site-page-menu", open: menu("/guides/events", "[data-page-menu] > summary"), picture: true }),
  ...inAll({ name: "site-languages", open: menu("/guides/events", ".site-switch > summary") }),
  ...inAll({ name: "site-missing", picture: true, height: 520, open: site("/nowhere") }),
  ...inAll({ name: "site-changelog", picture: true, open: site("/changelog") }),
  ...inAll({ name: "site-right-to-left", picture: true, open: site("/ar") }),
  { name: "site-empty", open: (page, { emptySite }) => go(page, emptySite) },
  ...inAll({
    name: "site-private",
    open: (page, { privateSite }) => go(page, privateSite),
    width: 900,
    height: 360,
    picture: true,
  }),
  { name: "site-wrong-password", open: openWrongPassword, height: 520 },
  ...inAll({ name: "site-preview", open: (page, { preview }) => go(page, preview), picture: true }),
  {
    name: "site-menu-375",
    width: 375,
    height: 760,
    async open(page, showcase) {
      await go(page, `${showcase.site}/guides/retries`);
      await page.click("[popovertarget=menu] >> nth=0");
    },
  },
  {
    name: "site-contents",
    width: 375,
    height: 760,
    async open(page, showcase) {
      await go(page, `${showcase.site}/guides/events`);
      await page.click("[popovertarget=site-contents]");
    },
  },
  {
    name: "site-feedback",
    picture: true,
    height: 520,
    async open(page, showcase) {
      await go(page, `${showcase.site}/guides/signatures`);
      await page.click(".site-feedback button[value=no]");
      await page.fill("#site-feedback-comment", "Show the same in Go.");
    },
  },
  ...inAll({ name: "dashboard-overview", width: DESK, open: dashboard("/harbor"), picture: true }),
  ...inAll({ name: "dashboard-command-menu", width: DESK, height: 560, open: openCommandMenu, picture: true }),
  ...inAll({ name: "dashboard-consent", width: DESK, height: 640, open: openConsent, picture: true }),
  ...inAll({ name: "dashboard-jobs", width: DESK, height: 620, open: dashboard("/harbor/jobs"), picture: true }),
  ...inAll({
    name: "dashboard-job",
    width: DESK,
    open: (page, showcase) => signIn(page, showcase, showcase.job),
    isWhole: true,
    picture: true,
  }),
  {
    name: "dashboard-failed-job",
    width: DESK,
    picture: true,
    open: (page, showcase) => signIn(page, showcase, showcase.failedJob),
  },
  ...inAll({ name: "dashboard-pull-request", width: DESK, open: openPullRequest, picture: true }),
  ...inAll({
    name: "dashboard-pull-requests",
    width: DESK,
    picture: true,
    height: 300,
    open: dashboard("/harbor/pulls"),
  }),
  ...inAll({ name: "dashboard-pages", width: DESK, open: dashboard("/harbor/pages") }),
  ...inAll({ name: "dashboard-editor", width: 1280, height: 720, open: openPageEditor, picture: true }),
  ...inAll({ name: "dashboard-new-page", width: DESK, open: dashboard("/harbor/pages/new") }),
  ...inAll({ name: "dashboard-conversation", width: DESK, open: openConversation, isWhole: true }),
  ...inAll({ name: "dashboard-line-form", width: DESK, open: openLineForm }),
  ...inAll({ name: "dashboard-thread", width: DESK, open: openThread }),
  ...inAll({
    name: "dashboard-changes",
    width: DESK,
    picture: true,
    open: (page, showcase) => signIn(page, showcase, "/harbor/pull/1/files"),
  }),
  ...inAll({ name: "dashboard-review", width: 1280, open: openReview, picture: true }),
  ...inAll({ name: "dashboard-deployments", width: DESK, open: dashboard("/harbor/deployments"), picture: true }),
  ...inAll({ name: "dashboard-report", width: DESK, open: openReport, picture: true }),
  ...inAll({
    name: "dashboard-analytics",
    width: DESK,
    open: dashboard("/harbor/analytics"),
    height: 1000,
    isWhole: true,
    picture: true,
  }),
  ...inAll({ name: "dashboard-analytics-page", width: DESK, open: dashboard("/harbor/analytics?page=/guides/events") }),
  ...inAll({ name: "dashboard-feedback", width: DESK, open: dashboard("/harbor/analytics/feedback"), picture: true }),
  ...inAll({
    name: "dashboard-site",
    width: DESK,
    open: dashboard("/harbor/site"),
    picture: true,
    height: 1360,
    isWhole: true,
  }),
  ...inAll({ name: "dashboard-settings", width: DESK, open: dashboard("/harbor/settings"), picture: true }),
  ...inAll({ name: "dashboard-models", width: DESK, open: owned("/harbor/models"), picture: true, height: 900 }),
  ...inAll({ name: "dashboard-automations", width: DESK, open: dashboard("/harbor/automations"), picture: true }),
  ...inAll({ name: "dashboard-automation", width: DESK, open: openAutomation, isWhole: true }),
  ...inAll({ name: "dashboard-webhooks", width: DESK, open: openNewWebhook, isWhole: true }),
  ...inAll({ name: "dashboard-webhook", width: DESK, open: openWebhook, picture: true }),
  ...inAll({ name: "dashboard-sources", width: DESK, open: openSources, isWhole: true }),
  ...inAll({ name: "dashboard-keys", width: DESK, open: dashboard("/harbor/keys"), picture: true }),
  {
    name: "dashboard-sign-in",
    width: DESK,
    picture: true,
    height: 520,
    open: (page, { server }) => go(page, `${server.baseUrl}/sign-in`),
  },
  ...inAll({ name: "dashboard-projects", width: DESK, open: owned("/") }),
  ...inAll({ name: "dashboard-external-site", width: DESK, open: openExternalSite }),
  ...inAll({ name: "dashboard-new-project", width: DESK, open: owned("/-/new"), picture: true }),
  ...inAll({ name: "dashboard-people", width: DESK, open: owned("/-/people") }),
  ...inAll({ name: "dashboard-members", width: DESK, open: owned("/harbor/members"), picture: true }),
  ...inAll({ name: "dashboard-account", width: DESK, open: owned("/-/account"), isWhole: true }),
  ...inAll({ name: "dashboard-two-factor", width: DESK, open: owned("/-/account/two-factor"), isWhole: true }),
  ...inAll({ name: "dashboard-audit", width: DESK, open: owned("/harbor/audit"), picture: true }),
  ...inAll({ name: "dashboard-new-upload", width: DESK, open: owned("/-/new?from=upload") }),
  { name: "connection", open: openConnection, width: 1100, height: 760, picture: true },
  {
    name: "github-app",
    width: 1100,
    height: 760,
    picture: true,
    async open(page, showcase) {
      await openAsOperator(page, showcase);
      await page.goto(`${showcase.server.baseUrl}/admin/github-app`);
    },
  },
];
