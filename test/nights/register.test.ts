/**
 * The register of breaks: each opening with its dates, its amount and its people, and the decisions of controllers
 * about it.
 */
import { expect, test } from "vitest";
import { addPersonStep, explainNamedStep, ledgerExportStep, trackStep } from "../../src/index.ts";
import { DAY_MS, shifted } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import {
  assignBreakStep,
  breaksStep,
  noteBreakStep,
  reopenBreakStep,
  settleStep,
  showBreakStep,
} from "../../src/nights/index.ts";
import { listEntriesAbout } from "../../src/store/ledger-entries.ts";
import { all, run, sql } from "../../src/store/sql.ts";
import { auditStep } from "../../src/views/audit-step.ts";
import { alter, KEYS, openProvenDesk } from "../site/proven-desk.ts";
import { OPENING, scriptedNights } from "../site/scripted-nights.ts";
import { byClock } from "../site/service.ts";
import { strangersAt } from "../site/strangers.ts";

/** Controllers carol and mallory, and two payouts that no file asked for. */
async function deskWithStrangers(changes: NodeJS.ProcessEnv = {}) {
  const desk = await openProvenDesk(changes);
  const { credential } = KEYS.mallory;
  const roles = ["controller"] as const;
  await addPersonStep(desk.workplace, { name: "mallory", roles, credential, person: "dave" });
  return { ...desk, open: await strangersAt(desk) };
}

const refusal = (code: string) => ({ problem: { code } });
const TWO_ABOVE: NodeJS.ProcessEnv = { PAYDROP_RECONCILIATION_SETTLE_ALONE: '{ BTC: "0.01" }' };

test("a break that comes, goes and comes again has two openings, each with its own dates, amount and people", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.balance = OPENING + 0.5;
  const [first] = (await night()).breaks;
  expect(first?.kind).toBe("balance");
  await assignBreakStep(workplace, { names: ["treasury-btc"], owner: "ann", person: "ann" });
  await noteBreakStep(workplace, { names: ["treasury-btc"], note: "asked the bank", person: "ann" });
  shown.balance = OPENING;
  expect((await night()).open).toEqual([]);
  shown.balance = OPENING + 0.25;
  const [second] = (await night()).breaks;
  expect(second).toMatchObject({ kind: "balance", notes: 0 });
  expect(second).not.toHaveProperty("owner");
  const [story] = await showBreakStep(workplace, "treasury-btc");
  const { latest, earlier, notes } = story ?? { earlier: [], notes: [] };
  expect(latest).toMatchObject({ opening: second?.opening, openedAt: second?.openedAt, found: "0.25" });
  expect(latest?.amount?.value.toString()).toBe("0.25");
  expect(earlier).toMatchObject([
    { opening: first?.opening, openedAt: first?.openedAt, owner: "ann", found: "0.5" },
  ]);
  expect(earlier[0]?.closedAt).toBeDefined();
  expect(notes).toMatchObject([{ opening: first?.opening, person: "ann", words: "asked the bank" }]);
  const { closed = [] } = await breaksStep(workplace, { closed: true });
  expect(closed.map(({ opening }) => opening)).toEqual([first?.opening]);
});

test("what was settled stays settled while it says the same, and is another opening once it says something else", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.balance = OPENING + 0.5;
  await night();
  await settleStep(workplace, { names: ["treasury-btc"], person: "tess", reason: "the bank knows" });
  expect((await night()).open).toEqual([]);
  shown.balance = OPENING + 0.75;
  expect((await night()).fresh).toEqual(["balance"]);
  const [story] = await showBreakStep(workplace, "treasury-btc");
  expect(story?.latest).toMatchObject({ found: "0.75" });
  expect(story?.latest).not.toHaveProperty("settledAt");
  expect(story?.earlier).toMatchObject([{ found: "0.5", person: "tess", reason: "the bank knows" }]);
  expect((await breaksStep(workplace)).settled).toEqual([]);
});

test("a night that finds the same writes nothing into the register", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.balance = OPENING + 0.5;
  await night();
  const rows = () => workplace.store.read(() => all(sql`select * from break_opening order by seq`));
  const before = await rows();
  await night();
  expect(await rows()).toEqual(before);
});

