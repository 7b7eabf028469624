import { expect, it } from "vitest";
import { createFairBytes } from "./fair-bytes.ts";

const FULL: unknown = expect.objectContaining({ code: "unavailable", retryAfterSeconds: 30 });
const refused = (take: () => void): unknown => {
  try {
    take();
    return "taken";
  } catch (error) {
    return error;
  }
};

it("gives an owner its share and not a byte more, and leaves the rest to others", () => {
  const room = createFairBytes({ total: 100, perOwner: 40 });
  const [first, second] = [room.hold("a"), room.hold("a")];
  first.take(10);
  second.take(30);
  expect(refused(() => second.take(1))).toEqual(FULL);
  expect(refused(() => first.take(1))).toEqual(FULL);
  room.hold("b").take(40);
  // The refused bytes were not counted.
  second[Symbol.dispose]();
  second[Symbol.dispose]();
  room.hold("a").take(30);
  expect(refused(() => first.take(1))).toEqual(FULL);
});

it("limits all owners together to the total", () => {
  const room = createFairBytes({ total: 100, perOwner: 40 });
  const holds = ["a", "b", "c"].map((owner) => room.hold(owner));
  holds[0]!.take(40);
  holds[1]!.take(40);
  holds[2]!.take(20);
  expect(refused(() => holds[2]!.take(1))).toEqual(FULL);
  holds[0]![Symbol.dispose]();
  holds[2]!.take(1);
});

it("lets the only hold of an owner exceed its share, up to the total", () => {
  const room = createFairBytes({ total: 100, perOwner: 40 });
  const only = room.hold("a");
  only.take(40);
  only.take(50);
  expect(refused(() => room.hold("a").take(1))).toEqual(FULL);
  expect(refused(() => only.take(11))).toEqual(FULL);
  only.take(10);
});
