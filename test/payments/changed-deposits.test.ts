/** Deposits of ours that the service shows differently from the request, or with another address than before. */
import { describe, expect, test } from "vitest";
import { createDepositStep, type DepositRequest } from "../../src/index.ts";
import { amountOf } from "../../src/money/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { startOddService } from "../gateway/odd-service.ts";
import { DEPOSIT } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

const OTHER_ADDRESS = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3";

/** A deposit at a service that shows its true answer altered by `told.shown`, and the breaks of a comparison. */
async function depositAt(
  request: Partial<DepositRequest> = {},
  shownFirst: (honest: string) => string = (honest) => honest,
) {
  const told = { shown: shownFirst };
  const service = await startOddService(({ path, honest, answer }) =>
    path === "/deposits/v2/find" ? void answer(200, told.shown(honest().body)) : false,
  );
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  await baselineStep(workplace, "ann");
  const { depositId } = await createDepositStep(workplace, { ...DEPOSIT, ...request });
  const breaks = async () => (await reconcileStep(workplace)).openBreaks;
  expect(await breaks()).toEqual([]);
  return { told, depositId, breaks };
}

const replacing = (pattern: RegExp, by: string) => (honest: string) => {
  expect(honest).toMatch(pattern);
  return honest.replace(pattern, by);
};

const asked = amountOf("0.0125", "BTC");

test.each([
  ["custody-account", "alarm", /"accountId":"[^"]+"/, '"accountId":"6f1cbb7e-0000-4000-8000-0000000000ff"'],
  ["reference", "warning", /"reference":"DEP-1"/, '"reference":"dep-1"'],
  ["amount", "alarm", /"amount":0\.0125\b/, '"amount":0.0124'],
  ["currency", "alarm", /"currency":"BTC","amount":0\.0125\b/, '"currency":"LTC","amount":0.0125'],
] as const)("another %s than was asked for is a break of severity %s", async (kind, severity, from, to) => {
  const { told, depositId, breaks } = await depositAt({ requestedAmount: asked });
  told.shown = replacing(from, to);
  expect(await breaks()).toMatchObject([{ kind, severity, depositId }]);
  told.shown = (honest) => honest;
  expect(await breaks()).toEqual([]);
});

test("an amount asked for in a fiat currency is compared with that one, and by value", async () => {
  const { told, breaks } = await depositAt({ requestedAmount: amountOf("100.50", "EUR") });
  told.shown = replacing(/("currency":"EUR","amount":)100\.50?\b/, "$1100.500");
  expect(await breaks()).toEqual([]);
  told.shown = replacing(/("currency":"EUR","amount":)100\.50?\b/, "$1100.51");
  expect(await breaks()).toMatchObject([
    { kind: "amount", field: "requestedAmount", expected: "100.5", found: "100.51" },
  ]);
});

const IN_CRYPTO = /"requestedAmountInCryptoAtFixedRate":\{[^}]*\},?/;

test.each([
  ["does not show", ""],
  ["shows only in fiat", '"requestedAmountInFiat":{"currency":"EUR","amount":800},'],
])("a requested amount that the service %s is not judged", async (_what, shown) => {
  const { told, breaks } = await depositAt({ requestedAmount: asked });
  told.shown = replacing(IN_CRYPTO, shown);
  expect(await breaks()).toEqual([]);
});

test("an amount asked for in a fiat currency is not judged by its crypto amount, but by another fiat currency", async () => {
  const { told, breaks } = await depositAt({ requestedAmount: amountOf("100.50", "EUR") });
  told.shown = (honest) => {
    expect(honest).toMatch(IN_CRYPTO);
    return replacing(/"requestedAmountInFiat":\{[^}]*\},?/, "")(honest);
  };
  expect(await breaks()).toEqual([]);
  told.shown = replacing(/"currency":"EUR","amount":100\.50?\b/, '"currency":"USD","amount":100.5');
  expect(await breaks()).toMatchObject([{ kind: "currency", expected: "EUR", found: "USD" }]);
});

describe("a receiving address", () => {
  const ADDRESS = /"receiverAddress":"([^"]+)"/;

  test("that changes is an alarm, with both in full, for as long as it is another one", async () => {
    const { told, depositId, breaks } = await depositAt();
    let first = "";
    told.shown = (honest) => {
      first = ADDRESS.exec(honest)?.[1] ?? "";
      return honest.replace(ADDRESS, `"receiverAddress":"${OTHER_ADDRESS}"`);
    };
    const changed = { kind: "receiver-address", severity: "alarm", depositId, found: OTHER_ADDRESS };
    expect(await breaks()).toMatchObject([{ ...changed, expected: first }]);
    expect(await breaks()).toMatchObject([{ ...changed, sentence: expect.stringContaining(`"${first}"`) }]);
    told.shown = (honest) => honest;
    expect(await breaks()).toEqual([]);
  });

  test("in capitals is the same", async () => {
    const { told, breaks } = await depositAt();
    told.shown = (honest) =>
      honest.replace(ADDRESS, (member, address) => member.replace(address, address.toUpperCase()));
    expect(await breaks()).toEqual([]);
  });

  test.each([
    ["left out", ""],
    ["empty", '"receiverAddress":"",'],
  ])("that is %s at first, or later, is no change", async (_how, none) => {
    const hidden = (honest: string) => honest.replace(/"receiverAddress":"[^"]+",/, none);
    const { told, breaks } = await depositAt({}, hidden);
    for (const shown of [(honest: string) => honest, hidden]) {
      told.shown = shown;
      expect(await breaks()).toEqual([]);
    }
  });
});

test("somebody else's deposit is not compared with our request", async () => {
  const { told, depositId, breaks } = await depositAt({ requestedAmount: asked });
  told.shown = (honest) =>
    honest
      .replace(`"depositId":"${depositId}"`, '"depositId":"6f1cbb7e-0000-4000-8000-0000000000aa"')
      .replace(/"amount":0\.0125\b/, '"amount":0.0124');
  expect((await breaks()).map(({ kind }) => kind)).toEqual(["not-shown"]);
});
