import { LONG_TESTS } from "#testing/long-tests.ts";
import { endWithParent } from "#testing/end-with-parent.ts";
import { useProgramStarter } from "./program-starter.ts";

endWithParent();
// The long suite starts programs directly, as the product does.
if (!LONG_TESTS) await useProgramStarter();
