import { describe, expect, test } from "vitest";
import { htmlTokens } from "./html-tokens.ts";

const shape = (html: string) =>
  htmlTokens(html).map((token) => {
    const written = html.slice(token.start, token.end);
    if (token.kind === "text") return `${token.isTag ? "broken" : "text"} ${written}`;
    if (token.kind === "close") return `/${token.name}`;
    const values = token.attributes.map(({ name, start, end }) => `${name}=${html.slice(start, end)}`);
    return [token.name, ...values].join(" ");
  });

const MANY = Array.from({ length: 2_000 }, (_, index) => `b${index}`).join(" ");

describe("raw HTML is tokenized as in browsers, with offsets", () => {
  test.each<[html: string, tokens: string[]]>([
    ['<Card title="a > b" Href=/x open>c d</Card>', ["Card title=a > b Href=/x open=", "text c d", "/Card"]],
    ["a < b &amp; c <!-- <i> --> d", ["text a < b &amp; c ", "text  d"]],
    ["<script>if (a < b) '<i>'</script><b>", ["script", "text if (a < b) '<i>'", "/script", "b"]],
    ['x <a href="/y', ["text x ", 'broken <a href="/y']],
    ["<a title='1' title='2'>", ["a title=1"]],
    ["<br/>\r\n<p\n class = 'q' >", ["br", "text \r\n", "p class=q"]],
    [`<a ${MANY}>c`, [`broken <a ${MANY}>c`]],
    ["<ü> </ x> <1>", ["text <ü> ", "text  <1>"]],
  ])("%.40s", (html, tokens) => {
    expect(shape(html)).toEqual(tokens);
  });

  test("values have their character references resolved", () => {
    const [tag, text] = htmlTokens('<a href="?a=1&amp;b&#x3D;2">&lt;</a>');
    expect(tag).toMatchObject({ attributes: [{ name: "href", value: "?a=1&b=2" }] });
    expect(text).toMatchObject({ text: "<" });
  });

  test("pieces longer than one chunk stay whole", () => {
    const words = "many words &amp; more 👩‍🚀 ".repeat(500);
    expect(shape(`<p title="${words}">${words}</p>`)).toEqual([`p title=${words}`, `text ${words}`, "/p"]);
  });
});
