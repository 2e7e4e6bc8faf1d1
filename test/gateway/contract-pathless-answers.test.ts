/**
 * The answers of the operations without a path, which the document does not show: any 2xx is a success, and a page or
 * balances may come in the envelope of the operations with a path, or bare.
 */
import { describe, expect, test } from "vitest";
import {
  type Answer,
  depositPages,
  type Gateway,
  lookUp,
  type OperationName,
  type Pages,
  payoutPages,
} from "../../src/gateway/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { type PathlessOperation, writeJson } from "../../src/wire/index.ts";
import {
  CUSTODY_ACCOUNT_ID,
  DEPOSIT,
  DEPOSIT_ID,
  DEPOSIT_READ,
  PAYOUT,
  PAYOUT_ID,
  PAYOUT_READ,
  pageOf,
  placeOf,
  without,
} from "./written-samples.ts";
import { startWrittenService } from "./written-service.ts";

const routes = {
  searchPayouts: { method: "GET", path: "/p" },
  searchDeposits: { method: "GET", path: "/d" },
  accountBalances: { method: "GET", path: "/b" },
} as const;

const PAGING = { pageSize: 200, firstPage: 0 };

async function allOf<Element>(pages: Pages<Element>) {
  const elements: Element[] = [];
  for await (const { element } of pages) elements.push(element);
  return { elements, complete: pages.report().complete };
}

async function searched(of: "payouts" | "deposits", body: string) {
  const { gateway, clock, arrivals } = await startWrittenService({ status: 200, body }, { routes });
  const filter = { ids: ["1", "2"], references: ["A", "B"], states: ["CREATED"] };
  const read =
    of === "payouts"
      ? await allOf(payoutPages(gateway, clock, filter, PAGING, "route"))
      : await allOf(depositPages(gateway, clock, filter, PAGING, "route"));
  return { ...read, asked: arrivals.map(({ path }) => path) };
}

const FORMS = [
  ["in the envelope", (page: string) => `{"filters":{"page":0},"results":${page}}`],
  ["bare", (page: string) => page],
] as const;

describe.each(FORMS)("a page %s", (_form, wrapped) => {
  test("gives every field of its payouts and deposits", async () => {
    const payouts = await searched("payouts", wrapped(pageOf(PAYOUT)));
    expect(payouts).toMatchObject({ elements: [PAYOUT_READ], complete: true });
    const deposits = await searched("deposits", wrapped(pageOf(DEPOSIT)));
    expect(deposits).toMatchObject({ elements: [DEPOSIT_READ], complete: true });
  });

  test.each(["content", "totalPages", "totalElements"])(
    "without %s is a fault that names it",
    async (member) => {
      await expect(searched("payouts", wrapped(without(pageOf(PAYOUT), member)))).rejects.toMatchObject({
        problem: {
          code: "SERVICE_ANSWER_UNREADABLE",
          operation: "searchPayouts",
          message: expect.stringMatching(placeOf(member)),
        },
      });
    },
  );
});

test("a search asks with ids in one text, filters repeated, and the oldest first", async () => {
  const { asked } = await searched("deposits", pageOf(DEPOSIT));
  expect(asked).toEqual([
    "/d?depositIds=1%2C2&references=A&references=B&states=CREATED&page=0&size=200&sort=createdDate%2Casc" +
      "&queryDate=2026-11-20T09%3A30%3A00.000Z",
  ]);
});

const BALANCE = `{"accountId":"${CUSTODY_ACCOUNT_ID}","btcBalance":{"total":{"currency":"BTC","amount":0.10}}}`;

async function balances(body: string) {
  const { gateway, clock } = await startWrittenService({ status: 200, body }, { routes });
  return lookUp(gateway, clock, "accountBalances", { accountIds: CUSTODY_ACCOUNT_ID });
}

