import { AppError } from "#lib/app-error.ts";
import { ONE_PROJECT, onProject, runAction } from "#cli/command/action.ts";
import { type CommandIo, table } from "#cli/command/io.ts";

/** Changes the domains of a site. The first is the main one. */
const changing = (
  change: (domains: readonly string[], domain: string) => string[],
  words: (slug: string, domain: string) => string,
) =>
  onProject({ min: 2, max: 2, names: "PROJECT and DOMAIN" }, {}, ({ words: [, given] }) => async ({ call }) => {
    const domain = given!.trim().toLowerCase();
    const { domains } = await call("getProject");
    const changed = await call("updateProject", { body: { domains: change(domains, domain) } });
    return { json: rowsOf(changed.domains), text: words(changed.slug, domain) };
  });

function others(domains: readonly string[], domain: string): string[] {
  if (domains.includes(domain)) return domains.filter((one) => one !== domain);
  throw new AppError("not_found", `The project does not have the domain ${domain}.`);
}

const rowsOf = (domains: readonly string[]) => domains.map((domain, index) => ({ domain, isMain: index === 0 }));

const ACTIONS = {
  add: changing(
    (domains, domain) => [...new Set([...domains, domain])],
    (slug, domain) => `${slug} is served at ${domain} as soon as its DNS leads here.`,
  ),
  list: onProject(ONE_PROJECT, {}, () => async ({ call }) => {
    const all = rowsOf((await call("getProject")).domains);
    const rows = all.map(({ domain, isMain }) => [domain, isMain ? "main" : ""]);
    const none = "No domains. `docent projects domain add` names one.";
    return { json: all, text: rows.length === 0 ? none : table(["DOMAIN", ""], rows) };
  }),
  main: changing(
    (domains, domain) => [domain, ...others(domains, domain)],
    (slug, domain) => `${domain} is the main domain of ${slug}.`,
  ),
  remove: changing(others, (_, domain) => `${domain} belongs to no project any more.`),
};

/**
 * `docent projects domain …`: domains of a site in addition to its slug. An operator needs no proof; a project's own
 * key at a server needs a DNS record.
 */
export const manageDomains = (args: readonly string[], io: CommandIo) =>
  runAction("projects domain", ACTIONS, args, io);
