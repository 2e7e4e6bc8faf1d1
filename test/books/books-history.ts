/**
 * Nights of the books at a site, from one seed: they post, export, read answers, close months and open them again, the
 * chart and the time zone change, values on suspense are mapped, and after each step the books' promises are checked.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import {
  answerStep,
  exportAgainStep,
  exportStep,
  ledgerStep,
  periodsStep,
  remapStep,
  reopenPeriodStep,
  settleHeldStep,
} from "../../src/books/index.ts";
import type { Workplace } from "../../src/index.ts";
import { type JournalEntry, lastDayOf, type Month, monthOf } from "../../src/model/index.ts";
import { listHeld } from "../../src/store/held.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { insertClosedPeriod } from "../../src/store/periods.ts";
import { listUnbookedIds } from "../../src/store/unposted.ts";
import { REPLACED } from "../nights/history.ts";
import type { Chance } from "../simulation/chance.ts";
import { postsTheSameInParts } from "./posted-in-parts.ts";

export const TARGET = "netsuite";
export const EXPORTS = {
  PAYDROP_LEDGER_EXPORTS:
    '[{ preset: netsuite, answers: { entry: "External ID", status: Result, reason: Message, ' +
    "posted: [ok], refused: [no] } }]",
};

/** GL accounts of payouts; the chart of the samples has lines for some of them. */
export const LEDGER_NAMES = ["Contractors", "Rent", "Travel"];
const ZONES = ["Europe/Madrid", "Asia/Tokyo", "America/New_York", "Pacific/Kiritimati"] as const;

/** What changes besides what the service shows, the ERP and the months. */
export interface Changes {
  readonly zones: boolean;
  readonly remaps: boolean;
}

export class Books {
  private readonly folder: string;
  private readonly chance: Chance;
  private readonly changes: Changes;
  private readonly workplace: Workplace;
  /** The company's, as the configuration says. */
  zone: string = ZONES[0];
  /** The posted entries, by id, and the issued files, by name. */
  private readonly posted = new Map<string, JournalEntry>();
  private readonly issued = new Map<string, string>();
  /** By entry: in how many files for the ERP it stands, and how often the ERP refused it before other answers. */
  private readonly handedOut = new Map<string, number>();
  private readonly refused = new Map<string, number>();
  private readonly final = new Set<string>();
  private closed: readonly Month[] = [];
  private handedOutBefore: ReadonlySet<string> = new Set();

  /** `open`: the workplace, under the time zone that it is given. */
  constructor(
    open: (zone: () => string) => Workplace,
    folder: string,
    chance: Chance,
    changes: Changes = { zones: false, remaps: false },
  ) {
    this.folder = folder;
    this.chance = chance;
    this.changes = changes;
    this.workplace = open(() => this.zone);
  }

  async night(): Promise<void> {
    if (this.chance.happens(0.2)) this.changeChart();
    await postsTheSameInParts(this.workplace);
    await this.keepsWhatWasPosted();
    if (this.changes.zones && this.chance.happens(0.3)) await this.changesNoEntry(() => this.changeZone());
    if (this.changes.remaps && this.chance.happens(0.4)) await this.changesNoEntry(() => this.mapOne());
    if (this.changes.remaps && this.chance.happens(0.4)) await this.remap();
    if (this.chance.happens(0.3)) await this.settleOne();
    if (this.chance.happens(0.6)) await this.exportDue();
    if (this.chance.happens(0.6)) await this.answerSome();
    if (this.chance.happens(0.4)) await this.closeOrReopen();
    await this.issuesTheSameBytesAgain();
    await postsTheSameInParts(this.workplace);
  }

  /**
   * An entry stays as it was posted; only one that was not yet issued may go to another day. A new entry has the day of
   * its movement in the company's time zone, none is in a closed month, and none books a transaction that was replaced.
   */
  async keepsWhatWasPosted(): Promise<void> {
    const closedThrough = this.closed.map((month) => lastDayOf(month)).at(-1) ?? "";
    const all = await this.entries();
    expect(all.length).toBeGreaterThanOrEqual(this.posted.size);
    for (const entry of all) {
      const before = this.posted.get(entry.entryId);
      if (before === undefined) {
        expect(entry.bookDay > closedThrough, entry.entryId).toBe(true);
        if (entry.reversalOf === undefined)
          expect(entry.documentDay, entry.entryId).toBe(dayThere(this.zone, entry.valueInstant));
      } else if (entry.bookDay !== before.bookDay)
        expect(this.handedOutBefore.has(entry.entryId)).toBe(false);
      if (before !== undefined) expect(entry).toEqual({ ...before, bookDay: entry.bookDay });
      expect(entry.txHash, entry.entryId).not.toBe(REPLACED);
      this.posted.set(entry.entryId, entry);
    }
    this.handedOutBefore = new Set(this.handedOut.keys());
  }

