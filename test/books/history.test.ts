/**
 * The books' promises hold after any history: receipts come, move, change and vanish; nights pass on which the ERP
 * answers, refuses or contradicts itself, months are closed and opened again, the chart changes, held movements are
 * settled and files are lost. `npm run test:histories` runs more histories, new ones each time.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  answerStep,
  exportAgainStep,
  exportStep,
  periodsStep,
  reopenPeriodStep,
  settleHeldStep,
} from "../../src/books/index.ts";
import type { Workplace } from "../../src/index.ts";
import { DAY_MS, type JournalEntry, lastDayOf, type Month, monthOf, shifted } from "../../src/model/index.ts";
import { listHeld } from "../../src/store/held.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { insertClosedPeriod } from "../../src/store/periods.ts";
import { History, settledSite } from "../nights/history.ts";
import { Chance } from "../simulation/chance.ts";
import { altered } from "../site/meanwhile.ts";
import { RATE } from "../site/scripted-nights.ts";
import { byClock } from "../site/service.ts";
import { postsTheSameInParts } from "./posted-in-parts.ts";

const SEEDS = Number(process.env["HISTORY_SEEDS"] ?? 2);
const NIGHTS = 9;
const TARGET = "netsuite";
const EXPORTS = {
  PAYDROP_LEDGER_EXPORTS:
    '[{ preset: netsuite, answers: { entry: "External ID", status: Result, reason: Message, posted: [ok], refused: [no] } }]',
};

class Books {
  private readonly workplace: Workplace;
  private readonly folder: string;
  private readonly chance: Chance;
  /** The posted entries, by id, and the issued files, by name. */
  private readonly posted = new Map<string, JournalEntry>();
  private readonly issued = new Map<string, string>();
  /** By entry: in how many files for the ERP it stands, and how often the ERP refused it before other answers. */
  private readonly handedOut = new Map<string, number>();
  private readonly refused = new Map<string, number>();
  private readonly final = new Set<string>();
  private closed: readonly Month[] = [];
  private handedOutBefore: ReadonlySet<string> = new Set();

  constructor(workplace: Workplace, folder: string, chance: Chance) {
    this.workplace = workplace;
    this.folder = folder;
    this.chance = chance;
  }

  async night(): Promise<void> {
    if (this.chance.happens(0.2)) this.changeChart();
    await postsTheSameInParts(this.workplace);
    await this.keepsWhatWasPosted();
    if (this.chance.happens(0.3)) await this.settleOne();
    if (this.chance.happens(0.6)) await this.exportDue();
    if (this.chance.happens(0.6)) await this.answerSome();
    if (this.chance.happens(0.4)) await this.closeOrReopen();
    await this.issuesTheSameBytesAgain();
    await postsTheSameInParts(this.workplace);
  }

  /**
   * An entry stays as it was posted; only one that was not yet issued may go to another day. No new entry is in a
   * closed month.
   */
  private async keepsWhatWasPosted(): Promise<void> {
    const { store } = this.workplace;
    const closedThrough = this.closed.map((month) => lastDayOf(month)).at(-1) ?? "";
    const all = await store.read(() => listEntriesAfter(0, 10_000));
    expect(all.length).toBeGreaterThanOrEqual(this.posted.size);
    for (const { entry } of all) {
      const before = this.posted.get(entry.entryId);
      if (before === undefined) expect(entry.bookDay > closedThrough, entry.entryId).toBe(true);
      else if (entry.bookDay !== before.bookDay) expect(this.handedOutBefore.has(entry.entryId)).toBe(false);
      if (before !== undefined) expect(entry).toEqual({ ...before, bookDay: entry.bookDay });
      this.posted.set(entry.entryId, entry);
    }
    this.handedOutBefore = new Set(this.handedOut.keys());
  }

  private changeChart(): void {
    const { chart } = this.workplace.config.ledger;
    const text = readFileSync(chart, "utf8");
    const code = `16${this.chance.between(10, 99)}`;
    writeFileSync(chart, text.replace(/(treasury,treasury-btc,.*,)\d+(,)/, `$1${code}$2`));
  }

  private async settleOne(): Promise<void> {
    const held = await this.workplace.store.read(() => listHeld());
    const [one] = held.filter(({ settledAt }) => settledAt === undefined);
    if (one === undefined) return;
    await settleHeldStep(this.workplace, { names: [one.id], person: "tess", reason: "booked by hand" });
  }

  private async exportDue(): Promise<void> {
    for (const { target, files } of await exportStep(this.workplace))
      for (const path of files) {
        const text = readFileSync(path, "utf8");
        this.issued.set(path, text);
        if (target !== TARGET || !path.endsWith(".csv")) continue;
        for (const id of idsIn(text)) this.handedOut.set(id, (this.handedOut.get(id) ?? 0) + 1);
      }
    // One live batch for each entry: it is handed out once, and once more after each refusal.
    for (const [id, times] of this.handedOut) expect(times, id).toBe(1 + (this.refused.get(id) ?? 0));
  }

  private async answerSome(): Promise<void> {
    const ids = [...this.handedOut.keys()].filter(() => this.chance.happens(0.5));
    if (ids.length === 0) return;
    const rows = ids.map((id) => [id, this.chance.pick(["ok", "ok", "no"])] as const);
    const path = join(this.folder, "answer.csv");
    const lines = rows.map(([id, verdict]) => `${id},${verdict},because\n`);
    writeFileSync(path, `External ID,Result,Message\n${lines.join("")}never-handed-out,ok,\n`);
    await answerStep(this.workplace, path, TARGET);
    for (const [id, verdict] of rows) {
      const isAnswered = this.final.has(id) || (this.refused.get(id) ?? 0) >= (this.handedOut.get(id) ?? 0);
      if (isAnswered) continue;
      if (verdict === "ok") this.final.add(id);
      else this.refused.set(id, (this.refused.get(id) ?? 0) + 1);
    }
  }

  private async closeOrReopen(): Promise<void> {
    const { closedThrough, next } = await periodsStep(this.workplace);
    if (closedThrough !== undefined && this.chance.happens(0.3)) {
      const month = monthOf(closedThrough);
      await reopenPeriodStep(this.workplace, { month, person: "tess", reason: "an invoice was forgotten" });
      this.closed = this.closed.filter((each) => each < month);
      return;
    }
    const now = this.workplace.context.clock.now();
    if (next === undefined || lastDayOf(next) >= now.slice(0, 10)) return;
    await this.workplace.store.write(() =>
      insertClosedPeriod({ month: next, closedAt: now, closedBy: "tess", points: "[]" }),
    );
    this.closed = [...this.closed, next];
  }

  private async issuesTheSameBytesAgain(): Promise<void> {
    const [some, ...others] = this.issued.keys();
    if (some === undefined) return;
    const path = this.chance.pick([some, ...others]);
    rmSync(path);
    await exportAgainStep(this.workplace, Number.parseInt(basename(path), 10));
    expect(readFileSync(path, "utf8")).toBe(this.issued.get(path));
  }
}

