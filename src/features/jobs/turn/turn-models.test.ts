import { expect, it } from "vitest";
import type { Project } from "#features/projects/project.ts";
import type { ResolvedModel } from "#models/model.ts";
import type { CommonEffort, Effort } from "#models/settings.ts";
import { findModels } from "./turn-models.ts";

const model = (name: string, effort: Effort, isBuiltin = false) => ({ name, effort, isBuiltin }) as ResolvedModel;
const deps = {
  resolveModel: (_project: Project, name: string) => model(name, "max", name === "docent/builtin-rules"),
  fallbackModels: () => [model("other/m", "minimal")],
  choreModel: () => model("docent/builtin-rules", "none", true),
};

it.each<[CommonEffort | null, CommonEffort | undefined, Effort[]]>([
  ["high", "low", ["high", "high"]],
  [null, "low", ["low", "low"]],
  [null, undefined, ["max", "minimal"]],
])("takes the effort of the job (%s), else of the project (%s), else of each model", (asked, ofProject, efforts) => {
  const project = { settings: { effort: ofProject } } as Project;
  const found = findModels(deps, { project, job: { model: "some/m", effort: asked }, chores: null });
  expect(found.ok && found.models.map(({ effort }) => effort)).toEqual(efforts);
});
