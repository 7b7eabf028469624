import { listDomains } from "#projects/domains.ts";
import { requireProject } from "#projects/projects.ts";
import { endSiteVisits, readSiteAccess } from "#projects/site-access.ts";
import { hostUrl, siteUrl } from "#instance/site-url.ts";
import { createAccessTokens } from "#sites/entrance/access-tokens.ts";
import { createSiteLink, SITE_TOKENS } from "#sites/entrance/site-link.ts";
import { siteAddressOf } from "#sites/site-address.ts";
import { readArguments } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { wholeNumber } from "./numbers.ts";
import { openInstance, openVault } from "./open-instance.ts";

/** `docent projects link PROJECT`: an address that opens a private site. */
export async function printSiteLink(args: readonly string[], io: CommandIo): Promise<void> {
  const options = { path: { type: "string" }, days: { type: "string" } } as const;
  const { values, positionals } = readArguments(args, options, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const { config, baseUrl, clock, database } = instance;
  const project = await requireProject(instance, positionals[0]!);
  const domains = await listDomains(database.kysely, project.id);
  const tokens = createAccessTokens({ key: (await openVault(instance)).keyFor(SITE_TOKENS), clock });
  const link = createSiteLink(
    { tokens, clock },
    {
      site: { id: project.id, access: await readSiteAccess(database.kysely, project.id) },
      address: siteAddressOf(project.settings, domains, (host) => hostUrl(baseUrl, host)),
      ownUrl: siteUrl(baseUrl, config.siteDomain, project.slug),
      path: values.path ?? "/",
      lifetimeSeconds: wholeNumber("--days", values.days ?? "7", 1, 366) * 86_400,
    },
  );
  writeLine(io.stdout, values.json ? JSON.stringify(link) : link.url);
}

/** `docent projects sign-out PROJECT`: ends every sign-in and link of the site. */
export async function endProjectVisits(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const { id, slug } = await requireProject(instance, positionals[0]!);
  await endSiteVisits(instance, id);
  writeLine(io.stdout, values.json ? JSON.stringify({ id, slug }) : `Every sign-in and link of ${slug} has ended.`);
}
