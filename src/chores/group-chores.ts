import type { Node } from "jsonc-parser";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { replaceString, writeDocument } from "./edits/navigation/config-document.ts";
import { permuteElements } from "./edits/navigation/json-edits.ts";
import { chooseGroup } from "./edits/navigation/group-names.ts";
import { findGroup } from "./edits/navigation/navigation-edits.ts";
import { refuseInTool } from "./edits/navigation/other-tools.ts";
import {
  renameNavGroup,
  reorderNav,
  siblingsIn,
  type ToolGroups,
  toolGroups,
} from "./edits/navigation/tool-navigation.ts";
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
type MoveInput = z.infer<typeof MoveInput>;

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
  const inTool = await toolGroups(workspace);
  if (inTool !== null) {
    const found = chooseGroup(inTool.groups, requested);
    if (found.title === to) return { summary: `The group is called “${to}” already`, notes: [] };
    await renameNavGroup(workspace, inTool.nav, found, to);
    return { summary: `Renamed the group “${found.trail}” to “${to}”`, notes: [] };
  }
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

async function move(input: MoveInput, workspace: Workspace): Promise<ChoreReport> {
  const inTool = await toolGroups(workspace);
  if (inTool !== null) return moveInTool(workspace, inTool, input);
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
    if (anchor.document.path !== group.document.path || index === -1)
      throw differentLists(group, anchor, anchor.object.offset === group.object.offset);
    at = input.before === undefined ? index + 1 : index;
  }
  const order = [...others.slice(0, at), group.object, ...others.slice(at)];
  const edits = permuteElements(group.document.text, list, order);
  if (edits.length > 0) await writeDocument(workspace, group.document, edits);
  return movedReport(group, input, edits.length > 0);
}

async function moveInTool(workspace: Workspace, { nav, groups }: ToolGroups, input: MoveInput): Promise<ChoreReport> {
  const moved = chooseGroup(groups, input.group);
  const { group } = moved;
  if (nav === null || group === null)
    throw new AppError("invalid", `The group “${moved.trail}” is derived from a folder, and so is its place.`);
  const others = siblingsIn(nav, group).filter((each) => each !== group);
  const anchorName = input.before ?? input.after;
  let at = input.position === "first" ? 0 : others.length;
  if (anchorName !== undefined) {
    const anchor = chooseGroup(groups, anchorName);
    const index = others.findIndex((each) => each === anchor.group);
    if (index === -1) throw differentLists(moved, anchor, anchor.group === group);
    at = input.before === undefined ? index + 1 : index;
  }
  const order = [...others.slice(0, at), group, ...others.slice(at)];
  return movedReport(moved, input, await reorderNav(workspace, nav, order));
}

type Trail = { trail: string };

function differentLists(group: Trail, anchor: Trail, isSame: boolean): AppError {
  const reason = isSame ? "are one group" : "stand in different lists";
  return new AppError(
    "invalid",
    `“${group.trail}” and “${anchor.trail}” ${reason}: a group moves within its own list.`,
  );
}

function movedReport({ trail }: Trail, { before, after, position }: MoveInput, isMoved: boolean): ChoreReport {
  const anchor = before ?? after;
  const place =
    anchor === undefined
      ? `to the ${position === "first" ? "start" : "end"} of its list`
      : `${before === undefined ? "after" : "before"} “${anchor}”`;
  return {
    summary: isMoved ? `Moved the group “${trail}” ${place}` : `The group “${trail}” is there already`,
    notes: [],
  };
}

async function groupNamed(workspace: Workspace, requested: string) {
  const docs = await workspace.docs();
  refuseInTool(docs, "navigation");
  if (docs.config.navigation === null)
    throw new AppError(
      "invalid",
      "There is no configured navigation: it is derived from the folders and has no groups to change.",
    );
  return findGroup(workspace, requested);
}

const siblingsOf = (object: Node): Node[] =>
  object.parent?.type === "array" ? (object.parent.children ?? []) : [object];
