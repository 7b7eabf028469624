import { expect, it } from "vitest";
import { codeSamples } from "./code-samples.ts";

const REQUEST = {
  method: "POST",
  url: "https://api.example.com/ships/{id}",
  headers: [{ name: "Content-Type", value: "application/json" }],
  body: { type: "application/json", value: { name: "Ada", docked: true } },
};

it("are programs that print the response, in JavaScript and Python too", () => {
  const [javascript, python] = codeSamples(REQUEST, ["js", "py"]).map(({ code }) => code);
  expect(javascript).toBe(
    `const response = await fetch('https://api.example.com/ships/{id}', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json'
  },
  body: JSON.stringify({
    name: 'Ada',
    docked: true
  })
});
console.log(await response.text());`,
  );
  expect(python).toBe(
    `import requests  # pip install requests

response = requests.post("https://api.example.com/ships/{id}",
    headers={
      "Content-Type": "application/json"
    },
    json={
      "name": "Ada",
      "docked": True
    }
)
print(response.text)`,
  );
});
