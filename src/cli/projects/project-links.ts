import { ONE_PROJECT, onProject } from "#cli/command/action.ts";
import { wholeNumber } from "#cli/command/command.ts";

const DAY_SECONDS = 86_400;

/** `docent projects link PROJECT`: a URL that opens a private site. */
export const printSiteLink = onProject(
  ONE_PROJECT,
  { path: { type: "string" }, days: { type: "string" } },
  ({ values: { path = "/", days = "7" } }) => {
    const expiresInSeconds = wholeNumber("--days", days, 1, 366) * DAY_SECONDS;
    return async ({ call }) => {
      const link = await call("createSiteLink", { body: { path, expiresInSeconds } });
      return { json: link, text: link.url };
    };
  },
);

/** `docent projects sign-out PROJECT`: ends every reader session and link of the site. */
export const endProjectVisits = onProject(ONE_PROJECT, {}, () => async ({ call }) => {
  const { id, slug } = await call("getProject");
  await call("endSiteSessions");
  return { json: { id, slug }, text: `Every sign-in and link of ${slug} has ended.` };
});
