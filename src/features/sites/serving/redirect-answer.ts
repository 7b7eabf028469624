import type { PlainAnswer } from "#lib/network/plain-http.ts";

export function redirect(location: string, url: URL, status: 307 | 308): PlainAnswer {
  const [target = "", hash] = location.split("#", 2);
  return {
    status,
    headers: {
      Location: withQuery(target, url.search) + (hash === undefined ? "" : `#${hash}`),
      "Cache-Control": "no-cache",
      "X-Content-Type-Options": "nosniff",
    },
    body: null,
  };
}

/** What the address asked for goes on, but for what the redirect itself says. */
function withQuery(target: string, asked: string): string {
  if (asked === "") return target;
  const [path = "", own = ""] = target.split(/\?(.*)/s, 2);
  const said = new Set(new URLSearchParams(own).keys());
  const nameOf = (part: string) => new URLSearchParams(part).keys().next().value ?? "";
  const others = asked
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !said.has(nameOf(part)));
  const query = [own, ...others].filter((part) => part !== "").join("&");
  return query === "" ? path : `${path}?${query}`;
}
