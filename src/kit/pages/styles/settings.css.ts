export const SETTINGS_CSS = `
.settings { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 2.5rem; align-items: start; }
.settings > div > .heading:first-child { margin-top: 0; }
.settings-nav { display: grid; gap: .1rem; position: sticky; top: 1rem; }
.settings-nav a { color: var(--muted); padding: .32rem .7rem; border-radius: 8px; font-weight: 500; }
.settings-nav a:hover { color: var(--text); background: var(--surface); text-decoration: none; }
.settings-nav a[aria-current] { color: var(--text-strong); background: var(--surface-strong); font-weight: 600; }
.flag { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 .6rem; }
.form .flag > label { display: block; grid-column: 2; grid-row: 1; }
.form .flag > input[type=checkbox] { grid-row: 1; margin: .3rem 0 0; }
.form .flag > small { grid-column: 2; }
.checks { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .3rem 1rem; border: 0; margin: 0; padding: 0; }
.checks legend { font-weight: 600; color: var(--text-strong); padding: 0; margin: 0 0 .3rem; }
.form .checks label { display: block; font-weight: 400; }
#external-site { margin-top: 1rem; }
#external-site :is(p, pre) { margin: .5rem 0; }
#external-site h3 { font-size: .95rem; margin: 1rem 0 .2rem; }
#external-site summary { cursor: pointer; font-weight: 600; color: var(--text-strong); }
#external-site .snippet { max-height: 11rem; overflow: auto; }
.radios { display: grid; gap: .6rem; border: 0; margin: 0; padding: 0; min-width: 0; }
.radios legend { font-weight: 600; color: var(--text-strong); padding: 0; margin: 0 0 .5rem; }
.form .radios label:has([type=radio]) { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .05rem .55rem; align-items: baseline; font-weight: 500; cursor: pointer; }
.form .radios input[type=radio] { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); align-self: center; }
.radios label:has([type=radio]) small { grid-column: 2; }
.radios .of-elsewhere { padding-left: 1.55rem; }
.form:has(input[value=docent]:checked) .of-elsewhere { display: none; }
.form:has(option[value=push]:checked) .of-schedule, .form:has(option[value^=source_]:checked) .of-schedule, .form:has(option[value=api]:checked) .of-schedule { display: none; }
.form:has(option[value=schedule]:checked) :is(.of-push, .of-source), .form:has(option[value=push]:checked) .of-source, .form:has(option[value^=source_]:checked) .of-push, .form:has(option[value=api]:checked) :is(.of-push, .of-source) { display: none; }
.form:has(:is(option[value=anthropic], option[value=openai], option[value=google]):checked) .of-address { display: none; }
.form :is([class^=for-], .for-images) { display: none; }
.form:has(option[value=openai-compatible]:checked) .for-other, .form:has(:is(option[value=ollama], option[value=llama-cpp], option[value=lm-studio]):checked) .for-local, .form:has(option[value=azure]:checked) .for-azure, .form:has(option[value=bedrock]:checked) .for-bedrock, .form:has(option[value=vertex]:checked) .for-vertex { display: block; }
.form:has(:is(option[value=openai-compatible], option[value=ollama], option[value=llama-cpp], option[value=lm-studio]):checked) .for-images { display: grid; }
#found > :is(form, p:not(.hint)) { margin: 0 0 .9rem; }
.danger-zone > summary { cursor: pointer; font-weight: 600; color: var(--text-strong); }
.danger-zone { border-color: color-mix(in srgb, var(--bad) 45%, var(--border)); }
.delivery { border-top: 1px solid var(--border); padding: .55rem 0; }
.delivery > summary { cursor: pointer; overflow-wrap: anywhere; }
.delivery > .facts { margin: .8rem 0; }
.delivery > form { margin: .9rem 0; }
.panel > .delivery { margin-top: .9rem; padding-bottom: 0; }
.delivery pre { margin: .4rem 0 0; max-height: 14rem; overflow: auto; }
.danger-zone li a { text-decoration: underline; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
.buttons form { margin: 0; }
@media (max-width: 60rem) {
  .settings { grid-template-columns: minmax(0, 1fr); gap: 1.2rem; }
  .settings-nav { display: flex; flex-wrap: wrap; gap: .2rem .1rem; position: static; border-bottom: 1px solid var(--border); padding-bottom: .8rem; margin: 0 -.5rem; }
  .settings-nav a { padding: .25rem .55rem; font-size: .93em; }
}
`;
