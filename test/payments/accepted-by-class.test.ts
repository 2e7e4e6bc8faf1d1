/** A comparison puts each accepted payment into one class, and the classes add up to all of them. */
import pc from "picocolors";
import { expect, test } from "vitest";
import { reconciliationText } from "../../src/cli/render/reconciliation-text.ts";
import { approveStep, createPayoutStep, payAgainStep, payStep } from "../../src/index.ts";
import { formatControlTotals, shifted } from "../../src/model/index.ts";
import { type ReconciliationReport, reconcileStep } from "../../src/nights/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { startOddService } from "../gateway/odd-service.ts";
import { ADDRESS, byClock } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

const HOUR_MS = 3_600_000;
const ELSEWHERE = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3";

type Shown = Readonly<Record<string, unknown>>;

/** Payments of 0.001, 0.002, ... whose references are the keys of `shownAs`; the service shows them in that way. */
async function openPaid(references: readonly string[]) {
  const site = { shownAs: {} as Readonly<Record<string, Shown | "not at all">> };
  const service = await startOddService(
    ({ path, honest, answer }) => {
      if (path !== "/payouts/v2/find") return false;
      const { results, ...others } = JSON.parse(honest().body) as {
        results: { content: { reference: string }[] };
      };
      const content = results.content.flatMap((payout) => {
        const as = site.shownAs[payout.reference] ?? {};
        return as === "not at all" ? [] : [{ ...payout, ...as }];
      });
      answer(
        200,
        JSON.stringify({ ...others, results: { ...results, content, totalElements: content.length } }),
      );
      return true;
    },
    { stepMs: 24 * HOUR_MS },
  );
  const { workplace } = openPlace({
    ...SANDBOX_SECRETS,
    PAYDROP_SERVICE_BASE_URL: service.url,
    PAYDROP_OTP_SINGLE_USE: "false",
  });
  const pay = async (reference: string, amount: string) => {
    const cells = { reference, amount, destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  };
  for (const [index, reference] of references.entries()) await pay(reference, `0.00${index + 1}`);
  const from = workplace.context.clock.now();
  const compareAt = async (hour: number) => {
    const report = await reconcileStep(byClock(workplace, () => shifted(from, hour * HOUR_MS)));
    const text = reconciliationText(report, pc.createColors(false), (id) => id);
    return { report, text: text.slice(text.indexOf("Accepted:"), text.indexOf("\n", text.indexOf("gone:"))) };
  };
  return { site, workplace, pay, compareAt };
}

const CLASSES = ["accepted", "agree", "differ", "notShown", "undecided", "gone"] as const;

const inClasses = ({ totals }: ReconciliationReport) =>
  Object.fromEntries(CLASSES.map((each) => [each, formatControlTotals(totals[each])]));

test.each<[string, Shown, string]>([
  ["went to another address", { destinationAddress: ELSEWHERE }, "destination"],
  ["was made with another amount", { requestedAmount: { currency: "BTC", amount: 0.9 } }, "amount"],
  ["was made in another currency", { requestedAmount: { currency: "LTC", amount: 0.002 } }, "currency"],
  [
    "left from another custody account",
    { accountId: "6f1cbb7e-0000-4000-8000-000000000002" },
    "custody-account",
  ],
  ["has failed", { payoutState: "SEND_FAILED" }, "failed"],
])("a payment whose payout %s does not agree", async (_what, as, kind) => {
  const { site, compareAt } = await openPaid(["PAY-1", "PAY-2"]);
  site.shownAs = { "PAY-2": as };
  const { report, text } = await compareAt(1);
  expect(report.breaks.map((each) => each.kind)).toContain(kind);
  expect(inClasses(report)).toEqual({
    accepted: "2 x BTC 0.003",
    agree: "1 x BTC 0.001",
    differ: "1 x BTC 0.002",
    notShown: "nothing",
    undecided: "nothing",
    gone: "nothing",
  });
  expect(text).toContain("differ:           1 payment, 0.002 BTC");
});

test("one that is not shown, one that was accepted a moment ago, and one that finished long ago have classes of their own", async () => {
  const { site, pay, compareAt } = await openPaid(["PAY-1", "PAY-2", "PAY-3", "PAY-4"]);
  const finished = { payoutState: "COMPLETED" };
  site.shownAs = { "PAY-3": finished, "PAY-4": "not at all" };
  await compareAt(1);
  await compareAt(26);
  site.shownAs = {
    "PAY-1": { payoutState: "SENDING" },
    "PAY-2": "not at all",
    "PAY-3": "not at all",
    "PAY-4": "not at all",
  };
  const { report, text } = await compareAt(51);
  expect(inClasses(report)).toEqual({
    accepted: "4 x BTC 0.01",
    agree: "1 x BTC 0.001",
    differ: "nothing",
    notShown: "2 x BTC 0.006",
    undecided: "nothing",
    gone: "1 x BTC 0.003",
  });
  expect(text).toBe(
    [
      "Accepted: 4 payments, 0.01 BTC",
      "  shown tonight:      1 payment, 0.001 BTC",
      "    agree:            1 payment, 0.001 BTC",
      "    differ:           nothing",
      "  not shown:          2 payments, 0.006 BTC",
      "  undecided:          nothing",
      "  finished and gone:  1 payment, 0.003 BTC",
    ].join("\n"),
  );
  site.shownAs = { ...site.shownAs, "PAY-5": "not at all" };
  await pay("PAY-5", "0.005");
  expect(inClasses((await compareAt(0)).report)).toMatchObject({
    accepted: "5 x BTC 0.015",
    undecided: "1 x BTC 0.005",
  });
});

test("one that failed does not agree either once it is paid again, which leaves no break of it", async () => {
  const { site, workplace, compareAt } = await openPaid(["PAY-1"]);
  site.shownAs = { "PAY-1": { payoutState: "SEND_FAILED" } };
  await compareAt(1);
  const request = { reference: "PAY-1", newReference: "PAY-2", person: "alice", reason: "it failed" };
  const { submitted } = await payAgainStep(workplace, request);
  await approveStep(workplace, submitted.digest ?? "", "bob", { acceptRepeats: 1 });
  await payStep(workplace);
  const { report } = await compareAt(2);
  expect(report.breaks.map((each) => each.kind)).not.toContain("failed");
  expect(inClasses(report)).toMatchObject({ agree: "1 x BTC 0.001", differ: "1 x BTC 0.001" });
});
