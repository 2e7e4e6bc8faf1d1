/** The control API over HTTP: actions of the service's operator, and faults that falsify answers. */
import { afterEach, describe, expect, test } from "vitest";
import {
  type FaultEffect,
  type RunningSandbox,
  type ServerOptions,
  startSandbox,
} from "../../src/sandbox/index.ts";
import {
  codeAt,
  creationText,
  MAIN,
  OTP_SECRET,
  QUERY_DATE,
  SAVINGS,
  START_MS,
  seed,
  signedHeaders,
} from "./trial.ts";

let running: RunningSandbox | undefined;
afterEach(() => running?.close());

async function start(options: ServerOptions = {}): Promise<void> {
  running = await startSandbox({ seed, clock: () => START_MS, control: true, stepMs: 100, ...options });
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

async function send(method: string, path: string, body: string, headers = {}): Promise<Answered> {
  const response = await fetch(`${running?.url}${path}`, { method, body, headers });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

function call(path: string, body: string): Promise<Answered> {
  return send("POST", path, body, signedHeaders("POST", path, body));
}

function control(method: "POST" | "PUT", path: string, body: unknown): Promise<Answered> {
  return send(method, `/control/${path}`, JSON.stringify(body));
}

async function passTime(durationMs: number): Promise<void> {
  expect(await control("POST", "time", { durationMs })).toEqual({ status: 204, body: undefined });
}

interface Found {
  readonly filters: unknown;
  readonly results: { readonly content: readonly Record<string, unknown>[]; readonly totalElements: number };
}

async function find(filters = "", path = "/payouts/v2/find"): Promise<Found> {
  const { status, body } = await call(path, `{${QUERY_DATE}${filters}}`);
  expect(status).toBe(200);
  return body as Found;
}

async function created(changes: Record<string, unknown> = {}): Promise<string> {
  const { body } = await call("/payouts/v2/create", creationText(changes));
  return (body as { payoutId: string }).payoutId;
}

const NEW = "00000000-0000-4000-8000-0000000000f1";
const UNKNOWN = "00000000-0000-4000-8000-0000000000ff";

describe("the operator", () => {
  test("opens accounts, adds users and sets rates, which then can be used", async () => {
    await start();
    expect((await control("POST", "accounts", { accountId: NEW, openingBalance: "1" })).status).toBe(204);
    const user = { username: "carla", otpSecret: OTP_SECRET };
    expect((await control("POST", "users", { key: "trial-key", user })).status).toBe(204);
    expect(
      (await control("PUT", "rates", [{ fromCurrency: "BTC", toCurrency: "USD", rate: "90000" }])).status,
    ).toBe(204);
    await created({ accountId: `"${NEW}"`, username: '"carla"' });
    expect((await find()).results.content).toMatchObject([{ accountId: NEW }]);
    const balance = await call("/accounts/balance", `{"accountIds":["${NEW}"],${QUERY_DATE}}`);
    expect(balance.body).toMatchObject({
      balances: [{ fiatBalance: { total: { currency: "USD", amount: 90000 } } }],
    });
  });

  test("sets rates from now on: what was confirmed keeps its own, and what had none gets the first one after it", async () => {
    await start();
    const setRates = (rates: object[]) => control("PUT", "rates", rates);
    const btcEur = (rate: string) => ({ fromCurrency: "BTC", toCurrency: "EUR", rate });
    const shown = async () => (await find()).results.content;
    await setRates([btcEur("80000")]);
    await created();
    await passTime(60_000);
    await setRates([]);
    await created({ otpCode: `"${codeAt(START_MS + 60_000)}"` });
    await passTime(60_000);
    expect(await shown()).toMatchObject([{ sentFunds: { rate: { rate: 80000 } } }, {}]);
    expect(await shown()).not.toHaveProperty([1, "sentFunds", "rate"]);
    await setRates([btcEur("90000")]);
    await passTime(60_000);
    await setRates([btcEur("95000")]);
    expect(await shown()).toMatchObject(
      [80000, 90000].map((rate) => ({ sentFunds: { confirmations: 1, rate: { rate } } })),
    );
  });

  test("moves time, and what was due happens on the way", async () => {
    await start();
    await created();
    await passTime(100);
    expect((await find()).results.content).toMatchObject([{ payoutState: "CREATED" }]);
    await passTime(60_000);
    expect((await find()).results.content).toMatchObject([
      { payoutState: "COMPLETED", sentFunds: { confirmedDate: "2026-03-02T09:00:00.600Z" } },
    ]);
    expect((await call("/payouts/v2/create", creationText())).status).toBe(400); // its one-time code is a minute old
    await created({ otpCode: `"${codeAt(START_MS + 60_100)}"` });
    expect((await find()).results.content).toMatchObject([{}, { createdDate: "2026-03-02T09:01:00.100Z" }]);
  });

  test("lets funds arrive at a deposit in parts, each with its confirmations", async () => {
    await start();
    const body = `{"accountId":"${MAIN}","nonce":1,"reference":"D","callbackUrl":"https://x.example",
      "requestedAmount":{"currency":"BTC","amount":0.03}}`;
    const { depositId } = (await call("/deposits/create/sync", body)).body as { depositId: string };
    const parts = [
      { amount: "0.01", confirmAfterMs: 500, confirmations: 6 },
      { amount: "0.02", afterMs: 1000, confirmAfterMs: 500 },
    ];
    expect((await control("POST", "funds", { depositId, parts })).status).toBe(204);
    const deposit = async () => (await find("", "/deposits/v2/find")).results.content;
    expect(await deposit()).toMatchObject([
      { depositState: "RECEIVING_FUNDS", receivedFunds: [{ state: "UNCONFIRMED", confirmations: 0 }] },
    ]);
    await passTime(500);
    expect(await deposit()).toMatchObject([
      { depositState: "RECEIVING_FUNDS", receivedFunds: [{ state: "CONFIRMED", confirmations: 6 }] },
    ]);
    await passTime(1000);
    const later = [{ amount: "0.001", confirmAfterMs: 0 }];
    expect((await control("POST", "funds", { depositId, parts: later })).status).toBe(204);
    expect(await deposit()).toMatchObject([
      { depositState: "COMPLETED", receivedFunds: [{}, { confirmations: 1 }, { amount: { amount: 0.001 } }] },
    ]);
  });

  test("opens a deposit that fills by itself, and lets somebody else pay out, counted from then on", async () => {
    await start();
    await passTime(3_600_000);
    const depositId = "6f1cbb7e-0000-4000-8000-0000000000d9";
    const parts = [{ amount: "0.002", afterMs: 1000, confirmAfterMs: 500 }];
    const opened = { depositId, accountId: MAIN, reference: "DEP-9", expiryAfterMs: 60_000, parts };
    expect((await control("POST", "deposits", opened)).status).toBe(204);
    expect(await control("POST", "deposits", opened)).toMatchObject({
      status: 409,
      body: [{ code: "CONFLICT_STATE" }],
    });
    const destinationAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    const foreign = {
      accountId: MAIN,
      reference: "EXT-1",
      amount: "0.001",
      destinationAddress,
      afterMs: 1000,
    };
    expect((await control("POST", "foreign-payouts", foreign)).status).toBe(204);
    expect((await find()).results.content).toEqual([]);
    await passTime(1500);
    expect((await find("", "/deposits/v2/find")).results.content).toMatchObject([
      { depositId, reference: "DEP-9", receivedFunds: [{ state: "CONFIRMED", amount: { amount: 0.002 } }] },
    ]);
    expect((await find()).results.content).toMatchObject([{ reference: "EXT-1" }]);
    expect(running?.creations()).toEqual([]);
  });

  test("approves and rejects as a cosigner", async () => {
    await start();
    const cosigners = [{ userGroupName: "board", username: "ada" }];
    expect((await control("PUT", "cosigners", { accountId: MAIN, cosigners })).status).toBe(204);
    const [approved, rejected] = [await created(), await created()];
    await passTime(60_000);
    const decide = (payoutId: string, decision: string) =>
      control("POST", "decisions", { payoutId, username: "ada", decision });
    expect((await decide(approved, "approve")).status).toBe(204);
    expect((await decide(rejected, "reject")).status).toBe(204);
    expect(await decide(rejected, "approve")).toMatchObject({
      status: 409,
      body: [{ code: "ALREADY_AUTHORIZED" }],
    });
    await passTime(60_000);
    expect((await find()).results.content).toMatchObject([
      { payoutState: "COMPLETED", authorization: { state: "AUTHORIZED" } },
      {
        payoutState: "CANCELLED",
        authorization: { state: "REJECTED", cosignerAuthorizations: [{ state: "REJECTED" }] },
      },
    ]);
    expect(running?.balanceOf(MAIN)?.locked.isZero()).toBe(true);
  });

  test("hides a payout for a while, for ever, and shows it again", async () => {
    await start();
    const payoutId = await created();
    const total = async () => (await find()).results.totalElements;
    await control("PUT", "visibility", { payoutId, hiddenForMs: 1000 });
    expect(await total()).toBe(0);
    await passTime(1000);
    expect(await total()).toBe(1);
    await control("PUT", "visibility", { payoutId });
    await passTime(10_000_000);
    expect(await total()).toBe(0);
    await control("PUT", "visibility", { payoutId, hiddenForMs: 0 });
    expect(await total()).toBe(1);
  });

  test.each<[string, "POST" | "PUT", string, unknown, number, string]>([
    ["an account that exists", "POST", "accounts", { accountId: MAIN }, 409, "CONFLICT_STATE"],
    [
      "a time that no date can tell",
      "POST",
      "time",
      { durationMs: 9_000_000_000_000_000 },
      400,
      "INVALID_PARAMETER",
    ],
    ["a command that there is not", "POST", "nonsense", {}, 404, "OPERATION_NOT_FOUND"],
    ["a negative time", "POST", "time", { durationMs: -1 }, 400, "INVALID_PARAMETER"],
    [
      "an unknown key",
      "POST",
      "users",
      { key: "x", user: { username: "u", otpSecret: OTP_SECRET } },
      404,
      "USER_NOT_FOUND",
    ],
    [
      "cosigners of an unknown account",
      "PUT",
      "cosigners",
      { accountId: UNKNOWN, cosigners: [] },
      404,
      "ACCOUNT_NOT_FOUND",
    ],
    [
      "a deposit of an unknown account",
      "POST",
      "deposits",
      { depositId: UNKNOWN, accountId: UNKNOWN, reference: "D" },
      404,
      "ACCOUNT_NOT_FOUND",
    ],
    [
      "somebody else's payout from an unknown account",
      "POST",
      "foreign-payouts",
      { accountId: UNKNOWN, reference: "E", amount: "1", destinationAddress: "x" },
      404,
      "ACCOUNT_NOT_FOUND",
    ],
    [
      "funds for an unknown deposit",
      "POST",
      "funds",
      { depositId: UNKNOWN, parts: [{ amount: "1", confirmAfterMs: 0 }] },
      404,
      "DEPOSIT_NOT_FOUND",
    ],
    [
      "funds of nothing",
      "POST",
      "funds",
      { depositId: UNKNOWN, parts: [{ amount: "0", confirmAfterMs: 0 }] },
      400,
      "INVALID_PARAMETER",
    ],
    [
      "a decision on an unknown payout",
      "POST",
      "decisions",
      { payoutId: UNKNOWN, username: "a", decision: "approve" },
      404,
      "PAYOUT_NOT_FOUND",
    ],
    ["an unknown payout's visibility", "PUT", "visibility", { payoutId: UNKNOWN }, 404, "PAYOUT_NOT_FOUND"],
    [
      "a fault that is none",
      "PUT",
      "faults",
      [{ operation: "*", effect: { kind: "explode" } }],
      400,
      "INVALID_PARAMETER",
    ],
  ])("refuses %s in the interface's error form", async (_what, method, path, body, status, code) => {
    await start();
    expect(await control(method, path, body)).toEqual({
      status,
      body: [{ error: expect.any(String), code, timestamp: expect.any(String) }],
    });
  });

  test("names the wrong fault script and what would be right", async () => {
    await start();
    const scripts = [{ operation: "createPayoutV3", effect: { kind: "lose" } }];
    expect((await control("PUT", "faults", scripts)).body).toMatchObject([
      { error: expect.stringMatching(/^scripts\.0\.operation: expected \* or an operation's name/) },
    ]);
  });

  test("refuses what is not JSON, and says so", async () => {
    await start();
    expect(await send("POST", "/control/time", "{")).toMatchObject({
      status: 400,
      body: [{ code: "BODY_NOT_JSON" }],
    });
  });
});

describe("a search is falsified on command, and true again afterwards", () => {
  const withFault = (operation: string, effect: FaultEffect) =>
    control("PUT", "faults", [{ operation, nth: 1, effect }]);
  const FIND = "findPayoutFilteredV2";

  test.each([
    ["an unknown state", "FROZEN"],
    ["a state that went back", "REQUESTED"],
  ])("%s, of one payout", async (_what, state) => {
    await start();
    await created({ reference: '"A"' });
    await created({ reference: '"B"' });
    await passTime(100);
    await withFault(FIND, { kind: "show-state", state, reference: "A" });
    const states = async () => (await find()).results.content.map((payout) => payout["payoutState"]);
    expect(await states()).toEqual([state, "CREATED"]);
    expect(await states()).toEqual(["CREATED", "CREATED"]);
  });

  test("an unknown state of a deposit", async () => {
    const deposits = [{ depositId: NEW, accountId: MAIN, reference: "D" }];
    await start({ seed: { ...seed, deposits } });
    await withFault("findDepositFilteredV2", { kind: "show-state", state: "PAUSED" });
    expect((await find("", "/deposits/v2/find")).results.content).toMatchObject([{ depositState: "PAUSED" }]);
  });

  test("another callbackUrl, with every other digit as it is", async () => {
    await start();
    await created({ requestedAmount: '{"currency":"BTC","amount":0.00000001}' });
    const url = "https://elsewhere.example/hook";
    await withFault(FIND, { kind: "wrong-echo", field: "callbackUrl", value: url });
    const body = `{${QUERY_DATE}}`;
    const headers = signedHeaders("POST", "/payouts/v2/find", body);
    const response = await fetch(`${running?.url}/payouts/v2/find`, { method: "POST", body, headers });
    const text = await response.text();
    expect(text).toContain('"amount":0.00000001');
    expect(JSON.parse(text)).toMatchObject({ results: { content: [{ callbackUrl: url }] } });
    expect((await find()).results.content[0]).not.toMatchObject({ callbackUrl: url });
  });

  test("other filters than were sent", async () => {
    await start();
    await withFault(FIND, { kind: "wrong-filters" });
    expect((await find(',"references":["A"]')).filters).not.toMatchObject({ references: ["A"] });
    expect((await find(',"references":["A"]')).filters).toMatchObject({ references: ["A"] });
  });

  test("pages that moved: rows seen again, or never seen", async () => {
    await start();
    for (const name of ["A", "B", "C", "D"]) await created({ reference: `"${name}"` });
    const second = async () => {
      const { results } = await find(',"page":1,"size":2,"sort":{"reference":"ASC"}');
      return results.content.map((payout) => payout["reference"]);
    };
    await withFault(FIND, { kind: "page-shift", rows: 1 });
    expect(await second()).toEqual(["B", "C"]);
    await withFault(FIND, { kind: "page-shift", rows: -1 });
    expect(await second()).toEqual(["D"]);
    expect(await second()).toEqual(["C", "D"]);
  });

  test("a payout that is never found, although it was created and paid", async () => {
    await start();
    await withFault("createPayoutV2", { kind: "lose" });
    await created();
    await passTime(10_000_000);
    expect((await find()).results.totalElements).toBe(0);
    expect(running?.creations()).toHaveLength(1);
    expect(running?.balanceOf(MAIN)?.confirmed.toString()).toBe("1.98999295");
  });

  test("by chance, and the same way again under the same seed", async () => {
    await start();
    const effect = { kind: "answer", statusCode: 503, body: "", committed: false } as const;
    const scripts = [{ operation: "findPayoutFilteredV2", chance: 0.5, effect }];
    const run = async (randomSeed: number) => {
      expect((await control("PUT", "faults", { scripts, randomSeed })).status).toBe(204);
      const statuses: number[] = [];
      while (statuses.length < 24) statuses.push((await call("/payouts/v2/find", `{${QUERY_DATE}}`)).status);
      return statuses.join(" ");
    };
    const first = await run(5);
    expect(first).toContain("503");
    expect(first).toContain("200");
    expect(await run(5)).toBe(first);
    expect(await run(6)).not.toBe(first);
  });
});

describe("a payout to a deposit's receiving address", () => {
  const depositText = (nonce: number) =>
    `{"accountId":"${SAVINGS}","nonce":${nonce},"reference":"D","callbackUrl":"https://x.example",
      "requestedAmount":{"currency":"BTC","amount":0.01}}`;
  const depositNow = async () => (await find("", "/deposits/v2/find")).results.content[0];

  test("credits that deposit: first unconfirmed, complete with the payout, under one transaction hash", async () => {
    await start();
    const { receiverAddress } = (await call("/deposits/create/sync", depositText(1))).body as {
      receiverAddress: string;
    };
    await created({ destinationAddress: `"${receiverAddress.toUpperCase()}"` });
    await passTime(500);
    expect(await depositNow()).toMatchObject({
      depositState: "RECEIVING_FUNDS",
      receivedFunds: [{ amount: { amount: 0.01 }, state: "UNCONFIRMED" }],
    });
    expect(running?.balanceOf(SAVINGS)?.selfUnconfirmedReceived.toString()).toBe("0.01");
    await passTime(100);
    const [payout] = (await find()).results.content as { sentFunds: { txHash: string } }[];
    expect(await depositNow()).toMatchObject({
      depositState: "COMPLETED",
      receivedFunds: [{ state: "CONFIRMED", txHash: payout?.sentFunds.txHash }],
    });
    expect(running?.balanceOf(SAVINGS)?.confirmed.toString()).toBe("1.01");
  });

  test("credits the account of a void deposit too, and leaves its state alone", async () => {
    await start();
    const { receiverAddress, depositId } = (await call("/deposits/create/sync", depositText(1))).body as {
      receiverAddress: string;
      depositId: string;
    };
    await call("/deposits/void", `{"depositId":"${depositId}","nonce":2}`);
    await created({ destinationAddress: `"${receiverAddress}"` });
    await passTime(60_000);
    expect(await depositNow()).toMatchObject({
      depositState: "VOID",
      receivedFunds: [{ state: "CONFIRMED" }],
    });
    expect(running?.balanceOf(SAVINGS)?.confirmed.toString()).toBe("1.01");
  });
});
