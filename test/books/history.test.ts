/**
 * The books' promises hold after any history: receipts come, move, change and vanish, transactions are replaced; nights
 * pass on which the ERP answers, refuses or contradicts itself, months are closed and opened again, the chart, the time
 * zone and the clock change, values on suspense are mapped, held movements are settled and files are lost. `npm run
 * test:histories` runs more histories, new ones each time.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  answerStep,
  closePeriodStep,
  exportStep,
  ledgerExportStep,
  ledgerStep,
  remapStep,
  settleHeldStep,
} from "../../src/books/index.ts";
import type { Workplace } from "../../src/index.ts";
import { DAY_MS, shifted } from "../../src/model/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { listHeld } from "../../src/store/held.ts";
import { type Brings, History, settledSite } from "../nights/history.ts";
import { IS_ON_POSTGRES } from "../postgres.ts";
import { Chance } from "../simulation/chance.ts";
import { altered, inTwoSteps } from "../site/meanwhile.ts";
import { depositOf, OPENING, RATE, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { byClock } from "../site/service.ts";
import { IS_WHOLE, sliceOf } from "../slice.ts";
import { answerText, Books, type Changes, EXPORTS, idsIn, LEDGER_NAMES, TARGET } from "./books-history.ts";
import { type Command, carriedOut, type Scene } from "./stopped.ts";

const SEEDS = Number(process.env["HISTORY_SEEDS"] ?? 1);
const NIGHTS = 9;

/** Around midnight in Madrid, also where its clocks change, and where a month ends. */
const NEAR_MIDNIGHT = [
  "2026-10-24T21:59:59.999Z",
  "2026-10-24T22:00:00.000Z",
  "2026-10-25T22:30:00.000Z",
  "2026-10-25T23:00:00.000Z",
  "2026-10-31T22:59:59.000Z",
  "2026-10-31T23:30:00.000Z",
  "2026-11-20T12:10:00.000Z",
];

type Through = (workplace: Workplace) => Workplace;

interface Life {
  readonly brings: Brings;
  readonly changes?: Changes;
  readonly names?: readonly string[];
  /** Whether the clock is set back now and then. */
  readonly setBack?: boolean;
}

const EVERYTHING: Life = {
  brings: {
    rate: RATE,
    confirmedAt: (now) => [...NEAR_MIDNIGHT, now],
    ledgerNames: LEDGER_NAMES,
    replaced: true,
  },
  changes: { zones: true, remaps: true },
  names: LEDGER_NAMES,
  setBack: true,
};

/** Of the histories that were found before there was more. */
const FORMER: Life = { brings: { rate: RATE } };

/** Throws if a history breaks a promise of the books. `through`: a layer between the workplace and its store. */
async function booksHold(
  seed: number,
  through: Through = (workplace) => workplace,
  life: Life = EVERYTHING,
): Promise<void> {
  const { nextNight } = await begun(seed, through, life);
  for (let night = 0; night < NIGHTS; night += 1) await nextNight();
}

async function begun(seed: number, through: Through, { brings, changes, names, setBack = false }: Life) {
  const { swept, payouts, ...place } = await settledSite(EXPORTS, names);
  const { workplace, folder } = place;
  let now = workplace.context.clock.now();
  let here = workplace;
  const chance = new Chance(seed);
  const open = (zone: () => string) => {
    here = through(
      inZone(
        byClock(workplace, () => now),
        zone,
      ),
    );
    return here;
  };
  const books = new Books(open, folder, chance, changes);
  const nights = new History(here, payouts, swept, seed, brings);
  const passDays = () => {
    const days = setBack && chance.happens(0.3) ? chance.between(-5, -2) : chance.between(1, 20);
    now = shifted(now, days * DAY_MS);
  };
  const nextNight = async () => {
    passDays();
    await nights.night();
    await books.night();
  };
  return { place, nights, books, now: () => now, nextNight };
}

/** The same place with another time zone in its configuration. */
function inZone(workplace: Workplace, zone: () => string): Workplace {
  const ledger = { ...workplace.config.ledger };
  Object.defineProperty(ledger, "timeZone", { get: zone, enumerable: true });
  const view = { ...workplace, config: { ...workplace.config, ledger } };
  return { ...view, underKeys: [view] };
}

const FOUND_LONG_AGO = [
  // A payout that is not booked, since it is older than the baseline, pays into an account of one's own.
  17_426_965,
  // A duplicate lists a deposit's receipt too, which turns out to be the receiving side of an own transfer.
  500_245,
  // A transfer that only a deposit's address tells of, and no deposit lists its receipt.
  1_795_970_737,
];
const first = process.env["HISTORY_SEED"];
const seeds = Array.from({ length: SEEDS }, (_, index) => Number(first ?? 1) + index);

