import { expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { createPreviewLinks, PREVIEW_PARAMETER } from "./preview-links.ts";

const siteUrl = (label: string) => `http://${label}.localhost:4000/`;
const tokenIn = (link: string) => new URL(link).searchParams.get(PREVIEW_PARAMETER) ?? "";

it("the token of one preview opens no other one: of its project, of another project, or of another instance", () => {
  const links = createPreviewLinks({ key: Buffer.alloc(32, 1), siteUrl });
  const preview = { projectId: newProjectId(), slug: "harbor", number: 1 };
  const token = tokenIn(links.link(preview));
  expect(links.opens(preview, token)).toBe(true);
  expect(links.opens({ ...preview, number: 2 }, token)).toBe(false);
  expect(links.opens({ ...preview, projectId: newProjectId() }, token)).toBe(false);
  const others = createPreviewLinks({ key: Buffer.alloc(32, 2), siteUrl });
  expect(others.opens(preview, token)).toBe(false);
  expect(links.opens(preview, "")).toBe(false);
});

it("no token ends with a character that code hosts leave out of a link", () => {
  const links = createPreviewLinks({ key: Buffer.alloc(32, 1), siteUrl });
  const projectId = newProjectId();
  const tokens = Array.from({ length: 400 }, (_, number) => tokenIn(links.link({ projectId, slug: "harbor", number })));
  expect(tokens.filter((token) => !/[0-9A-Za-z]$/.test(token))).toEqual([]);
});
