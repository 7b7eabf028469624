const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOPT\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bUCBrowser\/|\bUBrowser\//, "UC Browser"],
  [/\bDuckDuckGo\/|\bDdg\//, "DuckDuckGo"],
  [/\bFirefox\/|\bFxiOS\/|\bFocus\//, "Firefox"],
  [/\bCursor\//, "Cursor"],
  [/\bCode\//, "Visual Studio Code"],
  [/\bElectron\//, "Electron"],
  [/\bCriOS\/|\bChrome\/|\bChromium\//, "Chrome"],
  [/\bTrident\/|\bMSIE /, "Internet Explorer"],
  [/\bAndroid\b.*\bVersion\//, "Android Browser"],
  [/\bSafari\/|\bAppleWebKit\//, "Safari"],
  [/\bGecko\//, "Gecko"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows Phone\b/, "Windows Phone"],
  [/\bWindows\b/, "Windows"],
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b|\biPod\b/, "iOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b|\bMac OS X\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const UNKNOWN_FAMILY = "Browser";

/**
 * Browser and system without versions ("Firefox on Linux"): the same after every update, so that a reader stays one
 * visitor.
 */
export function browserFamily(userAgent: string): string {
  const family = FAMILIES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? UNKNOWN_FAMILY;
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return nameOf(family, system);
}

/** Every possible result of `browserFamily`. */
export function browserFamilies(): string[] {
  const families = [...FAMILIES.map(([, family]) => family), UNKNOWN_FAMILY];
  const systems = [...SYSTEMS.map(([, system]) => system), undefined];
  return families.flatMap((family) => systems.map((system) => nameOf(family, system)));
}

const nameOf = (family: string, system: string | undefined) =>
  system === undefined ? family : `${family} on ${system}`;
