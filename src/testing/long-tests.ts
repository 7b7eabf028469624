/**
 * Whether this is a run of `npm run test:long`. Tests of the gate then run in a longer form: more kills, more worlds, both
 * databases. Those with `runIf(LONG_TESTS)` run there alone.
 */
export const LONG_TESTS = process.env["LONG_TESTS"] === "1";
