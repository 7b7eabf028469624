import { describe, expect, it } from "vitest";
import english from "#docs/words/languages/en.json" with { type: "json" };
import { linkPictures } from "./picture-links.ts";

const link = (html: string) => linkPictures(html, english);

describe("the links of pictures", () => {
  it.each([
    [
      '<p><img src="/a.png" alt="A &quot;b&quot; &gt; c"></p>',
      '<p><a class="site-zoom" href="/a.png" aria-label="Enlarge the image: A &quot;b&quot; &gt; c"><img src="/a.png" alt="A &quot;b&quot; &gt; c"></a></p>',
    ],
    [
      '<img class="rounded dark:hidden" src="/a.png?x=1&amp;y" alt="">',
      '<a class="site-zoom dark:hidden" href="/a.png?x=1&amp;y" aria-label="Enlarge the image"><img class="rounded dark:hidden" src="/a.png?x=1&amp;y" alt=""></a>',
    ],
  ])("point from %s to the file", (html, linked) => {
    expect(link(html)).toBe(linked);
  });

  it.each([
    '<a href="/x"><b><img src="/a.png" alt=""></b></a>',
    '<summary><img src="/a.png" alt=""></summary>',
    '<img src="/a.png" data-no-zoom alt="">',
    '<img class="content-icon" src="/a.svg" alt="">',
    '<img src="data:image/png;base64,AA" alt="">',
    '<img alt="none">',
  ])("are omitted inside a link, or where they are turned off: %s", (html) => {
    expect(link(html)).toBe(html);
  });

  it("resume after a link", () => {
    expect(link('</a><a href="/x">x</a><img src="/a.png" alt="">')).toContain('href="/a.png"');
  });
});
