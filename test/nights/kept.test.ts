/**
 * A night leaves out pairs that agreed before and have not changed. After any history it finds exactly what a
 * comparison of everything at once finds: the same breaks, the same proof to the last digit, the same totals.
 * Posting leaves out facts that are posted, and posts exactly what deriving everything posts. `npm run
 * test:histories` runs more.
 */
import { describe, expect, test } from "vitest";
import { shifted } from "../../src/model/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { DEPOSITS, PAYOUTS } from "../../src/observation/index.ts";
import { replaceOpenBreaks } from "../../src/store/breaks.ts";
import {
  compareEverythingAgain,
  listSharedNames,
  listSharing,
  listWaiting,
} from "../../src/store/compared.ts";
import { recordSightings } from "../../src/store/observed.ts";
import { run, sql } from "../../src/store/sql.ts";
import { deposit, parseJson, payout } from "../../src/wire/index.ts";
import { comparedInParts } from "../site/all-at-once.ts";
import { depositOf, OPENING, receiptOf, SAVINGS, scriptedNights } from "../site/scripted-nights.ts";
import { IS_WHOLE } from "../slice.ts";
import { openStore } from "../store/stored-batch.ts";
import { answerCreation, nightsAgree, nightThatSees, settledSite } from "./history.ts";

const SEEDS = Number(process.env["HISTORY_SEEDS"] ?? (IS_WHOLE ? 4 : 1));
const FIRST = Number(process.env["HISTORY_SEED"] ?? 1);

describe("after every night of a history", () => {
  test.each(Array.from({ length: SEEDS }, (_, index) => FIRST + index))("HISTORY_SEED=%i", async (seed) => {
    await nightsAgree(seed, (workplace) => workplace, { misbehaves: true });
  });
});

test("what agreed waits for nothing, until it shows something else", async () => {
  const { workplace, swept, payouts } = await settledSite();
  const { store } = workplace;
  const waiting = async () => (await store.read(() => listWaiting("payout", "", 100))).map(({ id }) => id);
  await comparedInParts(workplace, swept);
  expect(await waiting()).toEqual([]);
  const [changed] = payouts;
  const raw = JSON.stringify({ ...changed, sentFunds: [] });
  const sighting = PAYOUTS.sightingOf(payout.parse(parseJson(raw)));
  await store.write(() => recordSightings("payout", [{ ...sighting, raw }], swept.begunAt));
  expect(await waiting()).toEqual([changed?.["payoutId"]]);
});

test("`reconcile verify` compares everything again, says where what was kept is wrong, and mends it", async () => {
  const { shown, workplace } = await scriptedNights({ pays: ["INV-1"] });
  shown.deposits = [depositOf("6f1cbb7e-0000-4000-8000-0000000000a1", [receiptOf("a", 0.5)])];
  shown.payout = { payoutState: "COMPLETED", sentFunds: [receiptOf("b", 0.05)] };
  shown.balance = OPENING + 0.45;
  await reconcileStep(workplace);
  const verify = async () => (await reconcileStep(workplace, { verify: true })).keptWrong;
  const keep = (right: string, wrong: string) =>
    workplace.store.write(() => run(sql`update compared_sum set sums = replace(sums, ${right}, ${wrong})`));
  expect(await verify()).toEqual([]);
  await keep('"received":"0.5', '"received":"0.7');
  const wrong = await verify();
  expect(wrong).toHaveLength(2);
  expect(wrong?.join(" ")).toMatch(/It is no break: .*should hold .* "received", and 0\.7 was kept/s);
  await keep('["agree","BTC",1,"0.05', '["agree","BTC",1,"0.06');
  expect(await verify()).toEqual([
    'It sums up payments that "agree" to 1 x BTC 0.05, where 1 x BTC 0.06 were kept.',
  ]);
  // Counted in a proof only if it then ties.
  await keep('"received":"0.5', '"replacedIn":"0.2","received":"0.5');
  expect((await verify())?.[0]).toMatch(
    /^Custody account \S+ has 0 BTC as "replacedIn", and 0.2 was kept\.$/,
  );
  await workplace.store.write(() =>
    run(
      sql`update compared set accounts = replace(accounts, '"sent":"0.05', '"sent":"0.06') where kind = 'payout'`,
    ),
  );
  expect(await verify()).toEqual([expect.stringContaining("does not add up")]);
  // A break that was found from kept results too, but with another amount.
  shown.balance = OPENING + 0.75;
  await reconcileStep(workplace);
  await keep('"received":"0.5', '"received":"0.7');
  expect((await verify())?.[0]).toMatch(
    /It was found otherwise: .*0\.3 BTC.*From what was kept: .*0\.1 BTC/s,
  );
  shown.balance = OPENING + 0.45;
  const night = await reconcileStep(workplace, { verify: true });
  expect([night.keptWrong, night.openBreaks]).toEqual([[], []]);
  expect((await reconcileStep(workplace)).keptWrong).toBeUndefined();
});

