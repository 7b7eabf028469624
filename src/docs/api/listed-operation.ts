/** An operation as lists show it. */
export interface ListedOperation {
  /** `GET`, `POST` …, `WEBHOOK`; of a channel `WSS`, `PUB`, `SUB`. */
  method: string;
  /** The path, or the name of the webhook or channel. */
  path: string;
  title: string | null;
  /** Folder and name that its page has unless its author says where it is to be: `users/get-a-user`. */
  slug: string;
  description: string | null;
  tag: string | null;
  isDeprecated: boolean;
  /** It has a page, but no place in the navigation. */
  isHidden: boolean;
  /** It has no page. */
  isExcluded: boolean;
  /** Where its page is to be, as its author wrote it. */
  href: string | null;
}

/** A text as part of an address, as other hosts make it: links to them go on working. */
export function slugPart(text: string): string {
  return text
    .slice(0, 200)
    .replaceAll(" ", "-")
    .replaceAll(/\{[^{}]*\}/g, "-")
    .replace(/^-/, "")
    .replace(/-$/, "")
    .replaceAll(/[{}(),.'\n/]/g, "")
    .replaceAll("--", "-")
    .toLowerCase();
}
