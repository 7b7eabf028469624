import { z } from "zod";
import type { McpResources } from "#lib/mcp/mcp-server.ts";
import { AppError } from "#lib/app-error.ts";
import type { OwnInterface } from "./own-interface.ts";

const DIFF = /^docent:\/\/job\/(job_[0-9a-z]{1,90})\/diff$/;
const PAGE = /^docent:\/\/page(\/.{0,1000})$/;
const MAX_JOBS = 10;
const MAX_PAGES = 500;

const Jobs = z.looseObject({
  jobs: z.array(z.looseObject({ id: z.string(), title: z.string().nullable(), pullRequest: z.unknown().nullable() })),
});

/** Resources: diffs of jobs, and pages of the project's site as Markdown. */
export function instanceResources(own: OwnInterface): McpResources {
  const agent = `/v2/agent/${encodeURIComponent(own.project)}`;
  const get = (path: string, accept: string) => own.ask({ method: "GET", path, headers: { Accept: accept } });
  return {
    templates: [
      {
        uriTemplate: "docent://job/{job}/diff",
        name: "job-diff",
        title: "Diff of a job",
        description: "What a job changed, as a patch.",
        mimeType: "text/x-diff",
      },
      {
        uriTemplate: "docent://page/{+path}",
        name: "page",
        title: "Page of the documentation",
        description: "A page of the project's site as Markdown, by its path.",
        mimeType: "text/markdown",
      },
    ],
    async list() {
      const { jobs } = Jobs.parse(JSON.parse(await get(`${agent}/jobs?limit=${MAX_JOBS}`, "application/json")));
      const diffs = jobs
        .filter(({ pullRequest }) => pullRequest !== null)
        .map(({ id, title }) => ({
          uri: `docent://job/${id}/diff`,
          name: id,
          title: `Diff: ${title ?? id}`,
          mimeType: "text/x-diff",
        }));
      return [...diffs, ...pagesIn((await own.read("/llms.txt")) ?? "")];
    },
    async read(uri) {
      const job = DIFF.exec(uri)?.[1];
      if (job !== undefined) {
        const diff = await get(`${agent}/job/${job}/diff`, "text/x-diff").catch(nullIfNotFound);
        return diff === null ? null : { mimeType: "text/x-diff", text: diff };
      }
      const page = PAGE.exec(uri)?.[1];
      const text = page === undefined ? null : await own.read(`${page.replace(/\/$/, "/index")}.md`);
      return text === null ? null : { mimeType: "text/markdown", text };
    },
  };
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  throw error;
}

/** The pages in the site's `llms.txt`. */
function pagesIn(list: string) {
  const links = [...list.matchAll(/^- \[((?:[^\]\\]|\\.)+)\]\((\S+?)\.md\)/gm)].slice(0, MAX_PAGES);
  return links.flatMap(([, title = "", address = ""]) => {
    const path = URL.parse(address, "https://site.invalid")?.pathname;
    return path === undefined
      ? []
      : [
          {
            uri: `docent://page${path}`,
            name: path,
            title: title.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1"),
            mimeType: "text/markdown",
          },
        ];
  });
}