describe.each([
  ["in their envelope", `{"balances":[${BALANCE}]}`],
  ["bare", `[${BALANCE}]`],
])("balances %s", (_form, body) => {
  test("are given with their digits", async () => {
    expect(await balances(body)).toEqual({
      balances: [
        {
          accountId: CUSTODY_ACCOUNT_ID,
          btcBalance: { total: { currency: "BTC", amount: Decimal.of("0.10") } },
        },
      ],
    });
  });

  test.each(["accountId", "btcBalance", "total", "amount"])(
    "without %s are a fault that names it",
    async (member) => {
      await expect(balances(without(body, member))).rejects.toMatchObject({
        problem: { code: "SERVICE_ANSWER_UNREADABLE", message: expect.stringMatching(placeOf(member)) },
      });
    },
  );
});

type Call = (gateway: Gateway) => Promise<Answer<OperationName>>;

const createPayout: Call = (gateway) =>
  gateway.call("createPayoutWithFirstAuthorization", {
    authorize: false,
    username: "ada",
    accountId: CUSTODY_ACCOUNT_ID,
    nonce: 1n,
    reference: "INV-1",
    callbackUrl: "https://pay.example.com/hook/1",
    requestedAmount: { currency: "LTC", amount: Decimal.of("1") },
    destinationAddress: "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
  });
const createDeposit: Call = (gateway) =>
  gateway.call("createDepositPathless", { accountId: CUSTODY_ACCOUNT_ID, nonce: 1n, reference: "ORDER-1" });
const voidPayout: Call = (gateway) => gateway.call("voidPayoutPathless", { payoutId: PAYOUT_ID, nonce: 1n });
const voidDeposit: Call = (gateway) =>
  gateway.call("voidDepositPathless", { depositId: DEPOSIT_ID, nonce: 1n });
const accountsOfUser: Call = (gateway) => gateway.call("accountsOfUser", { username: "ada" });

async function answerOf(operation: PathlessOperation, call: Call, status: number, body: string) {
  const routes = { [operation]: { method: "POST" as const, path: "/somewhere" } };
  const { gateway } = await startWrittenService({ status, body }, { routes });
  return call(gateway);
}

describe("other answers", () => {
  test.each([200, 201, 202])("are a success with %i and the id that was created", async (status) => {
    const payout = `{"payoutId":"${PAYOUT_ID}"}`;
    const deposit = `{"depositId":"${DEPOSIT_ID}"}`;
    expect(await answerOf("createPayoutWithFirstAuthorization", createPayout, status, payout)).toEqual({
      kind: "success",
      status,
      body: { payoutId: PAYOUT_ID },
    });
    expect(await answerOf("createDepositPathless", createDeposit, status, deposit)).toEqual({
      kind: "success",
      status,
      body: { depositId: DEPOSIT_ID },
    });
    expect(await answerOf("createDepositPathless", createDeposit, status, DEPOSIT)).toMatchObject({
      body: { depositId: DEPOSIT_ID, receiverAddress: expect.stringMatching(/^bc1q/) },
    });
  });

  test.each([
    ["createPayoutWithFirstAuthorization", createPayout, "payoutId"],
    ["createDepositPathless", createDeposit, "depositId"],
  ] as const)("are no success of %s without the id that was created", async (operation, call, member) => {
    for (const body of ["{}", `{"${member}":null}`])
      expect(await answerOf(operation, call, 200, body)).toMatchObject({
        kind: "unreadable",
        reason: expect.stringContaining(`${member}: `),
      });
    expect(await answerOf(operation, call, 204, "")).toMatchObject({ kind: "unreadable" });
  });

  test.each([200, 202, 204])("are a success of a void with %i, with or without a body", async (status) => {
    for (const body of status === 204 ? [""] : ["", "{}", '{"state":"CANCELLED"}']) {
      const success = { kind: "success", status, body: undefined };
      expect(await answerOf("voidPayoutPathless", voidPayout, status, body)).toEqual(success);
      expect(await answerOf("voidDepositPathless", voidDeposit, status, body)).toEqual(success);
    }
  });

  test("are whatever JSON it is for the accounts of a user, digits as sent", async () => {
    const body = '[{"accountId":"A","limit":0.10},17,null]';
    const answer = await answerOf("accountsOfUser", accountsOfUser, 200, body);
    expect(answer).toMatchObject({ kind: "success" });
    expect(writeJson(answer)).toContain(body);
  });
});
