/**
 * Payments go to the database over a network only encrypted, to a server that has proven its identity; doctor
 * checks this.
 */
import { expect, test } from "vitest";
import { unverifiedHost } from "../../src/store/engines/postgres-client.ts";

const ELSEWHERE = "postgresql://paydrop:canary@db.example.com:5433/paydrop";

test.each([
  ["", "db.example.com"],
  ["?sslmode=disable", "db.example.com"],
  ["?sslmode=no-verify", "db.example.com"],
  ["?uselibpqcompat=true&sslmode=require", "db.example.com"],
  ["?sslmode=verify-full", undefined],
  ["?sslmode=require", undefined],
  ["?ssl=true", undefined],
])("another machine with %j: %s", async (options, host) => {
  expect(await unverifiedHost(`${ELSEWHERE}${options}`)).toBe(host);
});

test.each(["localhost", "127.0.0.1:5432", "[::1]", "%2Fvar%2Frun%2Fpostgresql"])(
  "nothing leaves this machine by %s",
  async (host) => {
    expect(await unverifiedHost(`postgresql://paydrop@${host}/paydrop`)).toBeUndefined();
  },
);