test("a break ages by what its severity allows; the list says how old and how much, and is narrowed", async () => {
  const { workplace, open } = await deskWithStrangers();
  await open();
  const at = (days: number) => byClock(workplace, () => shifted(new Date().toISOString(), days * DAY_MS));
  const strangers = async (days: number) =>
    (await breaksStep(at(days), { kind: "unexpected" })).open.map(({ age }) => [age.isOver, age.bucket]);
  expect(await strangers(0.5)).toEqual([
    [false, "up to 1 day"],
    [false, "up to 1 day"],
  ]);
  expect(await strangers(2)).toEqual([
    [true, "2 to 7 days"],
    [true, "2 to 7 days"],
  ]);
  const { atStake, ageing } = await breaksStep(at(40), { kind: "unexpected" });
  expect(atStake.map(({ value, currency }) => `${value} ${currency}`)).toEqual(["0.017 BTC"]);
  expect(ageing.map(({ count }) => count)).toEqual([0, 0, 0, 2]);

  await assignBreakStep(workplace, { names: ["EXT-1"], owner: "ben", person: "carol" });
  const listed = async (filter: Parameters<typeof breaksStep>[1]) =>
    (await breaksStep(workplace, filter)).open.flatMap(({ reference }) => reference ?? []).sort();
  expect(await listed({ kind: "unexpected" })).toEqual(["EXT-1", "EXT-2"]);
  expect(await listed({ kind: "deposits" })).toEqual([]);
  expect(await listed({ account: "treasury-btc" })).toEqual(["EXT-1", "EXT-2"]);
  expect(await listed({ min: { value: Decimal.of("0.01"), currency: "BTC" } })).toEqual(["EXT-1"]);
  expect(await listed({ min: { value: Decimal.of("0.01"), currency: "ETH" } })).toEqual([]);
  expect(await listed({ owner: "ben" })).toEqual(["EXT-1"]);
  expect(await listed({ owner: "nobody" })).toEqual(["EXT-2"]);
  expect(await listed({ since: "2999-01-01" })).toEqual([]);
  await expect(listed({ account: "petty cash" })).rejects.toMatchObject(refusal("NAME_UNKNOWN"));
});

test("what controllers decide about a break is signed by them and in the record, where `audit verify` knows it", async () => {
  const { workplace, open } = await deskWithStrangers();
  const [first] = await assignBreakStep(workplace, {
    names: ["EXT-1", "EXT-2"],
    owner: "ben",
    person: "carol",
  });
  expect(first).toMatchObject({ owner: "ben" });
  await noteBreakStep(workplace, { names: ["EXT-1"], note: "Asked who holds a key.", person: "mallory" });
  await settleStep(workplace, { names: ["EXT-1"], person: "carol", reason: "paid by the branch" });
  expect((await open()).map(({ reference }) => reference)).toEqual(["EXT-2"]);
  const [again] = await reopenBreakStep(workplace, {
    names: ["EXT-1"],
    person: "carol",
    reason: "it was not",
  });
  expect(await open()).toHaveLength(2);
  const [story] = await showBreakStep(workplace, again?.opening ?? "");
  expect(story?.latest).toMatchObject({ owner: "ben", payoutId: expect.any(String) });
  expect(story?.earlier).toMatchObject([{ person: "carol", reason: "paid by the branch" }]);
  expect(story?.notes.map(({ person, words }) => `${person}: ${words}`)).toEqual([
    "mallory: Asked who holds a key.",
    "carol: it was not",
  ]);
  expect(await auditStep(workplace)).toMatchObject({ unproven: [] });
});

test("above the limit a second controller confirms; the first cannot", async () => {
  const { workplace, open } = await deskWithStrangers(TWO_ABOVE);
  const decision = { names: ["EXT-1", "EXT-2"], reason: "paid by the branch" };
  const decided = await settleStep(workplace, { ...decision, person: "carol" });
  expect(decided.flatMap(({ proposed }) => proposed ?? [])).toMatchObject([{ person: "carol" }]);
  expect(await open()).toMatchObject([
    { reference: "EXT-1", proposed: { person: "carol", reason: "paid by the branch" } },
  ]);
  const alone = settleStep(workplace, { ...decision, names: ["EXT-1"], person: "carol" });
  await expect(alone).rejects.toMatchObject(refusal("SETTLEMENT_PROPOSED"));
  await settleStep(workplace, { names: ["EXT-1"], person: "mallory", reason: "I asked the branch" });
  expect(await open()).toEqual([]);
  const [story] = await showBreakStep(workplace, "EXT-1");
  expect(story?.latest).toMatchObject({ person: "carol", second: "mallory", reason: "paid by the branch" });
  expect(await auditStep(workplace)).toMatchObject({ unproven: [] });
});

