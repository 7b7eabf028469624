import { LONG_TESTS } from "#testing/long-tests.ts";
import { useProgramStarter } from "./program-starter.ts";

// The long suite starts programs directly, as the product does.
if (!LONG_TESTS) await useProgramStarter();
