/**
 * A random history of nights at a site, from one seed; after each, nights and books are compared with their
 * oracles.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  approveStep,
  type Environment,
  payStep,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import {
  type Break,
  custodyAccountId,
  type Instant,
  shifted,
  treasuryAccountOf,
} from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { absenceData, idsNotShown, KINDS, type SweptKeys, sweepKeys } from "../../src/nights/sweep-keys.ts";
import { DEPOSITS, PAYOUTS } from "../../src/observation/index.ts";
import { endSweep, listIdsAfter, noteAskedById } from "../../src/store/absent.ts";
import { recordBalance } from "../../src/store/balances.ts";
import {
  listOpenBreaks,
  listSettledBreaks,
  replaceOpenBreaks,
  settleBreaks,
} from "../../src/store/breaks.ts";
import { insertChange, recordChangeOutcome } from "../../src/store/changes.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { listSightingsAfter, markBeforeBaseline, recordSightings } from "../../src/store/observed.ts";
import { listUnbookedIds } from "../../src/store/unposted.ts";
import { deposit, parseJson, payout } from "../../src/wire/index.ts";
import { postsTheSameInParts } from "../books/posted-in-parts.ts";
import { Chance } from "../simulation/chance.ts";
import { comparedInParts } from "../site/all-at-once.ts";
import { ADDRESS, openSite, TREASURY } from "../site/service.ts";

const SAVINGS = "6f1cbb7e-0000-4000-8000-000000000002";
const ADDRESSES = ["bc1qfirstofours", "bc1qsecondofours"];

export const PAYMENTS = 8;
const NIGHTS = 7;
const LONG_AGO = "2026-01-01T00:00:00.000Z";

/** A transaction that another one replaces. */
export const REPLACED = "e".repeat(64);

type Element = Record<string, unknown>;

/** What a history brings. By default nothing of it can be booked, because it has no rate. */
export interface Brings {
  /** Of every movement. */
  readonly rate?: Element;
  /** When movements are confirmed. */
  readonly confirmedAt?: (now: Instant) => readonly Instant[];
  /** Payouts to these GL accounts. */
  readonly ledgerNames?: readonly string[];
  /** Transactions that are listed beside the unconfirmed one that they replace. */
  readonly replaced?: boolean;
  /** False: the nights leave posting to the books. */
  readonly posts?: boolean;
  /**
   * A service that shows but a few now and then, denies or doubts them by id, moves receipts, and spells ids in
   * capitals; and people who settle breaks and find the answers to creations of deposits.
   */
  readonly misbehaves?: boolean;
}

/** Lives through nights; throws at the first difference. `through`: what stands between the nights and their store. */
export async function nightsAgree(
  seed: number,
  through: (workplace: Workplace) => Workplace,
  brings: Brings = {},
): Promise<void> {
  const { workplace, swept, payouts } = await settledSite();
  const history = new History(through(workplace), payouts, swept, seed, brings);
  for (let night = 0; night < NIGHTS; night += 1) await history.night();
}

/** A history of nights at a site, from one seed. */
export class History {
  private readonly workplace: Workplace;
  private readonly payouts: Element[];
  private readonly deposits: Element[] = [];
  private readonly chance: Chance;
  private readonly brings: Brings;
  /** The deposits that our creations have made. */
  private readonly answered = new Set<unknown>();
  private swept: SweptKeys;

  constructor(workplace: Workplace, payouts: Element[], swept: SweptKeys, seed: number, brings: Brings = {}) {
    this.workplace = workplace;
    this.brings = brings;
    this.payouts = payouts;
    this.swept = swept;
    this.chance = new Chance(seed);
  }

