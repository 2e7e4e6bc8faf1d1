/** queryDate is "client's current timestamp at query time": the time of the request, not of the wish for it. */
import { expect, test } from "vitest";
import { lookUp } from "../../src/gateway/index.ts";
import { type Arrival, startWrittenService } from "./written-service.ts";

const dateOf = ({ body }: Arrival): unknown => JSON.parse(body).queryDate;

test("queryDate is taken when a look-up's slot has come, even if many wait for theirs", async () => {
  const slow = { ratePerSecond: 0.1 };
  const { gateway, arrivals } = await startWrittenService({ status: 200, body: '{"balances":[]}' }, slow);
  const wanted = Array.from({ length: 4 }, () => gateway.call("getAccountsBalance", { accountIds: [] }));
  await Promise.all(wanted);
  expect(arrivals.map(dateOf).sort()).toEqual([
    "2026-11-20T09:30:00.000Z",
    "2026-11-20T09:30:10.000Z",
    "2026-11-20T09:30:20.000Z",
    "2026-11-20T09:30:30.000Z",
  ]);
});

test("a repeated look-up has a new queryDate each time", async () => {
  const { gateway, clock, arrivals } = await startWrittenService({
    status: 503,
    body: '[{"error":"later"}]',
    headers: { "retry-after": "7" },
  });
  await expect(lookUp(gateway, clock, "findPayoutFilteredV2", {})).rejects.toThrow("later");
  expect(arrivals.map(dateOf)).toEqual([
    "2026-11-20T09:30:00.000Z",
    "2026-11-20T09:30:07.000Z",
    "2026-11-20T09:30:14.000Z",
  ]);
});

test("queryDate follows the wall clock when that is set", async () => {
  const { gateway, clock, arrivals } = await startWrittenService({ status: 200, body: '{"balances":[]}' });
  await gateway.call("getAccountsBalance", { accountIds: [] });
  clock.moveWall(-3_600_000);
  await gateway.call("getAccountsBalance", { accountIds: [] });
  expect(arrivals.map(dateOf)).toEqual(["2026-11-20T09:30:00.000Z", "2026-11-20T08:30:00.000Z"]);
});

test("mutations carry no queryDate", async () => {
  const { gateway, arrivals } = await startWrittenService({ status: 202 });
  await gateway.call("voidPayout", { payoutId: "1", nonce: 1n });
  await gateway.call("authorize", {});
  expect(arrivals.map(dateOf)).toEqual([undefined, undefined]);
});
