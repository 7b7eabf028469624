// `npm run bench bench/agent` starts this file: Node looks for an index.js in a folder that it is told to run.
import "./main.ts";
