import { expect, test } from "vitest";
import { callTarget } from "./call-target.ts";

const SERVERS = ["https://api.example.com/v1", "http://127.0.0.1:8080", "https://Other.Example.com:443/"];

test.each([
  ["https://api.example.com/v1", "https://api.example.com/v1"],
  ["https://api.example.com/v1/ships/a%2Fb?x=1#part", "https://api.example.com/v1/ships/a%2Fb?x=1"],
  ["HTTPS://API.EXAMPLE.COM:443/v1/ships", "https://api.example.com/v1/ships"],
  ["https://api.example.com/v1/./ships/%20%E4%BD%A0", "https://api.example.com/v1/ships/%20%E4%BD%A0"],
  ["https://api.example.com/v1/files/...", "https://api.example.com/v1/files/..."],
  ["http://127.0.0.1:8080/anything", "http://127.0.0.1:8080/anything"],
  ["https://other.example.com/x", "https://other.example.com/x"],
])("allows %s", (text, called) => {
  expect(callTarget(text, SERVERS)?.href).toBe(called);
});

test.each([
  "",
  "/v1/ships",
  "https://api.example.com/v2",
  "https://api.example.com/v10",
  "https://api.example.com/",
  "https://api.example.com/v1/../admin",
  "https://api.example.com/v1/%2e%2e/admin",
  "https://api.example.com/v1/%2e%2e%2fadmin",
  "https://api.example.com/v1/..%2fadmin",
  "https://api.example.com/v1/..%5cadmin",
  "https://api.example.com/v1/%252e%252e%252fadmin",
  "https://api.example.com/v1/%25252e%25252e%25252fadmin",
  "https://api.example.com/v1/..;/admin",
  "https://api.example.com/v1\\..\\admin",
  "http://api.example.com/v1/ships",
  "https://api.example.com:8443/v1/ships",
  "https://api.example.com.evil.example/v1",
  "https://api.example.com./v1/ships",
  "https://api.example.com@evil.example/v1",
  "https://user:password@api.example.com/v1/ships",
  "https://evil.example/https://api.example.com/v1",
  "http://127.0.0.1:8081/",
  "http://localhost:8080/",
  "file:///v1/ships",
  "javascript:alert(1)",
])("refuses %j", (text) => {
  expect(callTarget(text, SERVERS)).toBeNull();
});
