import { setTimeout as sleep } from "node:timers/promises";
import { issueOperatorPass } from "#features/keys/operator-pass.ts";
import type { TestApp } from "./test-app.ts";

export interface BrowsedPage {
  status: number;
  headers: Headers;
  /** With each run of white space as one space. */
  text: string;
  location: string | null;
}

/** A browser without scripts: keeps its session, and sends forms with the CSRF token of the page. */
export interface Browsing {
  get(path: string): Promise<BrowsedPage>;
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<BrowsedPage>;
  /** Sends a form with a file, as `multipart/form-data`. */
  upload(path: string, fields: Record<string, string | File>): Promise<BrowsedPage>;
}

type Server = Pick<TestApp, "app">;

/** A signed-out browser. */
export function openBrowser(app: Server, setCookie = ""): Browsing {
  const cookies = new Map<string, string>();
  const keep = (line: string) => {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name !== "") cookies.set(name, value);
  };
  keep(setCookie);
  let csrf = "";
  const send = async (
    path: string,
    init: { method?: string; body?: URLSearchParams | FormData; headers?: Record<string, string> } = {},
  ): Promise<BrowsedPage> => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { cookie, accept: "text/html", ...init.headers };
    const request = new Request(`http://localhost:4000${path}`, { ...init, headers });
    const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
    response.headers.getSetCookie().forEach(keep);
    const text = (await response.text()).replaceAll(/\s+/g, " ");
    csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? csrf;
    return { status: response.status, headers: response.headers, text, location: response.headers.get("location") };
  };
  return {
    get: (path) => send(path),
    post: (path, fields, headers = {}) =>
      send(path, { method: "POST", body: new URLSearchParams({ csrf, ...fields }), headers }),
    upload(path, fields) {
      const body = new FormData();
      for (const [name, value] of Object.entries({ csrf, ...fields })) body.set(name, value);
      return send(path, { method: "POST", body });
    },
  };
}

/** A reader who signed in with a key of the project; without a key, a signed-out one. */
export async function browse(app: Server, key: string | null): Promise<Browsing> {
  const browsing = openBrowser(app);
  if (key !== null) {
    await browsing.post("/sign-in", { key });
    const start = await browsing.get("/");
    await browsing.get(start.location ? `${start.location}/jobs` : "/"); // for the CSRF token of its forms
  }
  return browsing;
}

/** The server's operator, signed in by a link of `docent admin`. */
export async function browseAsOperator(app: Server & Pick<TestApp, "vault" | "clock">): Promise<Browsing> {
  const browsing = openBrowser(app);
  const entered = await browsing.get(`/admin?pass=${encodeURIComponent(issueOperatorPass(app))}`);
  await browsing.get(entered.location ?? "/");
  return browsing;
}

/** Connects a repository, however long it takes on a busy machine; returns the page at the end. */
export async function connectInBrowser(operator: Browsing, fields: Record<string, string>): Promise<BrowsedPage> {
  let page = await operator.post("/-/new/github", fields);
  const { location } = page;
  if (location === null) return page;
  do {
    await sleep(50);
    page = await operator.get(location);
  } while (page.text.includes("Connecting the repository"));
  return page;
}

/** Markup of a page that could run or load something; text inside an attribute's quotes cannot. */
export function dangerousMarkup(text: string): string[] {
  return (
    text
      .replaceAll(/ src="\/_docent\/dashboard-[0-9a-f]+\.js"/g, " ours")
      .replaceAll(/"[^"]*"/g, '""')
      .match(/<(?:script(?! type="" ours>)|img|iframe|style)[\s>][^>]*|<[^>]* on[a-z]+=[^>]*/gi) ?? []
  );
}
