import { expect, it } from "vitest";
import { errorAnswer } from "./errors.ts";

it("an unexpected error reveals no internals to the caller", () => {
  const error = new Error("connect ECONNREFUSED postgres://docent:hunter2@10.0.0.7/docent");
  expect(errorAnswer(error, "req_1")).toEqual({
    status: 500,
    headers: { "Cache-Control": "no-store" },
    body: {
      error: "Something went wrong on our side. It has been logged.",
      code: "internal",
      requestId: "req_1",
    },
  });
});
