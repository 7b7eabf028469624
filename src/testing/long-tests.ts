/**
 * `npm run test:long -- FILE` runs the long form of a test that every run of the suite has in a short form: more
 * kills, more worlds, both databases. Use it when you change what the test protects.
 */
export const LONG_TESTS = process.env["LONG_TESTS"] === "1";