  async night(): Promise<void> {
    const { store } = this.workplace;
    const { misbehaves = false } = this.brings;
    this.swept = {
      ...this.swept,
      begunAt: shifted(this.swept.begunAt, 1_000 * (1 + this.below(3))),
      absent: new Set(!misbehaves && this.below(3) === 0 ? [this.idOf(this.one(this.payouts))] : []),
    };
    for (let change = this.below(4); change > 0; change -= 1) this.change();
    const at = this.swept.begunAt;
    const shownOfFive = misbehaves && this.below(4) === 0 ? 2 : 4;
    const seenAgain = (all: readonly Element[]) => all.filter(() => this.below(5) > 4 - shownOfFive);
    const payouts = seenAgain(this.payouts).map((element) => {
      const raw = this.textOf(element);
      return { ...PAYOUTS.sightingOf(payout.parse(parseJson(raw))), raw };
    });
    const deposits = seenAgain(this.deposits).map((element) => {
      const raw = this.textOf(element);
      return { ...DEPOSITS.sightingOf(deposit.parse(parseJson(raw))), raw };
    });
    await store.write(() => recordSightings("payout", payouts, at));
    await store.write(() => recordSightings("deposit", deposits, at));
    for (const [kind, seen] of [["payout", payouts] as const, ["deposit", deposits] as const]) {
      const missing = await endSweepOf(store, kind, seen, at);
      const absent = missing.filter((id) => this.swept.absent.has(id));
      await store.write(() => noteAskedById(kind, absent));
    }
    if (misbehaves) await this.askForAbsent();
    if (this.below(6) === 0) {
      const old = this.idOf(this.one(this.payouts));
      await store.write(() => markBeforeBaseline("payout", [old], "set aside"));
    }
    const breaks = await comparedInParts(this.workplace, this.swept);
    expect(untiedIn(breaks)).toEqual(await bookedByAddressAlone(this.workplace));
    await store.write(() => replaceOpenBreaks(breaks, at));
    const open = await store.read(() => listOpenBreaks());
    const settled = await store.read(() => listSettledBreaks());
    expect([...open, ...settled].map(({ id }) => id).sort()).toEqual(breaks.map(({ id }) => id).sort());
    const posts = this.below(3) > 0 && this.brings.posts !== false;
    if (posts) await postsTheSameInParts(this.workplace);
    if (misbehaves) await this.decide();
  }

  private textOf(element: Element): string {
    const { payoutId, depositId, accountId } = element;
    const isLoud = this.brings.misbehaves === true && this.below(5) === 0;
    const loud = Object.entries({ payoutId, depositId, accountId }).flatMap(([name, id]) =>
      typeof id === "string" ? [[name, id.toUpperCase()] as const] : [],
    );
    return JSON.stringify(isLoud ? { ...element, ...Object.fromEntries(loud) } : element);
  }

  /** Asks by id as a night does; the service denies most of them, and contradicts itself about some. */
  private async askForAbsent(): Promise<void> {
    const { store } = this.workplace;
    const absence = await store.read(() => absenceData());
    this.swept = { ...this.swept, ...absence };
    const absent = new Set<string>();
    for (const kind of KINDS) {
      const { ids, leftOut } = await idsNotShown(store, kind, [], this.swept);
      const denied = ids.filter(() => this.below(4) > 0);
      await store.write(() => noteAskedById(kind, denied));
      for (const id of denied) if (!leftOut.includes(id)) absent.add(id);
      const sweep = kind === "payout" ? "payoutSweep" : "depositSweep";
      const complete = denied.length === ids.length;
      this.swept = { ...this.swept, [sweep]: { ...this.swept[sweep], complete } };
    }
    this.swept = { ...this.swept, absent };
  }

  private change(): void {
    const changes = [
      () => this.showPayoutWith({ payoutState: this.oneOf(["COMPLETED", "SENT", "FAILED", "CANCELLED"]) }),
      () => this.showPayoutWith({ sentFunds: [this.funds()] }),
      () => this.showPayoutWith({ sentFunds: this.fundsOfAnother(this.payouts, "sentFunds") }),
      () => this.showPayoutWith({ reference: this.one(this.payouts)["reference"] }),
      () => this.showPayoutWith({ callbackUrl: this.one(this.payouts)["callbackUrl"] }),
      () => this.showPayoutWith({ destinationAccountId: SAVINGS }),
      () => this.showPayoutWith({ destinationAddress: this.oneOf(ADDRESSES) }),
      () => this.showDepositWith({ receiverAddress: this.oneOf(ADDRESSES) }),
      () => void this.payouts.push({ ...this.one(this.payouts), payoutId: this.newId("e") }),
      () => void this.payouts.push({ ...this.payouts[0], payoutId: this.newId("e"), reference: "OTHER" }),
      () => this.showDepositWith({}),
      () => this.showDepositWith({ receivedFunds: this.fundsOfAnother(this.payouts, "sentFunds") }),
      () => this.showDepositWith({ receivedFunds: this.fundsOfAnother(this.deposits, "receivedFunds") }),
      () => this.showDepositWith({ duplicatedFromDepositId: this.deposits[0]?.["depositId"] }),
      () => this.showDepositWith({ depositState: this.oneOf(["EXPIRED", "COMPLETED", "VOID"]) }),
      ...this.moreChanges(),
    ];
    this.oneOf(changes)();
  }

  /** Between two nights. */
  private async decide(): Promise<void> {
    const { store } = this.workplace;
    const at = this.swept.begunAt;
    const open = await store.read(() => listOpenBreaks());
    if (open.length > 0 && this.below(3) === 0)
      await store.write(() =>
        settleBreaks([this.oneOf(open)], { settledAt: at, person: "ann", reason: "known" }),
      );
    const asked = this.deposits.find(({ depositId }) => !this.answered.has(depositId));
    if (asked === undefined || this.below(3) > 0) return;
    this.answered.add(asked["depositId"]);
    await store.write(() => answerCreation(String(asked["depositId"]), TREASURY, "", at));
  }

