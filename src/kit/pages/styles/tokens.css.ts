/** Colors, type and sizes that the layout, the content and the dashboard share. */
export const TOKENS_CSS = `
:root {
  color-scheme: light dark;
  --accent: light-dark(var(--accent-light, #0b6e63), var(--accent-dark, #5ccfbd));
  --accent-soft: color-mix(in srgb, var(--accent) 10%, transparent);
  --on-accent: light-dark(#ffffff, #10181a);
  --background: light-dark(#ffffff, #13171a);
  --surface: light-dark(#f6f8f8, #1a2024);
  --surface-strong: light-dark(#edf0f1, #242c31);
  --border: light-dark(#e2e7e9, #2a3338);
  --border-strong: light-dark(#cbd3d6, #3c484e);
  --text: light-dark(#1d2529, #dfe6e8);
  --text-strong: light-dark(#0e1417, #f3f6f7);
  --muted: light-dark(#566168, #9aa7ae);
  --font-body: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --font-mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "Liberation Mono", monospace;
  --radius: 10px;
  --header-height: 3.5rem;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
`;