test("what was proposed holds for what was shown: once the break says something else, it is proposed afresh", async () => {
  const { shown, night, workplace } = await scriptedNights({ settings: TWO_ABOVE });
  shown.balance = OPENING + 0.5;
  await night();
  const settle = (person: string) =>
    settleStep(workplace, { names: ["treasury-btc"], person, reason: "known" });
  await settle("tess");
  shown.balance = OPENING + 0.75;
  const [changed] = (await night()).breaks;
  expect(changed).not.toHaveProperty("proposed");
  await settle("ann");
  expect((await night()).breaks).toMatchObject([{ proposed: { person: "ann" } }]);
  await settle("tess");
  expect((await night()).open).toEqual([]);
});

test("a settlement in the record of another break than the one that was signed for is unproven", async () => {
  const desk = await deskWithStrangers();
  await settleStep(desk.workplace, { names: ["EXT-1"], person: "carol", reason: "paid by the branch" });
  await alter(desk, () =>
    run(sql`update audit set subject = 'EXT-2', detail = replace(detail, 'BR-', 'BR-1')
    where action = 'settle break'`),
  );
  const { unproven } = await auditStep(desk.workplace);
  expect(unproven).toMatchObject([{ action: "settle break", subject: "EXT-2", person: "carol" }]);
});

test("`explain` answers for a break by its number, and for a journal entry by the payout that it books", async () => {
  const { workplace } = await deskWithStrangers();
  const [{ opening = "", id = "", payoutId = "" } = {}] = (
    await breaksStep(workplace, { kind: "unexpected" })
  ).open;
  await noteBreakStep(workplace, { names: [opening.toLowerCase()], note: "asked", person: "carol" });
  for (const name of [opening, opening.toLowerCase(), id]) {
    const [story] = await explainNamedStep(workplace, name);
    expect(story).toMatchObject({ kind: "break", id, state: "open" });
    expect(story?.lines.map(({ who }) => who)).toEqual(["paydrop", "carol"]);
  }
  const entries = async () => {
    await trackStep(workplace);
    await ledgerExportStep(workplace);
    return workplace.store.read(() => listEntriesAbout([payoutId]));
  };
  await expect.poll(entries, { timeout: 10_000 }).not.toHaveLength(0);
  const [entry] = await entries();
  const [story] = await explainNamedStep(workplace, entry?.entryId ?? "");
  expect(story).toMatchObject({ kind: "payout", id: payoutId, entryIds: [entry?.entryId] });
});

test("an unknown break or owner and a person without the role get one sentence each, and nothing is decided", async () => {
  const { workplace, open } = await deskWithStrangers();
  const before = await open();
  const tried = [
    [() => settleStep(workplace, { names: ["EXT-9"], person: "carol", reason: "why" }), "NAME_UNKNOWN"],
    [
      () => settleStep(workplace, { names: ["EXT-1", "BR-999"], person: "carol", reason: "why" }),
      "NAME_UNKNOWN",
    ],
    [() => settleStep(workplace, { names: ["EXT-1"], person: "ben", reason: "why" }), "ROLE_LACKING"],
    [() => reopenBreakStep(workplace, { names: ["EXT-1"], person: "carol", reason: "why" }), "NAME_UNKNOWN"],
    [() => noteBreakStep(workplace, { names: ["EXT-1"], person: "ann", note: "why" }), "ROLE_LACKING"],
    [() => assignBreakStep(workplace, { names: ["EXT-1"], person: "carol", owner: "eve" }), "PERSON_UNKNOWN"],
    [() => assignBreakStep(workplace, { names: ["EXT-1"], person: "ben", owner: "ben" }), "ROLE_LACKING"],
    [() => showBreakStep(workplace, "EXT-9"), "NAME_UNKNOWN"],
  ] as const;
  for (const [decide, code] of tried) await expect(decide()).rejects.toMatchObject(refusal(code));
  expect(await open()).toEqual(before.map((each) => ({ ...each, age: expect.anything() })));
});
