/**
 * `LONG_TESTS=1 npm test -- FILE` runs the whole form of a test of which every run of the suite has a short one: more
 * kills, more worlds, both databases. For whoever changes what it protects.
 */
export const LONG_TESTS = process.env["LONG_TESTS"] === "1";
