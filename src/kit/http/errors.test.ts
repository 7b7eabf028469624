import { expect, it } from "vitest";
import { errorAnswer } from "./errors.ts";

it("an error that nobody foresaw tells the caller nothing of what failed", () => {
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
