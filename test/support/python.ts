import { execFileSync } from "node:child_process";

/** Whether this machine has a Python that the client says it runs on. */
export const hasPython = (() => {
  try {
    execFileSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Why a test was skipped, for the end of a run. */
export const NO_PYTHON = "python3, 3.9 or newer, is not installed";
