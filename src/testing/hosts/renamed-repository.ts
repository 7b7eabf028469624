const FIRST = "acme/docs";
export const REPOSITORY_ID = 4711;

/** The names of a host's one repository; the routes all use its first name. */
export interface RepositoryName {
  /** The current name. */
  path: string;
  /** Former names, which redirect to it. */
  former: string[];
  /** The id of another repository that has taken its first name; null: none has. */
  squatter: number | null;
  isDeleted: boolean;
}

/** Rewrites a request to the first name, whichever name or id it uses; or returns the response to it. */
export function byName(request: Request, { name }: { name: RepositoryName }): Request | Response {
  const { path, squatter, isDeleted } = name;
  const url = new URL(request.url);
  const idOf = new RegExp(`/(repositories|projects)/${REPOSITORY_ID}(?=/|$)`).exec(url.pathname);
  if (idOf) {
    if (isDeleted) return Response.json({ message: "Not Found" }, { status: 404 });
    return to(request, idOf[0], idOf[1] === "projects" ? `/projects/${encodeURIComponent(FIRST)}` : `/repos/${FIRST}`);
  }
  if (
    squatter !== null &&
    [`/repos/${FIRST}`, `/projects/${encodeURIComponent(FIRST)}`].some((end) => url.pathname.endsWith(end))
  ) {
    const address = `${url.origin}/${FIRST}`;
    const others = { default_branch: "main", archived: false, empty: false };
    return Response.json({ id: squatter, html_url: address, web_url: address, ...others });
  }
  if (path === FIRST) return request;
  for (const write of [String, encodeURIComponent]) {
    if (url.pathname.includes(`/${write(path)}`)) return to(request, write(path), write(FIRST));
    const former = squatter === null ? name.former.find((one) => url.pathname.includes(`/${write(one)}`)) : undefined;
    if (former !== undefined) return redirect(request, former, path);
  }
  return request;
}

function to(request: Request, from: string, into: string): Request {
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(from, into);
  return new Request(url, request);
}

/** GitHub and GitLab redirect to the address by id, Gitea (`RedirectToRepo` in its source) and git to the new name. */
function redirect(request: Request, former: string, path: string): Response {
  const { href, pathname } = new URL(request.url);
  const isRead = request.method === "GET";
  const answer = (location: string, status: number) =>
    Response.json({ message: "Moved Permanently", url: location }, { status, headers: { location } });
  if (pathname.startsWith("/api/v3/")) {
    return answer(href.replace(`/repos/${former}`, `/repositories/${REPOSITORY_ID}`), isRead ? 301 : 307);
  }
  if (pathname.startsWith("/api/v4/")) {
    if (!isRead)
      return Response.json({ message: "405 Non GET methods are not allowed for moved projects" }, { status: 405 });
    return answer(href.replace(encodeURIComponent(former), String(REPOSITORY_ID)), 301);
  }
  return answer(href.replace(former, path), 301);
}

export function rename({ name }: { name: RepositoryName }, path: string): void {
  name.former.push(name.path);
  name.path = path;
}