/** The ids of the entries in a file for NetSuite, each once. */
function idsIn(text: string): ReadonlySet<string> {
  const [, ...rows] = text.trim().split("\n");
  return new Set(rows.map((row) => row.slice(0, row.indexOf(","))));
}

/** Throws if a history breaks a promise of the books. `through`: a layer between the workplace and its store. */
async function booksHold(seed: number, through: (workplace: Workplace) => Workplace): Promise<void> {
  const { workplace, folder, swept, payouts } = await settledSite(EXPORTS);
  let now = workplace.context.clock.now();
  const here = through(byClock(workplace, () => now));
  const chance = new Chance(seed);
  const nights = new History(here, payouts, swept, seed, { rate: RATE });
  const books = new Books(here, folder, chance);
  for (let night = 0; night < NIGHTS; night += 1) {
    now = shifted(now, chance.between(1, 20) * DAY_MS);
    await nights.night();
    await books.night();
  }
}

const FOUND_LONG_AGO = [
  // A payout that is not booked, since it is older than the baseline, pays into an account of one's own.
  17_426_965,
  // A duplicate lists a deposit's receipt too, which turns out to be the receiving side of an own transfer.
  500_245,
];
const first = process.env["HISTORY_SEED"];
const seeds = Array.from({ length: SEEDS }, (_, index) => Number(first ?? 1) + index);

test.each(first === undefined ? [...seeds, ...FOUND_LONG_AGO] : seeds)("HISTORY_SEED=%i", async (seed) => {
  await booksHold(seed, (workplace) => workplace);
});

interface Violation {
  readonly rule: string;
  /** The statements to spoil. */
  readonly text: RegExp;
  /** Replaces the statement; without it the statement is dropped. */
  readonly instead?: (text: string) => string;
  readonly redSeed: number;
}

const VIOLATIONS: readonly Violation[] = [
  {
    rule: "nothing new is booked in a closed month",
    text: /^select max\(month\) as month from closed_period/,
    redSeed: 1,
  },
  {
    rule: "what the ERP refused is handed to it again",
    text: /^update exported_entry set freed_at/,
    redSeed: 1,
  },
  {
    rule: "what the ERP posted is handed to it once",
    text: /^insert into erp_answer/,
    redSeed: 1,
  },
];

describe("a history turns red where it does not hold that", () => {
  test.each(VIOLATIONS)("$rule", async ({ text, instead, redSeed }) => {
    await expect(booksHold(redSeed, (workplace) => altered(workplace, text, instead))).rejects.toThrow();
  });
});