  private moreChanges(): (() => void)[] {
    const { ledgerNames = [], replaced = false, misbehaves = false } = this.brings;
    const named = () => this.showPayoutWith({ generalLedgerName: this.oneOf(ledgerNames) });
    const bumped = () => {
      const paid = this.one(this.payouts);
      const [funds = this.funds()] = this.fundsOfAnother([paid], "sentFunds") as Element[];
      this.payouts[this.payouts.indexOf(paid)] = { ...paid, sentFunds: this.replacing(funds) };
    };
    return [
      ...(ledgerNames.length > 0 ? [named] : []),
      ...(misbehaves ? [() => this.moveReceipts()] : []),
      ...(replaced
        ? [bumped, () => this.showDepositWith({ receivedFunds: this.replacing(this.funds()) })]
        : []),
    ];
  }

  private moveReceipts(): void {
    if (this.deposits.length < 2) return;
    const from = this.below(this.deposits.length);
    const to = this.below(this.deposits.length);
    const { receivedFunds } = this.deposits[from] ?? {};
    this.deposits[from] = { ...this.deposits[from], receivedFunds: [] };
    this.deposits[to] = { ...this.deposits[to], receivedFunds };
  }

  /** The same movement in a transaction that was replaced, and in another one. */
  private replacing(funds: Element): readonly Element[] {
    const {
      confirmedDate: _,
      transactionId: _id,
      ...others
    }: Element = {
      ...this.funds(),
      amount: funds["amount"],
    };
    return [{ ...others, txHash: REPLACED, state: "UNCONFIRMED" }, funds];
  }

  private showPayoutWith(changes: Element): void {
    const at = this.below(this.payouts.length);
    this.payouts[at] = { ...this.payouts[at], ...changes };
  }

  /** Of an existing deposit in every second case. */
  private showDepositWith(changes: Element): void {
    const isNew = this.deposits.length === 0 || this.below(2) === 0;
    const at = isNew ? this.deposits.length : this.below(this.deposits.length);
    const made = { depositId: this.newId("d"), accountId: this.oneOf([TREASURY, SAVINGS]) };
    const before = isNew ? { ...made, depositState: "COMPLETED", receivedFunds: [this.funds()] } : {};
    this.deposits[at] = { ...before, ...this.deposits[at], ...changes };
  }

  private funds(): Element {
    const isConfirmed = this.below(3) > 0;
    return {
      txHash: String(this.below(4)).repeat(64),
      ...(this.below(2) === 0 && { transactionId: `T-${this.below(4)}` }),
      amount: { currency: "BTC", amount: 0.01 * (1 + this.below(2)) },
      fee: { currency: "BTC", amount: 0.0001 },
      ...(this.brings.rate !== undefined && { rate: this.brings.rate }),
      ...this.moved(isConfirmed),
      state: isConfirmed ? "CONFIRMED" : "UNCONFIRMED",
    };
  }

  private moved(isConfirmed: boolean): Element {
    const { confirmedAt } = this.brings;
    if (confirmedAt !== undefined) {
      const at = this.oneOf(confirmedAt(this.workplace.context.clock.now()));
      return { createdDate: shifted(at, -600_000), ...(isConfirmed && { confirmedDate: at }) };
    }
    return {
      createdDate: "2026-11-20T12:00:00.000Z",
      ...(isConfirmed && { confirmedDate: "2026-11-20T12:10:00.000Z" }),
    };
  }

  private fundsOfAnother(all: readonly Element[], member: string): unknown {
    const funds = all.length === 0 ? undefined : this.one(all)[member];
    return [funds ?? this.funds()].flat();
  }

  private newId(digit: string): string {
    return `6f1cbb7e-0000-4000-8000-0000000${digit}${String(this.below(10_000)).padStart(4, "0")}`;
  }

  private idOf(element: Element): string {
    return String(element["payoutId"]);
  }

  private one(all: readonly Element[]): Element {
    return this.oneOf(all);
  }

  private below(limit: number): number {
    return this.chance.between(0, limit - 1);
  }

  private oneOf<Item>(all: readonly Item[]): Item {
    const found = all[this.below(all.length)];
    if (found === undefined) throw new Error("there is nothing to choose from");
    return found;
  }
}

type Kind = "payout" | "deposit";

