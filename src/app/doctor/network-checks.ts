import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:tls";
import { delayedMail } from "#features/mail/mail-queue.ts";
import { DAY_MS } from "#lib/clock.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { age, countOf, type Diagnosis, firstOf, type DoctorInput, diagnose } from "./diagnosis.ts";

const LATE_MS = DAY_MS;
const AT_ONCE = 8;
const MAX_LOOKED_AT = 50;
const LIMIT_MS = 4_000;
const SOON_DAYS = 14;

/** Connection state, as the server recorded it when it last polled other hosts. */
export async function checkConnections({ database, server, now }: DoctorInput): Promise<Diagnosis[]> {
  const columns = ["project.slug", "url", "synced_at", "trouble"] as const;
  const connections = await database.kysely
    .selectFrom("connection")
    .innerJoin("project", "project.id", "connection.project_id")
    .select([...columns, "refusal"])
    .execute();
  const sources = await database.kysely
    .selectFrom("source")
    .innerJoin("project", "project.id", "source.project_id")
    .select(columns)
    .execute();
  const all = [...connections, ...sources.map((row) => ({ ...row, refusal: null }))];
  const found = all.flatMap(({ slug, url, synced_at: syncedAt, trouble, refusal }): Diagnosis[] => {
    const seen = syncedAt === null ? "never" : `${age(now.getTime() - Number(syncedAt))} ago`;
    const shown = `${url} (${slug}), last current ${seen}`;
    if (trouble !== null)
      return [diagnose.warning("connections", `${shown}: ${trouble}`, `docent projects show ${slug}`)];
    if (refusal !== null) {
      return [
        diagnose.warning(
          "connections",
          `${shown}: the last change was refused. ${refusal}`,
          `docent projects show ${slug}`,
        ),
      ];
    }
    const isLate = server !== null && (syncedAt === null || now.getTime() - Number(syncedAt) > LATE_MS);
    return isLate ? [diagnose.warning("connections", `${shown}.`, "docent logs --level warn")] : [];
  });
  if (found.length > 0) return firstOf(found);
  return [
    diagnose.ok(
      "connections",
      all.length === 0
        ? "No repository is on another host."
        : `${countOf(all.length, "repository", "repositories")} on other hosts, all current.`,
    ),
  ];
}

/** Connects to the mail server as the server does, and counts mail that waits for it. */
export async function checkMail({ database, config, now }: DoctorInput): Promise<Diagnosis[]> {
  if (config.mail === null) return [diagnose.ok("mail", "No mail server is configured: people copy links instead.")];
  const { tryMailServer } = await import("#features/mail/mail-worker.ts");
  const { host } = new URL(config.mail.url.reveal());
  const [problem, delayed] = [await tryMailServer(config.mail), await delayedMail(database, now)];
  const waiting =
    delayed &&
    `${countOf(delayed.count, "mail")} could not be sent, the oldest for ${age(now.getTime() - delayed.since.getTime())}.`;
  if (problem !== null) {
    const advice = "Look at DOCENT_SMTP and at the mail server. Docent tries each mail again for a day.";
    return [diagnose.problem("mail", `${host} does not take mail: ${problem}. ${waiting ?? ""}`.trimEnd(), advice)];
  }
  if (waiting !== null)
    return [diagnose.warning("mail", `${host} accepts connections, but ${waiting}`, "docent logs --level warn")];
  return [diagnose.ok("mail", `${host} accepts mail.`)];
}

/**
 * Checks that the domains of sites resolve and, where sites use https, have a certificate that does not expire soon.
 */
export async function checkDomains({ database, config, server }: DoctorInput): Promise<Diagnosis[]> {
  const rows = await database.kysely.selectFrom("site_domain").select("domain").orderBy("domain").execute();
  const baseUrl = config.baseUrl ?? server;
  const own = baseUrl === null ? null : new URL(baseUrl);
  const isSecure = own?.protocol === "https:";
  const names = [...(isSecure ? [own.hostname] : []), ...rows.map(({ domain }) => domain)];
  if (names.length === 0) return [diagnose.ok("domains", "No site has a domain of its own.")];
  const looked = names.slice(0, MAX_LOOKED_AT);
  const found = (await mapConcurrently(looked, AT_ONCE, (name) => checkDomain(name, isSecure))).flat();
  if (found.length > 0) return firstOf(found);
  const rest = names.length > looked.length ? ` of ${names.length}` : "";
  return [
    diagnose.ok(
      "domains",
      `${countOf(looked.length, "name")}${rest} in DNS${isSecure ? ", with valid certificates" : ""}.`,
    ),
  ];
}

async function checkDomain(name: string, isSecure: boolean): Promise<Diagnosis[]> {
  const isKnown = await lookup(name).then(
    () => true,
    () => false,
  );
  if (!isKnown)
    return [
      diagnose.warning(
        "domains",
        `DNS does not know ${name}.`,
        "Point the name to this server or its proxy, or remove the domain.",
      ),
    ];
  if (!isSecure) return [];
  const trouble = await certificateTrouble(name);
  return trouble === null
    ? []
    : [
        diagnose.warning(
          "domains",
          `${name}: ${trouble}`,
          "Look at the proxy in front of Docent: it keeps the certificates.",
        ),
      ];
}

async function certificateTrouble(name: string): Promise<string | null> {
  // Accepts any certificate: the check inspects it, so an invalid one must not close the connection.
  const socket = connect({ host: name, port: 443, servername: name, rejectUnauthorized: false, timeout: LIMIT_MS });
  socket.once("timeout", () => socket.destroy(new Error("no answer")));
  try {
    await once(socket, "secureConnect");
    if (!socket.authorized) return `its certificate is not trusted here (${String(socket.authorizationError)}).`;
    const days = (Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS;
    return days < SOON_DAYS ? `its certificate ends in ${countOf(Math.floor(days), "day")}.` : null;
  } catch (error) {
    return `port 443 cannot be reached from here (${(error as Error).message}).`;
  } finally {
    socket.destroy();
  }
}