test.each(seeds)("HISTORY_SEED=%i", (seed) => booksHold(seed));

if (first === undefined && IS_WHOLE)
  test.each(FOUND_LONG_AGO)("found long ago: %i", (seed) => booksHold(seed, undefined, FORMER));

/** Carries them out in a transaction of their own. */
const inTwo =
  (text: RegExp): Through =>
  (workplace) =>
    inTwoSteps(workplace, text);

interface Violation {
  readonly rule: string;
  readonly through: Through;
  readonly redSeed: number;
}

/** Spoils statements of the store, or drops them. */
const spoilt =
  (text: RegExp, instead?: (text: string) => string): Through =>
  (workplace) =>
    altered(workplace, text, instead);

const VIOLATIONS: readonly Violation[] = [
  {
    rule: "nothing new is booked in a closed month",
    through: spoilt(/^select max\(month\) as month from closed_period/),
    redSeed: 1,
  },
  {
    rule: "what the ERP refused is handed to it again",
    through: spoilt(/^update exported_entry set freed_at/),
    redSeed: 1,
  },
  {
    rule: "what the ERP posted is handed to it once",
    through: spoilt(/^insert into erp_answer/),
    redSeed: 1,
  },
  {
    rule: "an entry has its day in the company's time zone",
    through: (workplace) => inZone(workplace, () => "UTC"),
    redSeed: 1,
  },
  {
    rule: "what the chart maps leaves suspense when a person decides so",
    through: spoilt(/^select seq, body, posted_at from entry\s+where instr/),
    redSeed: 1,
  },
  {
    rule: "a changed chart or time zone books nothing by itself",
    through: spoilt(/^select body from entry\s+where source_id/, (text) =>
      text.replace(
        "body",
        `replace(replace(body, '"contentHash":"', '"contentHash":"0'), '"accountKey":"suspense"', '"accountKey":"was"') as body`,
      ),
    ),
    redSeed: 1,
  },
  {
    rule: "a clock that is set back makes nothing booked look unsettled",
    through: spoilt(/^update posted_so_far set posted_at/),
    redSeed: 5,
  },
  {
    rule: "a replaced transaction is not booked",
    through: spoilt(/^select sighting\.\*/, (text) =>
      text.replace(
        "sighting.*",
        'sighting.*, replace(sighting.raw, \'"state":"UNCONFIRMED"\', ' +
          '\'"state":"CONFIRMED","confirmedDate":"2026-11-20T12:10:00.000Z"\') as raw',
      ),
    ),
    redSeed: 1,
  },
];

const OTHER_SEEDS = [2, 3, 4, 6, 7, 8, 9, 10, 11, 12];

describe("a history turns red where it does not hold that", () => {
  test.each(sliceOf(VIOLATIONS, 8))("$rule", async ({ through, redSeed }) => {
    // Histories begin today, so that on another day another seed may be the red one.
    for (const seed of [redSeed, ...OTHER_SEEDS]) if (await isRed(seed, through)) return;
    expect.fail("no seed turns red");
  });

  const isRed = (seed: number, through: Through) =>
    booksHold(seed, through).then(
      () => false,
      () => true,
    );
});

/** The suite stops at some steps. */
const STOPS: Stops = first === undefined ? { first: 5, every: IS_WHOLE ? 16 : 80 } : { first: 1, every: 1 };

/** Nights of a history, and then what is booked, settled, mapped, exported, answered and exported again. */
async function sceneOfNight(seed: number): Promise<Scene> {
  const life = { ...EVERYTHING, brings: { ...EVERYTHING.brings, posts: false } };
  const { place, nights, now, nextNight } = await begun(seed, (workplace) => workplace, {
    ...life,
    changes: { zones: false, remaps: false },
  });
  for (let night = 0; night < 3; night += 1) await nextNight();
  await nights.night();
  appendFileSync(place.workplace.config.ledger.chart, "gl,Rent,,,,6901,expenses:rent\n");
  const answer = answering((index) => (index % 3 === 0 ? "no" : "ok"));
  const commands = [ledgerStep, settleAll, remapAll, ledgerExportStep, answer, ledgerExportStep];
  return { ...place, now: shifted(now(), 3_600_000), commands };
}

const remapAll: Command = (workplace) => remapStep(workplace, { person: "tess" });

