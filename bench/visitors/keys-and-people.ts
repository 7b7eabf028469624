// How far the number of visitor keys deviates from the number of people. Run: npm run bench bench/visitors/keys-and-people.ts
// A seeded simulation that takes a few seconds; its assumptions are the constants below. The keys come from the product's own
// function.
import { createSecretKey } from "node:crypto";
import { visitorNumber } from "#features/visitors/clients/visitor-key.ts";
import type { Day } from "#features/visitors/day.ts";
import { createRandom } from "#test/support/random.ts";

const PEOPLE = 10_000;
const DAYS = 30;
/** Further ranges that the dashboard offers. */
const LONG_RANGES = [90, 365];
/** A reader of documentation visits on one day in five. */
const COMES = 1 / 5;
/** Where people read: at home, in offices that share one address each, on a mobile network. */
const PLACES = { home: 0.55, office: 0.3, mobile: 0.15 };
const COLLEAGUES = 40;
/** A home's address changes once in this many days. */
const HOME_ADDRESS_DAYS = 30;
/** The share of readers at home or in an office who also read on a phone. */
const ALSO_PHONE = 0.25;
const BROWSERS = [
  ["Chrome on Windows", 0.34],
  ["Chrome on macOS", 0.26],
  ["Safari on macOS", 0.13],
  ["Firefox on Linux", 0.08],
  ["Edge on Windows", 0.12],
  ["Chrome on Linux", 0.07],
] as const;
const PHONES = [
  ["Safari on iOS", 0.5],
  ["Chrome on Android", 0.5],
] as const;

const random = createRandom(2026);

function pick<Name extends string>(shares: readonly (readonly [Name, number])[]): Name {
  let left = random();
  for (const [name, share] of shares) if ((left -= share) < 0) return name;
  return shares[0]![0];
}

const address = (number: number) => `${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}.1`;
const someAddress = () => address(0x0a_00_00 + Math.floor(random() * 2_000_000));
const secret = { epoch: 1, secret: createSecretKey(Buffer.alloc(32, 7)) };
type Mode = "stable" | "daily";
const key = (mode: Mode, from: string, product: string, day: Day) =>
  visitorNumber({ mode, secret, address: from, product, cookie: null, isPrivate: false, day });

interface Person {
  place: keyof typeof PLACES;
  home: string;
  browser: string;
  phone: string | null;
}

function createPeople(): Person[] {
  const offices = Array.from({ length: Math.ceil((PEOPLE * PLACES.office) / COLLEAGUES) }, someAddress);
  return Array.from({ length: PEOPLE }, () => {
    const place = pick(Object.entries(PLACES) as [keyof typeof PLACES, number][]);
    const home = place === "office" ? offices[Math.floor(random() * offices.length)]! : someAddress();
    const isPhone = place === "mobile";
    const phone = isPhone || random() < ALSO_PHONE ? pick(PHONES) : null;
    return { place, home, browser: isPhone ? (phone ?? "") : pick(BROWSERS), phone };
  });
}

/** The keys of one person's day: a mobile network assigns another address each day. */
function keysOfDay(person: Person, mode: Mode, day: Day): number[] {
  if (person.place === "home" && random() < 1 / HOME_ADDRESS_DAYS) person.home = someAddress();
  const atDesk = person.place === "mobile" ? [] : [key(mode, person.home, person.browser, day)];
  const onPhone = person.phone === null || (atDesk.length > 0 && random() < 0.5) ? [] : [person.phone];
  return [...atDesk, ...onPhone.map((product) => key(mode, someAddress(), product, day))];
}

function simulate(mode: Mode, days: number): { people: number; visitors: number } {
  const people = createPeople();
  const seen = new Set<Person>();
  const keys = new Set<number>();
  for (let day = 0; day < days; day++) {
    for (const person of people) {
      if (random() >= COMES) continue;
      seen.add(person);
      for (const one of keysOfDay(person, mode, (20_000 + day) as Day)) keys.add(one);
    }
  }
  return { people: seen.size, visitors: keys.size };
}

const row = (what: string, { people, visitors }: { people: number; visitors: number }) => {
  const error = Math.round((visitors / people - 1) * 100);
  console.log(
    `| ${what} | ${people.toLocaleString("en")} | ${visitors.toLocaleString("en")} | ${error > 0 ? "+" : ""}${error} % |`,
  );
};

console.log("| | People | Visitors | Error |\n| --- | --: | --: | --: |");
const colleagues = Array.from({ length: 200 }, () => key("stable", "192.0.2.1", pick(BROWSERS), 20_000 as Day));
row("200 colleagues behind one address", { people: 200, visitors: new Set(colleagues).size });
const travels = Array.from({ length: 20 }, (_, each) => key("stable", address(each), "Safari on iOS", 20_000 as Day));
row("one phone on 20 addresses", { people: 1, visitors: new Set(travels).size });
for (const days of [1, 7, DAYS]) row(`an audience, ${days} ${days === 1 ? "day" : "days"}`, simulate("stable", days));
row(`the same, ${DAYS} days, \`daily\` keys`, simulate("daily", DAYS));
for (const days of LONG_RANGES) row(`an audience, ${days} days`, simulate("stable", days));