  private async entries(): Promise<readonly JournalEntry[]> {
    const all = await this.workplace.store.read(() => listEntriesAfter(0, 10_000));
    return all.map(({ entry }) => entry);
  }

  /** What is posted stays, whatever the configuration says since. */
  private async changesNoEntry(change: () => void): Promise<void> {
    change();
    expect((await ledgerStep(this.workplace)).posted).toBe(0);
  }

  private changeZone(): void {
    this.zone = this.chance.pick(ZONES);
  }

  private changeChart(): void {
    const code = `16${this.chance.between(10, 99)}`;
    this.rewriteChart((text) => text.replace(/(treasury,treasury-btc,.*,)\d+(,)/, `$1${code}$2`));
  }

  /** A line for a value of suspense. */
  private mapOne(): void {
    const [name = "", ...others] = LEDGER_NAMES.filter((each) => !this.chart().includes(`gl,${each},`));
    if (name !== "")
      this.rewriteChart((text) => `${text}gl,${name},,,,690${others.length},expenses:${name}\n`);
  }

  private rewriteChart(change: (text: string) => string): void {
    writeFileSync(this.workplace.config.ledger.chart, change(this.chart()));
  }

  private chart(): string {
    return readFileSync(this.workplace.config.ledger.chart, "utf8");
  }

  /** Mapped values leave suspense, each entry by its mirror and a new one, and no treasury moves. */
  private async remap(): Promise<void> {
    const before = await this.entries();
    await remapStep(this.workplace, { person: "tess" });
    const after = await this.entries();
    const fresh = after.slice(before.length);
    const reversals = fresh.filter(({ reversalOf }) => reversalOf !== undefined);
    expect(fresh.length).toBe(2 * reversals.length);
    expect(treasuryOf(after)).toEqual(treasuryOf(before));
    const unbooked = new Set(await this.workplace.store.read(() => listUnbookedIds()));
    const reversed = new Set(after.flatMap(({ reversalOf }) => reversalOf ?? []));
    for (const entry of after) {
      if (entry.reversalOf !== undefined || reversed.has(entry.entryId) || unbooked.has(entry.sourceId))
        continue;
      for (const name of LEDGER_NAMES.filter((each) => this.chart().includes(`gl,${each},`)))
        expect(JSON.stringify(entry.questions ?? [])).not.toContain(`GL account \\"${name}\\"`);
    }
    await this.keepsWhatWasPosted();
    expect((await ledgerStep(this.workplace)).posted).toBe(0);
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
    writeFileSync(path, answerText(rows));
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

export function answerText(rows: readonly (readonly [id: string, verdict: string])[]): string {
  const lines = rows.map(([id, verdict]) => `${id},${verdict},because\n`);
  return `External ID,Result,Message\n${lines.join("")}never-handed-out,ok,\n`;
}

/** The ids of the entries in a file for NetSuite, each once. */
export function idsIn(text: string): ReadonlySet<string> {
  const [, ...rows] = text.trim().split("\n");
  return new Set(rows.map((row) => row.slice(0, row.indexOf(","))));
}

/** By the platform's calendar, not by ours. */
function dayThere(timeZone: string, instant: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(new Date(instant));
}

/** By treasury, the satoshis of all entries. */
function treasuryOf(entries: readonly JournalEntry[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { lines } of entries)
    for (const { accountKey, quantity } of lines) {
      if (quantity === undefined || !accountKey.startsWith("treasury:")) continue;
      const satoshis = BigInt(Math.round(Number(quantity.value.toString()) * 1e8));
      sums.set(accountKey, (sums.get(accountKey) ?? 0n) + satoshis);
    }
  return sums;
}
