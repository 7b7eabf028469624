import type { HostApp, HostApps, Installation } from "#hosts/remote/host-apps.ts";
import { newId } from "#lib/ids.ts";

/** Creates an app at a host as people do, through the form and the redirect back; it is not installed yet. */
export async function makeGithubApp(
  hostApps: HostApps,
  { origin }: { origin: string },
  baseUrl = "http://localhost:4000",
): Promise<HostApp> {
  const id = newId("app");
  const { action, manifest } = await hostApps.manifest({ id, state: "kept", origin, organization: "", baseUrl });
  const body = new URLSearchParams({ manifest });
  const made = await fetch(action, { method: "POST", body, redirect: "manual" });
  const back = new URL(made.headers.get("location")!);
  return hostApps.take({ id, origin, code: back.searchParams.get("code")! });
}

/** Also installs it on the repository `acme/docs`. */
export async function installGithubApp(
  hostApps: HostApps,
  server: { origin: string; url: string },
): Promise<Installation> {
  const { installUrl } = await makeGithubApp(hostApps, server);
  await fetch(installUrl, { redirect: "manual" });
  return hostApps.findInstallation(server.url);
}
