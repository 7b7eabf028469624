import type { AnalyticsTables } from "./tables/analytics.ts";
import type { CodeHostTables } from "./tables/code-hosts.ts";
import type { InstanceTables } from "./tables/instance.ts";
import type { JobTables } from "./tables/jobs.ts";
import type { PeopleTables } from "./tables/people.ts";
import type { ProjectTables } from "./tables/projects.ts";
import type { RepositoryTables } from "./tables/repositories.ts";
import type { SiteTables } from "./tables/sites.ts";
import type { WebhookTables } from "./tables/webhooks.ts";

/** Every table of both engines. A domain's tables are described in `tables/<domain>.ts`. */
export interface Tables
  extends
    ProjectTables,
    PeopleTables,
    SiteTables,
    JobTables,
    WebhookTables,
    CodeHostTables,
    RepositoryTables,
    AnalyticsTables,
    InstanceTables {}
