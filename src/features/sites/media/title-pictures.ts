import { createHash } from "node:crypto";
import type { Page } from "#docs/tree/page-tree.ts";
import { createCanDraw } from "#docs/render/picture/fonts.ts";
import { CARD_FORM, type TitleCard } from "#docs/render/picture/title-card.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { createBody, sendBody } from "#lib/network/body.ts";
import { createKeptBodies } from "#features/sites/kept-bodies.ts";
import { shortVersion, VERSION_PARAMETER } from "#features/sites/versioned-address.ts";

/** The path of generated images: `?page=/guides/install&v=…`. */
export const PICTURE_PATH = "/_docent/picture.png";

/** A page and the parts of its site that its image shows. */
export interface PicturedPage {
  page: Pick<Page, "route" | "title" | "description">;
  siteName: string;
  /** Scheme, host and base path. */
  origin: string;
  /** The accent of the light theme. */
  color: string;
  isRightToLeft: boolean;
}

/** Images generated from page titles, for social networks. */
export interface TitlePictures {
  /**
   * The path of a page's image below its site's origin; null when its title has characters that no available font has.
   */
  address(pictured: PicturedPage): string | null;
  /**
   * The image, drawn once and cached; null when there is none.
   *
   * @throws AppError `unavailable` when too many images of the project wait.
   */
  answer(request: PlainRequest, owner: string, pictured: PicturedPage): Promise<PlainAnswer | null>;
}

/** About 1,500 images. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const MAX_TITLE = 160;
const MAX_DESCRIPTION = 240;
const MAX_NAME = 60;
const MAX_ADDRESS = 80;

export function createTitlePictures({ draw }: Pick<ContentProcess, "draw">): TitlePictures {
  const canDraw = createCanDraw();
  const bodies = createKeptBodies({ maxBytes: MAX_KEPT_BYTES });
  // Crawlers request many pages at once, and readers' pages are rendered in the same processes.
  const places = createFairPlaces({ places: 2, perOwner: 1, maxWaiting: 40 });

  function cardOf({ page, siteName, origin, color, isRightToLeft }: PicturedPage): TitleCard | null {
    const title = drawn(page.title, MAX_TITLE);
    if (title === null) return null;
    const path = page.route === "/" ? "" : readable(page.route);
    const address = origin.replace(/^https?:\/\//, "");
    return {
      title,
      description: drawn(page.description ?? "", MAX_DESCRIPTION),
      siteName: drawn(siteName, MAX_NAME),
      address: drawn(address + path, MAX_ADDRESS) ?? address.slice(0, MAX_ADDRESS),
      color,
      isRightToLeft,
    };
  }

  /** A text on one line, without emoji; null when it is empty or cannot be drawn. */
  function drawn(text: string, maxCharacters: number): string | null {
    const plain = text
      .slice(0, maxCharacters * 2)
      .replaceAll(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\uFE0F\u200D]/gu, "")
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
      .trim();
    const short = plain.length > maxCharacters ? `${plain.slice(0, maxCharacters).trimEnd()}…` : plain;
    return /[\p{L}\p{N}]/u.test(short) && canDraw(short) ? short : null;
  }

  function addressOf(pictured: PicturedPage): string | null {
    const card = cardOf(pictured);
    if (card === null) return null;
    const page = encodeURIComponent(pictured.page.route);
    return `${PICTURE_PATH}?page=${page}&${VERSION_PARAMETER}=${shortVersion(versionOf(card))}`;
  }

  // Every view of a page needs it, and its inputs rarely change.
  const known = new WeakMap<PicturedPage["page"], { around: string; address: string | null }>();

  return {
    address(pictured) {
      const { page, siteName, origin, color, isRightToLeft } = pictured;
      const around = `${origin} ${color} ${isRightToLeft} ${siteName}`;
      let found = known.get(page);
      if (found?.around !== around) known.set(page, (found = { around, address: addressOf(pictured) }));
      return found.address;
    },
    async answer(request, owner, pictured) {
      const card = cardOf(pictured);
      if (card === null) return null;
      const version = versionOf(card);
      const body = await bodies.get(`${owner} ${version}`, async () => {
        const png = await places.run(owner, () => draw(card, owner));
        return png && createBody(png, "image/png", { owner });
      });
      if (body === null) return null;
      const requestedVersion = new URL(request.url).searchParams.get(VERSION_PARAMETER);
      const isThis = requestedVersion === shortVersion(version);
      const caching = isThis ? "public, max-age=31536000, immutable" : "no-cache";
      return await sendBody(request, body, { headers: { "Cache-Control": caching } });
    },
  };
}

function versionOf(card: TitleCard): string {
  return createHash("sha256")
    .update(JSON.stringify([CARD_FORM, card]))
    .digest("hex");
}

function readable(route: string): string {
  try {
    return decodeURI(route);
  } catch {
    return route;
  }
}