/** Notes those that were seen before and not by this night, and returns their ids. */
async function endSweepOf(
  store: Workplace["store"],
  kind: Kind,
  seen: readonly { readonly id: string }[],
  at: Instant,
): Promise<readonly string[]> {
  const ids = new Set(seen.map(({ id }) => id));
  const all = await store.read(() => listIdsAfter(kind, "", 1_000));
  const missing = all.map(({ id }) => id).filter((id) => !ids.has(id));
  await store.write(() => endSweep(kind, at, missing));
  return missing;
}

/** A night that sees these elements, asks by id for those that it misses, and is denied all of them. */
export async function nightThatSees(
  store: Workplace["store"],
  kind: Kind,
  seen: readonly { readonly id: string }[],
  before: SweptKeys,
): Promise<SweptKeys> {
  await endSweepOf(store, kind, seen, before.begunAt);
  const swept = { ...before, ...(await store.read(() => absenceData())) };
  const { ids } = await idsNotShown(store, kind, [], swept);
  await store.write(() => noteAskedById(kind, ids));
  return { ...swept, absent: new Set(ids) };
}

/** The creation of a deposit on this custody account is answered after the service has shown the deposit. */
export function* answerCreation(depositId: string, custodyAccount: string, reference: string, at: Instant) {
  const id = yield* insertChange({
    keyId: "key",
    nonce: BigInt(`0x${depositId.slice(-12)}`),
    operation: "createDeposit",
    baseUrl: "https://service.example",
    subject: reference || `ORDER-${depositId}`,
    correlation: depositId,
    requested: { custodyAccountId: custodyAccountId(custodyAccount), reference },
    person: "ann",
    intendedAt: at,
  });
  yield* recordChangeOutcome(id, { kind: "accepted", evidence: "found by its callbackUrl", depositId }, at);
}

/** By custody account, how much more the ledger has than the service shows, as the night's breaks say. */
function untiedIn(breaks: readonly Break[]): ReadonlyMap<string, string> {
  const untied = breaks.filter(({ kind }) => kind === "ledger-treasury");
  return new Map(untied.map(({ custodyAccountId = "", found = "" }) => [custodyAccountId, found]));
}

/**
 * By custody account, what the books alone know to have arrived there: a deposit's address tells them that a payout
 * was an own transfer, and neither the payout names the account nor does a deposit list the receipt. Everything else
 * ties, but for what waits, is held, or is not booked.
 */
async function bookedByAddressAlone({ store }: Workplace): Promise<ReadonlyMap<string, string>> {
  const { entries, unbooked, shown } = await store.read(function* () {
    return {
      entries: (yield* listEntriesAfter(0, 10_000)).map(({ entry }) => entry),
      unbooked: new Set(yield* listUnbookedIds()),
      shown: yield* listSightingsAfter("payout", "", 1_000),
    };
  });
  const named = new Set(
    shown.filter(({ raw }) => raw.includes('"destinationAccountId"')).map(({ id }) => id),
  );
  const reversed = new Set(entries.flatMap(({ reversalOf }) => reversalOf ?? []));
  const arrived = entries
    .filter(({ kind, entryId, sourceId }) => {
      const isInForce = kind === "transfer" && !reversed.has(entryId);
      return isInForce && !unbooked.has(sourceId) && !named.has(sourceId);
    })
    .flatMap(({ lines }) => lines)
    .filter(
      ({ debit, accountKey }) => debit !== undefined && treasuryAccountOf({ accountKey }) !== undefined,
    );
  const byAccount = Map.groupBy(arrived, (line) => treasuryAccountOf(line) ?? "");
  return new Map(
    [...byAccount].map(([account, lines]) => [
      account,
      Decimal.sum(lines.flatMap(({ quantity }) => quantity?.value ?? []))
        .normalized()
        .toString(),
    ]),
  );
}

/** A site where all payments have arrived, as it is after a sweep. `names`: their GL accounts, in turn. */
export async function settledSite(settings: Environment = {}, names: readonly string[] = [""]) {
  const { workplace, folder, environment } = await openSite({}, settings);
  const file = join(folder, "a.csv");
  const rows = Array.from({ length: PAYMENTS }, (_, row) =>
    [`A-${row}`, `0.0${row + 1}`, ADDRESS, names[row % names.length]].join(),
  );
  writeFileSync(file, ["reference,amount,destinationAddress,generalLedgerName", ...rows, ""].join("\n"));
  const { digest = "" } = await submitFile(workplace, file, "ann");
  await approveStep(workplace, digest, "ben");
  await payStep(workplace);
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  const swept = await sweepKeys(workplace);
  for (const balance of swept.balances)
    await workplace.store.write(() => recordBalance("opening", { ...balance, observedAt: LONG_AGO }));
  const sightings = await workplace.store.read(() => listSightingsAfter("payout", "", 100));
  const payouts = sightings.map(({ raw }) => JSON.parse(raw) as Element);
  return { workplace, folder, environment, swept, payouts };
}
