/**
 * A night leaves out pairs that agreed before and have not changed. After any history it finds exactly what a
 * comparison of everything at once finds: the same breaks, the same proof to the last digit, the same totals.
 * Posting leaves out facts that are posted, and posts exactly what deriving everything posts. `npm run
 * test:histories` runs more.
 */
import { describe, expect, test } from "vitest";
import { reconcileStep } from "../../src/nights/index.ts";
import { PAYOUTS } from "../../src/observation/index.ts";
import {
  compareEverythingAgain,
  listSharedNames,
  listSharing,
  listWaiting,
} from "../../src/store/compared.ts";
import { recordSightings } from "../../src/store/observed.ts";
import { run, sql } from "../../src/store/sql.ts";
import { parseJson, payout } from "../../src/wire/index.ts";
import { comparedInParts } from "../site/all-at-once.ts";
import { depositOf, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { IS_WHOLE } from "../slice.ts";
import { openStore } from "../store/stored-batch.ts";
import { nightsAgree, settledSite } from "./history.ts";

const SEEDS = Number(process.env["HISTORY_SEEDS"] ?? (IS_WHOLE ? 4 : 1));
const FIRST = Number(process.env["HISTORY_SEED"] ?? 1);

describe("after every night of a history", () => {
  test.each(Array.from({ length: SEEDS }, (_, index) => FIRST + index))("HISTORY_SEED=%i", async (seed) => {
    await nightsAgree(seed, (workplace) => workplace);
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