test("`reconcile verify` finds what shares a transaction in what was seen, not in what was kept of it", async () => {
  const { shown, workplace, night } = await scriptedNights();
  const shared = receiptOf("f", 0.007);
  shown.deposits = ["a1", "b1"].map((end) => depositOf(`6f1cbb7e-0000-4000-8000-0000000000${end}`, [shared]));
  shown.balance = OPENING + 0.007;
  expect((await night()).open).toEqual(["receipt-claimed-twice"]);
  await workplace.store.write(() => run(sql`delete from shared_name`));
  const { keptWrong, balanceProof } = await reconcileStep(workplace, { verify: true });
  expect(keptWrong?.join()).toMatch(/It was not found: .* both list/);
  expect(balanceProof.every(({ ties }) => ties)).toBe(true);
});

test("a deposit that was seen before its creation was answered is compared with its request", async () => {
  const { shown, workplace, night } = await scriptedNights();
  const depositId = "6f1cbb7e-0000-4000-8000-0000000000a1";
  shown.deposits = [depositOf(depositId, [receiptOf("a", 0.5)])];
  shown.balance = OPENING + 0.5;
  expect((await night()).open).toEqual([]);
  await workplace.store.write(() => answerCreation(depositId, SAVINGS, "ORDER-a1", new Date().toISOString()));
  expect((await night()).open).toEqual(["custody-account"]);
});

test("what was lost is found again after an absence that was expected", async () => {
  const { workplace, swept } = await settledSite();
  const { store } = workplace;
  const [earlier, later] = ["a1", "a2"].map((end) =>
    depositOf(`6f1cbb7e-0000-4000-8000-0000000000${end}`, [receiptOf(end, 0.5)]),
  );
  let night: Parameters<typeof nightThatSees>[3] = swept;
  const show = async (...shown: readonly unknown[]) => {
    const begunAt = shifted(night.begunAt, 1_000);
    const sightings = shown.map((element) => {
      const raw = JSON.stringify(element);
      return { ...DEPOSITS.sightingOf(deposit.parse(parseJson(raw))), raw };
    });
    await store.write(() => recordSightings("deposit", sightings, begunAt));
    night = await nightThatSees(store, "deposit", sightings, { ...night, begunAt });
    const breaks = await comparedInParts(workplace, night);
    await store.write(() => replaceOpenBreaks(breaks, begunAt));
    return breaks.filter(({ kind }) => kind === "not-shown").map(({ depositId = "" }) => depositId.slice(-2));
  };
  await show(earlier);
  await show(earlier, later);
  await show(earlier, later);
  expect(await show(earlier)).toEqual(["a2"]);
  // The service drops what has ended: the earlier one first.
  expect(await show()).toEqual([]);
  expect(await show(earlier)).toEqual(["a2"]);
});

test.each([
  ["before anything is compared", () => run(sql`delete from compared_sum`)],
  ["after a comparison", () => compareEverythingAgain("the policy", "the sums")],
] as const)("elements that share a transaction seen %s are known, once each", async (_, begin) => {
  const store = openStore();
  const see = (kind: "payout" | "deposit", id: string, ...names: string[]) => {
    const seen = { id, state: "SENT", raw: "{}", names: names.map((name) => ({ name, kind, id })) };
    return store.write(() => recordSightings(kind, [seen], new Date().toISOString()));
  };
  await see("deposit", "d-1", "hash a", "id 1");
  await see("deposit", "d-2", "hash b");
  await store.write<unknown>(begin);
  await see("payout", "p-1", "hash a");
  await see("deposit", "d-3", "hash c", "id 1");
  await see("deposit", "d-3", "hash c", "id 1");
  const sharing = () => store.read(() => listSharing("deposit", "all"));
  expect(await sharing()).toEqual(["d-1", "d-3"]);
  await store.write(() => compareEverythingAgain("another policy", "the sums"));
  expect(await sharing()).toEqual(["d-1", "d-3"]);
  expect(await store.read(() => listSharedNames())).toEqual(["hash a", "id 1"]);
});
