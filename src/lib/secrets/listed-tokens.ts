/**
 * Token patterns from the rules of secretlint (@secretlint/secretlint-rule-preset-recommend 13.0.7, November 2026,
 * Copyright (c) 2020 azu, MIT licence: `docs/licences/secretlint.txt`), without those of `secret-patterns.ts`. Each is
 * bounded. A newer version of the list is compared by hand (decision 29).
 */
export const listedTokens: readonly (readonly [kind: string, source: string])[] = [
  ["1Password token", "ops_ey[A-Za-z0-9+/=]{100,1280}"],
  ["Cloudflare token", "cf(?:k|ut|at)_[A-Za-z0-9]{40}[0-9a-f]{8}"],
  ["Databricks token", "dapi[A-Fa-f0-9]{32}(?:-[0-9])?"],
  ["Docker token", "dckr_pat_[A-Za-z0-9_-]{27}"],
  ["Figma token", "figd_[A-Za-z0-9_-]{40,200}"],
  ["Grafana token", "glc_[A-Za-z0-9+/]{32,400}={0,2}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"],
  ["Groq key", "gsk_[A-Za-z0-9]{52}"],
  ["Hugging Face token", "hf_[A-Za-z]{34}"],
  ["Linear key", "lin_api_[A-Za-z0-9_]{32,128}"],
  ["Notion token", "ntn_[0-9]{11}[A-Za-z0-9]{35}"],
  ["SendGrid key", "SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}"],
  ["Shopify token", "shp(?:pa|ca|at|ss)_[A-Za-z0-9]{32,64}"],
  ["Tailscale key", "tskey-[a-z]{2,20}-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60}"],
  ["Vault token", "hv[sr]\\.[A-Za-z0-9_-]{90,120}|hvb\\.[A-Za-z0-9_-]{138,300}"],
  ["Vercel token", "vc[piark]_[A-Za-z0-9]{20,60}"],
];
