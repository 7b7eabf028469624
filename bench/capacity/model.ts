import type { Costs } from "./costs.ts";

export interface Load {
  projects: number;
  /** A month. */
  views: number;
  jobs: number;
}

/** Not measured: chosen by whoever asks. */
export interface Assumptions {
  /** The busiest hour in multiples of the average one. */
  peak: number;
  /** The share of a core that may be used at the peak. */
  busy: number;
  /** Of a model, per job. */
  steps: number;
  /** How long a model takes for one. */
  stepSeconds: number;
  /** What a step adds to the transcript. */
  stepBytes: number;
  /** How long transcripts and views are kept. */
  months: number;
  /** Sites that are in use at the same time, of all. */
  warm: number;
}

const MONTH_SECONDS = 30 * 86_400;
const GB = 1e9;
/** One process uses one core for its requests, and another for its threads and children. */
const CORES_PER_NODE = 2;
/** So that one can be replaced while the others work. */
const LEAST_NODES = 2;

/** What a month of a load needs. */
export function capacityFor({ projects, views, jobs }: Load, costs: Costs, given: Assumptions) {
  const perSecond = (count: number) => (count / MONTH_SECONDS) * given.peak;
  const seconds = {
    pages: (perSecond(views) * costs.page.value) / 1e6,
    views: (perSecond(views) * costs.view.value) / 1e6,
    jobs: (perSecond(jobs) * (costs.job.value + given.steps * costs.step.value)) / 1e3,
    projects: (projects * costs.projectIdle.value) / 1e3 / 3_600,
  };
  const nodesFor = (cores: number) => Math.max(LEAST_NODES, Math.ceil(cores / given.busy));
  const web = nodesFor(seconds.pages + seconds.views);
  const workers = nodesFor(seconds.jobs + seconds.projects);
  const running = perSecond(jobs) * given.steps * given.stepSeconds;
  const sites = projects * given.warm * costs.projectMemory.value;
  const memoryMb = (web + workers) * costs.node.value + running * costs.runningJob.value + sites * (1 + 1 / web);
  const database = {
    views: views * given.months * costs.viewBytes.value,
    jobs: jobs * given.months * (costs.jobBytes.value + given.steps * given.stepBytes),
    projects: projects * costs.projectBytes.value,
  };
  const repositories = projects * costs.projectDisk.value + jobs * given.months * costs.jobDisk.value;
  return {
    viewsPerSecond: perSecond(views),
    jobsPerSecond: perSecond(jobs),
    running,
    seconds,
    web,
    workers,
    cores: (web + workers) * CORES_PER_NODE,
    memoryGb: memoryMb / 1e3,
    databaseGb: { views: database.views / GB, jobs: database.jobs / GB, projects: database.projects / GB },
    repositoriesGb: repositories / GB,
  };
}

export type Capacity = ReturnType<typeof capacityFor>;

export interface Prices {
  /** A virtual core a month, with the memory that machines have for it. */
  core: number;
  /** A gigabyte of disk a month. */
  disk: number;
  /** A database of the same cores as one node, in multiples of such a node. */
  database: number;
}

/** Dollars a month, without models, traffic and backups. */
export function moneyFor(capacity: Capacity, prices: Prices) {
  const { databaseGb, repositoriesGb, cores } = capacity;
  const stored = databaseGb.views + databaseGb.jobs + databaseGb.projects + repositoriesGb;
  return {
    nodes: cores * prices.core,
    database: prices.database * CORES_PER_NODE * prices.core,
    disk: stored * prices.disk,
  };
}
