/** The nightly comparison when the service shows a payout of ours, or a balance, in an unreadable form. */
import { expect, test } from "vitest";
import { createPayoutStep } from "../../src/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { FIND, startOddService } from "../gateway/odd-service.ts";
import { SAVINGS } from "../site/scripted-nights.ts";
import { ADDRESS, TREASURY } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

const TWIN = "01a20892-c7ca-7800-965d-f3c6ec214829";

test("a payout is told as that, and no second payout is offered in its place", async () => {
  let withTwin = false;
  const service = await startOddService(({ path, honest, answer }) => {
    if (path !== FIND) return false;
    const { body } = honest();
    const { results } = JSON.parse(body) as { results: { content: { payoutId: string }[] } };
    const content = results.content.flatMap((payout) => [
      { ...payout, payoutId: payout.payoutId.toUpperCase(), requestedAmount: { currency: null, amount: 1 } },
      ...(withTwin ? [{ ...payout, payoutId: TWIN }] : []),
    ]);
    const totalElements = content.length;
    return void answer(200, JSON.stringify({ results: { ...results, content, totalElements } }));
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  const sentences = async () =>
    (await reconcileStep(workplace)).breaks
      .filter(({ severity }) => severity === "alarm")
      .map(({ kind, sentence }) => `${kind}: ${sentence}`);
  const missing = expect.stringMatching(
    /^missing: "PAY-1" .* which the service shows in a form that cannot be read/,
  );
  expect(await sentences()).toEqual([missing]);
  withTwin = true;
  const [twice, ...others] = (await sentences()).toSorted();
  expect(twice).toMatch(/^duplicate-reference: .* may have been paid twice\.$/);
  expect(others).toEqual([missing]);
});

test("a balance is told as that, and keeps no other account from being compared", async () => {
  let unreadable: readonly string[] = [];
  const service = await startOddService(({ path, honest, answer }) => {
    if (path !== "/accounts/balance") return false;
    const { balances } = JSON.parse(honest().body) as {
      balances: { accountId: string; btcBalance: { total: object } }[];
    };
    for (const { accountId, btcBalance } of balances)
      if (unreadable.includes(accountId)) btcBalance.total = { currency: "BTC", amount: "3" };
    return void answer(200, JSON.stringify({ balances }));
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  await baselineStep(workplace, "ann");
  unreadable = [SAVINGS];
  const { openBreaks, balanceProof } = await reconcileStep(workplace);
  expect(openBreaks).toMatchObject([
    {
      kind: "balance",
      custodyAccountId: SAVINGS,
      sentence: expect.stringMatching(/no balance in BTC that can be read/),
    },
  ]);
  expect(balanceProof.filter(({ ties }) => ties)).toMatchObject([{ custodyAccountId: TREASURY }]);
  unreadable = [SAVINGS, TREASURY];
  await expect(reconcileStep(workplace)).rejects.toMatchObject({
    problem: { code: "SERVICE_ANSWER_UNREADABLE" },
  });
  unreadable = [];
  expect((await reconcileStep(workplace)).openBreaks).toEqual([]);
});
