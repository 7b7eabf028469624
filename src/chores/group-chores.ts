import type { Node } from "jsonc-parser";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { replaceString, writeDocument } from "./edits/navigation/config-document.ts";
import { permuteElements } from "./edits/navigation/json-edits.ts";
import { findGroup } from "./edits/navigation/navigation-edits.ts";
import { refuseInTool } from "./edits/navigation/other-tools.ts";
import { navigationTitle, titleNode } from "./edits/navigation/navigation-entries.ts";
import { Title } from "./edits/names.ts";
import type { Workspace } from "./edits/workspace.ts";

const Group = Title.describe("Title of the group, or its trail (Reference > Releases)");
const RenameInput = z.strictObject({ group: Group, to: Title.describe("New title of the group") });
const MoveInput = z
  .strictObject({
    group: Group,
    before: Group.optional(),
    after: Group.optional(),
    position: z.enum(["first", "last"]).optional().describe("Place among the groups next to it"),
  })
  .refine(
    ({ before, after, position }) => [before, after, position].filter((each) => each !== undefined).length === 1,
    {
      error: 'give one of "before", "after" and "position"',
    },
  );

export const groupTools = [
  choreTool({
    name: "rename_group",
    description: "Gives a group of the navigation another title. Pages and their addresses stay.",
    input: RenameInput,
    mutates: true,
    run: rename,
  }),
  choreTool({
    name: "move_group",
    description:
      "Moves a group of the navigation before or after another one of the same list, or to its start or end.",
    input: MoveInput,
    mutates: true,
    run: move,
  }),
];

async function rename(
  { group: requested, to }: z.infer<typeof RenameInput>,
  workspace: Workspace,
): Promise<ChoreReport> {
  const group = await groupNamed(workspace, requested);
  if (group.title === to) return { summary: `The group is called “${to}” already`, notes: [] };
  const node = titleNode(group.object);
  if (node === undefined) throw new AppError("invalid", `The title of “${requested}” cannot be edited.`);
  const rival = siblingsOf(group.object).find(
    (each) => each !== group.object && navigationTitle(each)?.toLowerCase() === to.toLowerCase(),
  );
  if (rival !== undefined)
    throw new AppError("conflict", `There is already a group “${navigationTitle(rival)}” next to it.`);
  await writeDocument(workspace, group.document, [replaceString(node, to)]);
  return { summary: `Renamed the group “${group.trail}” to “${to}”`, notes: [] };
}

async function move(input: z.infer<typeof MoveInput>, workspace: Workspace): Promise<ChoreReport> {
  const group = await groupNamed(workspace, input.group);
  const siblings = siblingsOf(group.object);
  const list = group.object.parent;
  if (list?.type !== "array") throw new AppError("invalid", `“${input.group}” is not in a list of groups.`);
  const others = siblings.filter((each) => each !== group.object);
  const anchorName = input.before ?? input.after;
  let at = input.position === "first" ? 0 : others.length;
  if (anchorName !== undefined) {
    const anchor = await groupNamed(workspace, anchorName);
    // Documents are parsed again for each lookup: nodes are the same if their offsets are.
    const index = others.findIndex((each) => each.offset === anchor.object.offset);
    if (anchor.document.path !== group.document.path || index === -1) {
      const reason = anchor.object.offset === group.object.offset ? "are one group" : "stand in different lists";
      throw new AppError(
        "invalid",
        `“${group.trail}” and “${anchor.trail}” ${reason}: a group moves within its own list.`,
      );
    }
    at = input.before === undefined ? index + 1 : index;
  }
  const order = [...others.slice(0, at), group.object, ...others.slice(at)];
  const place =
    anchorName === undefined
      ? `to the ${input.position === "first" ? "start" : "end"} of its list`
      : `${input.before === undefined ? "after" : "before"} “${anchorName}”`;
  const edits = permuteElements(group.document.text, list, order);
  if (edits.length === 0) return { summary: `The group “${group.trail}” is there already`, notes: [] };
  await writeDocument(workspace, group.document, edits);
  return { summary: `Moved the group “${group.trail}” ${place}`, notes: [] };
}

async function groupNamed(workspace: Workspace, requested: string) {
  const docs = await workspace.docs();
  refuseInTool(docs, "navigation");
  if (docs.config.navigation === null)
    throw new AppError(
      "invalid",
      "There is no configured navigation: it is made from the folders and has no groups to change.",
    );
  return findGroup(workspace, requested);
}

const siblingsOf = (object: Node): Node[] =>
  object.parent?.type === "array" ? (object.parent.children ?? []) : [object];
