import { Hono } from "hono";
import { expect, it } from "vitest";
import { formFields } from "./form-fields.ts";

const app = new Hono().post("/", async (c) => c.json(["name", "file", "none"].map(await formFields(c))));
const fieldsOf = async (body: FormData | URLSearchParams) => (await app.request("/", { method: "POST", body })).json();

it("reads the texts of a form with plain line ends, without its files", async () => {
  const upload = new FormData();
  upload.set("name", "a\r\nb");
  upload.set("file", new File(["c"], "c.txt"));
  expect(await fieldsOf(upload)).toEqual(["a\nb", "", ""]);
  expect(await fieldsOf(new URLSearchParams({ name: "a\r\nb" }))).toEqual(["a\nb", "", ""]);
});
