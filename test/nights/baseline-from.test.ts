/** A baseline from an earlier day: movements before it are in the opening balance; later ones are compared. */
import { expect, test } from "vitest";
import { DAY_MS, shifted } from "../../src/model/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { bookedBy } from "../site/booked-by.ts";
import { Stopped, stoppedAt } from "../site/meanwhile.ts";
import { depositOf, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { TREASURY } from "../site/service.ts";

const FROM = "2026-11-10";
const idOf = (name: string) => `6f1cbb7e-0000-4000-8000-0000000000${name}`;
const at = (day: string) => ({ createdDate: `${day}T12:00:00.000Z`, confirmedDate: `${day}T12:10:00.000Z` });

test("opens with the present balances less what has moved since, which is booked and ties", async () => {
  const { shown, workplace } = await scriptedNights();
  const [before, since, both] = [idOf("a1"), idOf("b1"), idOf("c1")];
  shown.deposits = [
    depositOf(before, [receiptOf("1", 0.5, at("2026-11-09"))], { createdDate: "2026-11-08T00:00:00.000Z" }),
    depositOf(since, [receiptOf("2", 0.25, at("2026-11-10"))], { createdDate: "2026-11-08T00:00:00.000Z" }),
    depositOf(both, [receiptOf("3", 0.125, at("2026-11-09")), receiptOf("4", 0.0625, at("2026-11-11"))]),
  ];
  shown.balance = OPENING + 0.5 + 0.25 + 0.125 + 0.0625;
  const { openings, depositsBefore, uncounted } = await baselineStep(workplace, "ann", FROM);
  const opened = openings.find(({ custodyAccountId }) => custodyAccountId === TREASURY);
  expect(opened?.total.value.toString()).toBe("5.625");
  // Midnight in Madrid.
  expect(opened?.observedAt).toBe("2026-11-09T23:00:00.000Z");
  expect({ depositsBefore, uncounted }).toEqual({ depositsBefore: 2, uncounted: 0 });
  const { balanceProof, openBreaks } = await reconcileStep(workplace);
  expect(balanceProof.map(({ ties, received }) => [ties, received.toString()])).toEqual([
    [true, "0.3125"],
    [true, "0"],
  ]);
  expect(openBreaks).toEqual([]);
  const { entries } = await bookedBy(workplace);
  expect([...new Set(entries.map(({ sourceId }) => sourceId))]).toEqual([since]);
});

test("one that is cut short at any write leaves the former balance proof as it was", async () => {
  const { shown, workplace } = await scriptedNights();
  shown.deposits = [depositOf(idOf("a1"), [receiptOf("1", 0.25, at("2026-11-10"))])];
  shown.balance = OPENING + 0.25;
  let isCutShort = true;
  for (let stop = 1; isCutShort; stop += 1) {
    const taking = baselineStep(stoppedAt(workplace, { taken: 0, stop }), "ann", FROM);
    const cut = await taking.then(
      () => undefined,
      (error: unknown) => error,
    );
    isCutShort = cut !== undefined;
    if (isCutShort) expect(cut).toBeInstanceOf(Stopped);
    const { openBreaks } = await reconcileStep(workplace);
    expect(
      openBreaks.filter(({ kind }) => kind === "balance"),
      `stopped at step ${stop}`,
    ).toEqual([]);
  }
});

test("a day to come is refused in one sentence; today is one from which a baseline can be taken", async () => {
  const { workplace } = await scriptedNights();
  const now = workplace.context.clock.now();
  const tomorrow = shifted(now, 2 * DAY_MS).slice(0, 10);
  await expect(baselineStep(workplace, "ann", tomorrow)).rejects.toMatchObject({
    problem: {
      code: "USAGE",
      message: expect.stringContaining(`from ${tomorrow} on cannot be taken yet: today is`),
    },
  });
  expect(await baselineStep(workplace, "ann", now.slice(0, 10))).toMatchObject({ uncounted: 0 });
});

test("a payout since then that no file asked for is an alarm; one from before is not", async () => {
  const { shown, workplace, night } = await scriptedNights({ pays: ["INV-1"] });
  const rest = { reference: "EXT", callbackUrl: "https://elsewhere.example/hook", sentFunds: undefined };
  shown.payout = {
    ...rest,
    payoutId: idOf("d1"),
    payoutState: "SENDING",
    createdDate: "2026-11-12T00:00:00.000Z",
  };
  await baselineStep(workplace, "ann", FROM);
  expect((await night()).open).toContain("unexpected");
  shown.payout = { ...shown.payout, createdDate: "2026-11-01T00:00:00.000Z" };
  await reconcileStep(workplace);
  await baselineStep(workplace, "ann", FROM);
  expect((await night()).open).not.toContain("unexpected");
});
