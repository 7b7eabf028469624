import type { TestApp } from "./test-app.ts";

export interface BrowsedPage {
  status: number;
  headers: Headers;
  /** With every run of white space as one space. */
  text: string;
  location: string | null;
}

/** A browser without scripts: keeps its session, sends forms with the token of the pages. */
export interface Browsing {
  get(path: string): Promise<BrowsedPage>;
  post(path: string, fields: Record<string, string>): Promise<BrowsedPage>;
}

/** Somebody who signed in with a key of the project; without a key a stranger. */
export async function browse(app: Pick<TestApp, "app" | "project">, key: string | null): Promise<Browsing> {
  let cookie = "";
  let csrf = "";
  const send = async (path: string, init: RequestInit = {}): Promise<BrowsedPage> => {
    const request = new Request(`http://localhost:4000${path}`, { ...init, headers: { cookie, accept: "text/html" } });
    const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
    const text = (await response.text()).replaceAll(/\s+/g, " ");
    csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? csrf;
    return { status: response.status, headers: response.headers, text, location: response.headers.get("location") };
  };
  const browsing: Browsing = {
    get: (path) => send(path),
    post: (path, fields) => send(path, { method: "POST", body: new URLSearchParams({ csrf, ...fields }) }),
  };
  if (key !== null) {
    const { headers } = await browsing.post("/sign-in", { key });
    cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    const start = await browsing.get("/");
    await browsing.get(start.location ?? "/"); // for the token of its forms
  }
  return browsing;
}

/** Markup of a page that could run or load something; what stands between an attribute's quotes cannot. */
export function dangerousMarkup(text: string): string[] {
  return (
    text
      .replaceAll(/ src="\/_docent\/dashboard-[0-9a-f]+\.js"/g, " ours")
      .replaceAll(/"[^"]*"/g, '""')
      .match(/<(?:script(?! type="" ours>)|img|iframe|style)[\s>][^>]*|<[^>]* on[a-z]+=[^>]*/gi) ?? []
  );
}
