import { APP_PERMISSIONS, type AppManifest } from "#hosts/remote/host-apps.ts";
import { AppError } from "#lib/app-error.ts";
import { GITHUB_EVENTS } from "./github-notices.ts";

const MAX_NAME_LENGTH = 34;

/** The origin of a host from an address that a person entered. `AppError invalid`. */
export function hostOrigin(text: string): string {
  const url = URL.parse(text.trim());
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || url.username !== "" || url.password !== "") {
    throw new AppError(
      "invalid",
      "Enter the address of GitHub or of your GitHub Enterprise Server, such as https://github.com.",
    );
  }
  return url.origin;
}

/**
 * The manifest of an app for this server, in the form that GitHub accepts
 * (https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest, 2026). GitHub refuses
 * a webhook address that it cannot reach, so a server on localhost gets none. `AppError invalid`.
 */
export function githubAppManifest(options: {
  id: string;
  state: string;
  origin: string;
  organization: string;
  baseUrl: string;
}): AppManifest {
  const { id, state, baseUrl } = options;
  const origin = hostOrigin(options.origin);
  const organization = options.organization.trim();
  if (organization !== "" && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(organization)) {
    throw new AppError(
      "invalid",
      "An organization is one word, as in its address: for https://github.com/acme it is acme.",
    );
  }
  const place = organization === "" ? "" : `/organizations/${organization}`;
  const { hostname } = new URL(baseUrl);
  const isReachable = !isLoopback(hostname) || isLoopback(new URL(origin).hostname);
  const manifest = {
    name: `Docent ${hostname}`.slice(0, MAX_NAME_LENGTH).trim(),
    url: baseUrl,
    description: "Keeps documentation as it should be: follows the docs branch, and opens pull requests.",
    redirect_url: `${baseUrl}/admin/github-app/made`,
    setup_url: `${baseUrl}/admin/github-app/installed`,
    setup_on_update: true,
    public: false,
    default_permissions: APP_PERMISSIONS,
    ...(isReachable && {
      hook_attributes: { url: `${baseUrl}/git/app/${id}/webhook`, active: true },
      default_events: GITHUB_EVENTS,
    }),
  };
  return {
    action: `${origin}${place}/settings/apps/new?state=${encodeURIComponent(state)}`,
    manifest: JSON.stringify(manifest),
  };
}

const isLoopback = (hostname: string) =>
  hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || hostname.startsWith("127.");
