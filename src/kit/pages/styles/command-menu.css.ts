export const COMMAND_MENU_CSS = `
.command-menu { width: min(38rem, calc(100vw - 2rem)); margin: 12vh auto auto; padding: 0; color: var(--text); background: var(--background); border: 1px solid var(--border-strong); border-radius: 12px; box-shadow: 0 18px 60px rgb(0 0 0 / 28%); overflow: hidden; }
.command-menu::backdrop { background: rgb(10 16 18 / 40%); }
.command-menu input { width: 100%; font: inherit; font-size: 1.1rem; color: inherit; background: none; border: 0; border-bottom: 1px solid var(--border); padding: .9rem 1.1rem; outline: none; }
.command-menu [role=listbox] { max-height: min(26rem, 60vh); overflow-y: auto; padding: .35rem; }
.command-menu p { margin: 0; padding: .5rem .75rem .25rem; font-size: .8em; font-weight: 600; color: var(--muted); }
.command-menu [role=status]:not(:empty) { padding: .4rem 1.1rem 1rem; font-size: 1em; font-weight: 400; }
.command-menu a { display: flex; justify-content: space-between; gap: 1rem; padding: .42rem .75rem; border-radius: 7px; color: var(--text); overflow-wrap: anywhere; }
.command-menu a:hover { background: var(--surface); text-decoration: none; }
.command-menu a[aria-selected=true] { background: var(--accent-soft); color: var(--text-strong); }
.command-menu small { color: var(--muted); flex: none; }
.chart-tip { position: absolute; z-index: 5; pointer-events: none; padding: .35rem .6rem; border-radius: 7px; font-size: .85rem; white-space: nowrap; color: var(--background); background: var(--text-strong); translate: -50% calc(-100% - .5rem); }
`;