const settleAll: Command = async (workplace) => {
  const now = workplace.context.clock.now();
  const held = (await workplace.store.read(() => listHeld())).filter(
    ({ settledAt = now }) => settledAt === now,
  );
  const names = [...new Set(held.map(({ id }) => id))].sort().slice(0, 2);
  if (names.length > 0) await settleHeldStep(workplace, { names, person: "tess", reason: "booked by hand" });
};

/** The ERP's answers to all files that it was handed. */
function answering(verdictOf: (index: number) => string): Command {
  return async (workplace) => {
    const { ledger, inbox } = workplace.config.folders;
    const files = readdirSync(ledger).filter((name) => name.endsWith(`-${TARGET}.csv`));
    const ids = files.flatMap((name) => [...idsIn(readFileSync(join(ledger, name), "utf8"))]);
    const path = join(inbox, "..", "answer.csv");
    writeFileSync(path, answerText([...new Set(ids)].map((id, index) => [id, verdictOf(index)])));
    await answerStep(workplace, path, TARGET);
  };
}

/** A month is over, and what was received in it is booked, exported, answered and closed. */
async function sceneOfMonthEnd(): Promise<Scene> {
  const { shown, workplace, folder, environment } = await scriptedNights({ settings: EXPORTS });
  const at = { createdDate: "2031-04-20T11:00:00.000Z", confirmedDate: "2031-04-20T12:00:00.000Z" };
  shown.deposits = [0.5, 0.25].map((amount, index) =>
    depositOf(`6f1cbb7e-0000-4000-8000-0000000000a${index}`, [receiptOf(`b${index}`, amount, at)]),
  );
  shown.balance = OPENING + 0.75;
  await reconcileStep(byClock(workplace, () => "2031-05-01T10:00:00.000Z"));
  const close: Command = async (there) => {
    const { points, isClosed } = await closePeriodStep(there, { month: "2031-04", person: "tess" });
    expect(isClosed, JSON.stringify(points)).toBe(true);
  };
  const commands = [ledgerStep, exportStep, answering(() => "ok"), close];
  return { workplace, folder, environment, now: "2031-05-02T10:00:00.000Z", commands };
}

interface Stops {
  readonly first: number;
  readonly every: number;
  readonly last?: number;
}

/** Throws where another end comes out than without a stop. Returns how many steps there are. */
async function endsAsUndisturbed(
  scene: Scene,
  { first: from, every, last = Number.POSITIVE_INFINITY }: Stops,
  through: Through = (workplace) => workplace,
): Promise<number> {
  const undisturbed = { taken: 0 };
  const expected = await carriedOut(scene, undisturbed, through);
  for (let stop = from; stop <= Math.min(undisturbed.taken, last); stop += every)
    expect(await carriedOut(scene, { taken: 0, stop }, through), `stopped at ${stop}`).toEqual(expected);
  return undisturbed.taken;
}

describe.skipIf(IS_ON_POSTGRES)(
  "stopped between two writes, and repeated, the books end as undisturbed",
  () => {
    test.each(seeds.slice(0, 1))("a night of HISTORY_SEED=%i", async (seed) => {
      expect(await endsAsUndisturbed(await sceneOfNight(seed), STOPS)).toBeGreaterThan(40);
    });

    test("the end of a month", async () => {
      expect(await endsAsUndisturbed(await sceneOfMonthEnd(), STOPS)).toBeGreaterThan(20);
    });
  },
);

describe.skipIf(IS_ON_POSTGRES)("a stop turns red where it does not hold that", () => {
  const violations: readonly {
    readonly rule: string;
    readonly through: Through;
    readonly first: number;
  }[] = [
    {
      rule: "a batch that was begun is issued",
      through: spoilt(/^select id, target.*sealed_at is null$/s),
      first: 36,
    },
    {
      rule: "the files of a sealed batch get their names",
      through: spoilt(/^select id, target.*placed_at is null/s),
      first: 50,
    },
    {
      rule: "an entry and its sums are stored together",
      through: inTwo(/^insert into ledger_sum/),
      first: 18,
    },
    {
      rule: "an entry is stored with the end of its waiting",
      through: inTwo(/^insert into entry \(/),
      first: 17,
    },
    {
      rule: "an answer and what it frees are stored together",
      through: inTwo(/^update exported_entry set freed_at/),
      first: 73,
    },
  ];
  let scene: Promise<Scene> | undefined;

  test.each(sliceOf(violations, 6))("$rule", async ({ through, first: from }) => {
    scene ??= sceneOfNight(1);
    const stops = { first: from, every: 1, last: from + 2 };
    await expect(endsAsUndisturbed(await scene, stops, through)).rejects.toThrow(/stopped at/);
  });
});
