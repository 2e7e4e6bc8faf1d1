/**
 * Nights go by, short and full, while differences of every kind are planted, heal and grow old. A short night never
 * reports a difference that does not exist. After any such history one full night finds exactly what full nights
 * alone would have found.
 */
import { expect, test } from "vitest";
import { DAY_MS, shifted } from "../../../src/model/index.ts";
import { reconcileStep } from "../../../src/nights/index.ts";
import { Chance } from "../../simulation/chance.ts";
import { byClock } from "../../site/service.ts";
import { FEE_LIMIT, openPlanted } from "./open-planted.ts";
import type { Element, Paging } from "./planted-service.ts";

const PAYMENTS = 150;
const NIGHTS = 9;
const FIRST_DAY = 40;

/** A service may drop elements that ended a day ago. */
const DROPPED = ["not shown"];

test("nights, short and full, end in the register that a full one finds", async () => {
  const seed = Number(process.env["PLANTED_SEED"] ?? 1);
  const chance = new Chance(seed);
  const { service, workplace, world } = await openPlanted(chance, PAYMENTS, {
    PAYDROP_PAGING_SIZE: "7",
    PAYDROP_RECONCILIATION_WATCH_DAYS: "1",
    ...FEE_LIMIT,
  });
  const begin = workplace.context.clock.now();
  const createdAt = new Map<unknown, string>();
  /** An element that is shown for the first time is new, or appears long after it was created. */
  const dated = (elements: readonly Element[], day: number, ofOld: (index: number) => number) =>
    elements.map((element, index) => {
      const id = element["payoutId"] ?? element["depositId"];
      const isLate = day > 0 && chance.happens(0.1);
      const createdDate =
        createdAt.get(id) ?? shifted(begin, (day === 0 || isLate ? ofOld(index) : day - 0.5) * DAY_MS);
      createdAt.set(id, createdDate);
      return { ...element, createdDate };
    });
  const kinds: string[] = [];
  const night = async (day: number, full: boolean, isSorted: boolean, isPlanting: boolean) => {
    const { planted, expected } = isPlanting ? world.night(chance, 4, DROPPED) : world.honestNight();
    const paging: Paging = { sizeMax: 500, isShuffled: false, isSorted, moves: false, miscount: 0 };
    service.show(
      {
        ...planted,
        payouts: dated(planted.payouts, day, (index) => index - 300),
        deposits: dated(planted.deposits, day, (index) => index - 300),
      },
      paging,
    );
    const at = shifted(begin, day * DAY_MS);
    const { look, openBreaks, incomplete } = await reconcileStep(
      byClock(workplace, () => at),
      { full },
    );
    kinds.push(look.kind);
    const found = openBreaks.map(
      ({ kind, payoutId, depositId, custodyAccountId }) =>
        `${kind} ${payoutId ?? depositId ?? custodyAccountId}`,
    );
    return { found: found.sort(), expected, incomplete, isShort: look.kind === "short" };
  };
  await night(0, true, true, false);
  await night(FIRST_DAY, true, true, false);
  for (let day = FIRST_DAY + 1; day <= FIRST_DAY + NIGHTS; day += 1) {
    const about = `day ${day} of PLANTED_SEED=${seed}`;
    const { found, expected, incomplete, isShort } = await night(
      day,
      chance.happens(0.1),
      chance.happens(0.9),
      chance.happens(0.6),
    );
    expect(incomplete, about).toBeUndefined();
    if (isShort) expect(expected, about).toEqual(expect.arrayContaining(found));
    else expect(found, about).toEqual(expected);
  }
  expect(kinds, `PLANTED_SEED=${seed}`).toContain("short");
  const last = await night(FIRST_DAY + NIGHTS + 1, true, true, true);
  expect(last.found, `PLANTED_SEED=${seed}`).toEqual(last.expected);
});
