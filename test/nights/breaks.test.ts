/**
 * The report that treasury reads every morning: new breaks stand out, and a settled break is reported again only if
 * it has changed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { expect, test } from "vitest";
import { breaksText } from "../../src/cli/render/breaks-text.ts";
import { approveStep, payStep, submitFile } from "../../src/index.ts";
import { baselineStep, breaksStep, reconcileStep, settleStep } from "../../src/nights/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

/** A service that shows payouts which no file asked for: `told.count` of them, in the state `told.state`. */
async function serviceOfStrangers() {
  const told = { count: 1, state: "SENDING" };
  const service = await startOddService(({ path, answer }) => {
    if (path !== FIND) return false;
    const content = Array.from({ length: told.count }, (_, index) => ({
      ...STRANGER,
      // The newest has the highest id.
      payoutId: `0d5d6e8a-0000-4000-8000-0000000000${10 + index}`,
      reference: `EXT-${10 + index}`,
      payoutState: told.state,
    }));
    answer(200, JSON.stringify({ results: { content, totalPages: 1, totalElements: content.length } }));
    return true;
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const strangers = async () =>
    (await reconcileStep(workplace)).openBreaks.filter(({ kind }) => kind === "unexpected");
  return { workplace, told, strangers };
}

test("what a comparison found is told with its time, also where the service shows the balance of no account", async () => {
  const told = { hidesBalances: false };
  const service = await startOddService(({ path, honest, answer }) => {
    if (!told.hidesBalances || !path.includes("balance")) return false;
    honest();
    answer(200, '{"balances":[]}');
    return true;
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  await baselineStep(workplace, "ann");
  expect(await breaksStep(workplace)).toMatchObject({ open: [], settled: [], atStake: [] });
  expect(await breaksStep(workplace)).not.toHaveProperty("comparedAt");
  told.hidesBalances = true;
  const first = await reconcileStep(workplace);
  expect(first.openBreaks.map(({ kind }) => kind)).toContain("balance");
  expect((await breaksStep(workplace)).comparedAt).toBe(first.comparedAt);
});

test("a stranger that was on its way at the baseline raises no alarm, and one that comes later does", async () => {
  const { workplace, told, strangers } = await serviceOfStrangers();
  expect(await baselineStep(workplace, "ann")).toMatchObject({ payoutsBefore: 0, strangersOpen: 1 });
  expect(await strangers()).toEqual([]);
  told.count = 2;
  expect(await strangers()).toMatchObject([{ kind: "unexpected", reference: "EXT-11" }]);
  told.state = "SENT";
  expect(await strangers()).toMatchObject([{ reference: "EXT-11" }]);
});

test("what the last comparison found anew stands first, however much else of its kind is open", async () => {
  const { workplace, told } = await serviceOfStrangers();
  told.count = 14;
  await reconcileStep(workplace);
  told.count = 15;
  const { openBreaks: open, comparedAt } = await reconcileStep(workplace);
  const lines = breaksText({ open, settled: [] }, pc.createColors(false), comparedAt).split("\n");
  expect(lines[0]).toMatch(/^\d+ breaks, 1 of them new:$/);
  expect(lines[1]).toMatch(/^ {2}alarm unexpected: .*"EXT-24".*asked for it\. \(BR-\d+, 0\.5 BTC\)$/);
  expect(lines[2]).toMatch(/asked for it\. \(BR-\d+, 0\.5 BTC, since 20\d\d-.* UTC\)$/);
  expect(lines[11]).toBe("  ... and 5 more unexpected; `--json` lists them all");
});

test("a payout whose network fee is above the configured limit of its currency is warned of", async () => {
  const { folder, workplace, openAgain } = await openSite({ stepMs: 1 });
  await baselineStep(workplace, "ann");
  const file = join(folder, "one.csv");
  writeFileSync(file, `reference,amount,address\nPAY-1,0.01,${ADDRESS}\n`);
  const { digest = "" } = await submitFile(workplace, file, "alice");
  await approveStep(workplace, digest, "bob");
  await payStep(workplace);
  const path = join(folder, "paydrop.yaml");
  const limited = async (limit: string) => {
    const reconciliation = `reconciliation: { feeLimit: { BTC: "${limit}" } }`;
    writeFileSync(
      path,
      `${readFileSync(path, "utf8").replace(/^reconciliation:.*\n/m, "")}${reconciliation}\n`,
    );
    const { openBreaks } = await reconcileStep(openAgain());
    return openBreaks.filter(({ kind }) => kind === "fee").map(({ reference }) => reference);
  };
  await expect.poll(() => limited("0.00000001")).toEqual(["PAY-1"]);
  expect(await limited("0.1")).toEqual([]);
});

test("a custody account that is no more is told as such, and its balance is settled by its name", async () => {
  const { workplace, openAgain } = await openSite();
  await baselineStep(workplace, "ann");
  const [first, ...closed] = workplace.config.custodyAccounts;
  const later = openAgain({ PAYDROP_CUSTODY_ACCOUNTS: JSON.stringify([first]) });
  const found = (await reconcileStep(later)).openBreaks.filter(({ kind }) => kind === "balance");
  expect(found).toHaveLength(closed.length);
  for (const { sentence } of found) expect(sentence).toContain("It is not in `custodyAccounts`");
  const names = closed.map(({ id }) => id);
  await settleStep(later, { names, person: "tess", reason: "closed, and empty" });
  expect((await reconcileStep(later)).openBreaks.filter(({ kind }) => kind === "balance")).toEqual([]);
});
