import { setTimeout as sleep } from "node:timers/promises";
import type { Docs } from "#docs/tree/page-tree.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { aspectRatio } from "./image-shape.ts";
import { namedAsset } from "./versioned-address.ts";

const MAX_LOGO_BYTES = 2 * 1024 * 1024;
const MAX_MARK_RATIO = 1.6;
const LOGO_PATIENCE_MS = 2_000;

/** Whether the logo is a mark without the name in it, going by its shape. */
export async function hasSquareLogo(snapshot: Snapshot, docs: Docs): Promise<boolean> {
  const asset = docs.config.logo && namedAsset(docs.assets, docs.config.logo.light)?.asset;
  if (!asset || asset.sizeBytes > MAX_LOGO_BYTES) return false;
  // A mirror may have it at its host: the site does not wait for that.
  const read = snapshot.read(asset.path).catch(() => null);
  const bytes = await Promise.race([read, sleep(LOGO_PATIENCE_MS, null, { ref: false })]);
  const ratio = bytes && aspectRatio(bytes);
  return ratio !== null && ratio < MAX_MARK_RATIO;
}
