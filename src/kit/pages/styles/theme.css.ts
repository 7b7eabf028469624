import { COMMAND_MENU_CSS } from "./command-menu.css.ts";
import { TOKENS_CSS } from "./tokens.css.ts";
import { ANALYTICS_CSS } from "./analytics.css.ts";
import { DIFF_CSS } from "./diff.css.ts";
import { FORMS_CSS } from "./forms.css.ts";
import { JOB_CSS } from "./job.css.ts";
import { PULL_REQUEST_CSS } from "./pull-request.css.ts";
import { SETTINGS_CSS } from "./settings.css.ts";

const BASE_CSS = `
:root {
  --font-body: "Inter", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --good: light-dark(#1a7f37, #4ac26b);
  --bad: light-dark(#c0343a, #f47067);
  --done: light-dark(#7a4fd0, #b392f0);
  --warn: light-dark(#9a6700, #d8a128);
  --shadow: 0 1px 2px light-dark(rgb(15 23 28 / 7%), rgb(0 0 0 / 40%));
}
* { box-sizing: border-box; }
html { font: 14.5px/1.55 var(--font-body); font-feature-settings: "cv05", "cv08", "ss03"; color: var(--text); background: var(--background); -webkit-text-size-adjust: 100%; }
body { margin: 0; }
main { max-width: 78rem; margin: 0 auto; padding: 1.75rem clamp(1rem, 3vw, 2rem) 5rem; }
h1, h2, h3, h4, h5, h6 { color: var(--text-strong); line-height: 1.25; text-wrap: balance; }
a { color: var(--accent); text-decoration: none; text-underline-offset: .2em; }
a:hover, main :is(p, small, .muted) a:not(.button) { text-decoration: underline; }
main :is(p, small, .muted) a:not(.button, :hover) { text-decoration-color: color-mix(in srgb, currentColor 45%, transparent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--font-mono); font-size: .86em; }
code { background: var(--surface-strong); border-radius: 5px; padding: .12em .38em; overflow-wrap: anywhere; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
pre { background: var(--surface); border: 1px solid var(--border); border-radius: var(--radius); padding: .75rem .9rem; overflow-x: auto; }
pre code { background: none; padding: 0; font-size: 1em; }
.muted, .number { color: var(--muted); }
.number { font-weight: 400; }
.icon { vertical-align: -.18em; flex: none; }
.control { background: var(--bad); color: var(--background); border-radius: 3px; padding: 0 .25em; font: .78em var(--font-mono); }
.skip { position: absolute; left: -100vw; top: 0; z-index: 9; padding: .5rem 1rem; background: var(--accent); color: var(--on-accent); }
.skip:focus { left: 0; }
main:focus { outline: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.top { border-bottom: 1px solid var(--border); background: var(--surface); }
.bar { display: flex; align-items: center; justify-content: space-between; gap: .3rem 1rem; min-height: 3rem; max-width: 78rem; margin: 0 auto; padding: 0 clamp(1rem, 3vw, 2rem); }
.where, .who { display: flex; align-items: center; gap: .3rem .6rem; margin: 0; min-width: 0; }
.who { gap: .3rem 1rem; flex: none; font-size: .93em; }
.who > a { color: var(--muted); }
.who form { margin: 0; }
.switcher { display: inline-flex; padding: .25rem; border: 0; border-radius: 6px; color: var(--muted); background: none; cursor: pointer; }
.switcher:hover { background: var(--surface-strong); color: var(--text); }
.jump { display: flex; align-items: center; gap: 1.4rem; font: inherit; color: var(--muted); background: var(--background); border: 1px solid var(--border); border-radius: 8px; padding: .22rem .4rem .22rem .7rem; cursor: pointer; }
.jump:hover { border-color: var(--border-strong); color: var(--text); }
kbd { font: 600 .78em var(--font-body); color: var(--muted); border: 1px solid var(--border); border-radius: 5px; padding: .05em .4em; background: var(--surface); white-space: nowrap; }
.avatar { display: grid; place-items: center; width: 1.9rem; height: 1.9rem; padding: 0; border: 0; border-radius: 50%; font: 650 .82em var(--font-body); color: var(--on-accent); background: var(--accent); cursor: pointer; }
.menu { position: fixed; inset: 2.9rem max(1rem, 50vw - 37rem) auto auto; margin: 0; width: 14rem; padding: .4rem; color: var(--text); background: var(--background); border: 1px solid var(--border-strong); border-radius: var(--radius); box-shadow: 0 8px 28px rgb(0 0 0 / 16%); }
.menu p { margin: 0; padding: .35rem .6rem .5rem; font-weight: 600; border-bottom: 1px solid var(--border); overflow-wrap: anywhere; }
.menu :is(a, .quiet) { display: block; width: 100%; text-align: left; padding: .4rem .6rem; border-radius: 6px; color: var(--text); font-size: 1em; }
.menu :is(a, .quiet):hover { background: var(--surface-strong); text-decoration: none; }
.project { color: var(--text); font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.sections { display: flex; gap: clamp(.85rem, 3.4vw, 1.5rem); max-width: 78rem; margin: 0 auto; padding: 0 clamp(1rem, 3vw, 2rem); overflow-x: auto; scrollbar-width: none; }
.sections a { color: var(--muted); padding: .45rem 0 .55rem; border-bottom: 2px solid transparent; font-weight: 500; white-space: nowrap; }
.sections a:hover { color: var(--text); text-decoration: none; border-color: var(--border-strong); }
.sections a[aria-current] { color: var(--text-strong); border-color: var(--accent); font-weight: 600; }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 700; color: var(--text-strong); letter-spacing: -.01em; }
.brand:hover { text-decoration: none; }
.slash { color: var(--border-strong); }
.card { border: 1px solid var(--border); border-radius: var(--radius); background: var(--background); box-shadow: var(--shadow); }
.button { display: inline-flex; align-items: center; gap: .4rem; font: inherit; font-weight: 600; color: var(--text); background: var(--surface); border: 1px solid var(--border-strong); border-radius: 8px; padding: .42rem .95rem; cursor: pointer; }
.button:hover { background: var(--surface-strong); text-decoration: none; }
.button.primary { color: var(--on-accent); background: var(--accent); border-color: transparent; }
.button.primary:hover { filter: brightness(1.08); }
.quiet { font: inherit; font-size: .93em; color: var(--muted); background: none; border: 0; padding: .3rem; cursor: pointer; }
.quiet:hover { text-decoration: underline; }
.problem { border: 1px solid color-mix(in srgb, var(--bad) 45%, transparent); background: color-mix(in srgb, var(--bad) 9%, transparent); border-radius: var(--radius); padding: .7rem 1rem; }
.note { color: var(--muted); padding: 0 1rem; }
.empty { text-align: center; padding: 14vh 0; }
.empty p { max-width: 40rem; margin: .9rem auto; text-wrap: balance; }
@media (max-width: 30rem) {
  .who { gap: .3rem .7rem; }
  .jump { gap: 0; padding-inline: .6rem; }
  .jump kbd { display: none; }
  .brand span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .sections { flex-wrap: wrap; row-gap: 0; padding-bottom: .25rem; }
  .sections a { padding-block: .3rem; font-size: .93em; line-height: 1.35; }
}
@media (prefers-reduced-motion: no-preference) { :root { scroll-behavior: smooth; } }
`;

/** The style sheet of all dashboard pages. */
export const DASHBOARD_CSS = [
  TOKENS_CSS,
  BASE_CSS,
  PULL_REQUEST_CSS,
  DIFF_CSS,
  ANALYTICS_CSS,
  FORMS_CSS,
  JOB_CSS,
  SETTINGS_CSS,
  COMMAND_MENU_CSS,
].join("\n");
