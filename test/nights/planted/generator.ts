/**
 * Plants differences of every kind in what a service shows, each beside its honest twin, which must open nothing.
 * What is planted where comes from a seed. The balances are added up here, from what really moved.
 */
import type { Chance } from "../../simulation/chance.ts";
import type { Element, Planted } from "./planted-service.ts";

export const TREASURY = "6f1cbb7e-0000-4000-8000-000000000001";
const SAVINGS = "6f1cbb7e-0000-4000-8000-000000000002";
const ANOTHER_ADDRESS = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3";
const LONG_AGO = "2026-01-02T03:04:05.000Z";

/** "amount 01a2...": the kind of break, and the payout or deposit that it is about. */
export type Expected = string;

interface Funds {
  readonly txHash: string;
  readonly amount: { readonly currency: string; readonly amount: number };
  readonly fee?: { readonly currency: string; readonly amount: number };
  readonly [member: string]: unknown;
}

/** A payout that is changed; `others`: payouts that the service shows beside it. */
interface ChangedPayout {
  readonly payout: Element;
  readonly others?: readonly Element[];
  readonly breaks: readonly string[];
  /** Breaks that stay; nothing else is planted in the payout. */
  readonly lasting?: readonly Expected[];
  /** no: the service shows it no more, though its money left. by id: pages leave it out. */
  readonly isShown?: "no" | "by id";
}

/** `another`: a payout in which nothing is planted. */
type PlantInPayout = (payout: Element, chance: Chance, another: Element) => ChangedPayout;

/** By name; those of an honest twin open nothing. */
const IN_PAYOUTS: Readonly<Record<string, PlantInPayout>> = {
  destination: (payout) => ({
    payout: { ...payout, destinationAddress: ANOTHER_ADDRESS },
    breaks: ["destination"],
  }),
  "destination in capitals": (payout) => ({
    payout: { ...payout, destinationAddress: String(payout["destinationAddress"]).toUpperCase() },
    breaks: [],
  }),
  amount: (payout, chance) => {
    const amount = { currency: "BTC", amount: chance.between(1, 9_999) / 1e8 };
    return {
      payout: { ...payout, requestedAmount: amount, sentFunds: { ...fundsIn(payout), amount } },
      breaks: ["amount"],
    };
  },
  "amount spelt otherwise": (payout) => ({
    payout: { ...payout, requestedAmount: { amount: requestedIn(payout).amount, currency: "BTC", note: "" } },
    breaks: [],
  }),
  "custody account": (payout) => ({
    payout: { ...payout, accountId: SAVINGS },
    breaks: ["custody-account"],
  }),
  "ledger field": (payout) => ({
    payout: { ...payout, generalLedgerName: "9999 Elsewhere" },
    breaks: ["ledger-field"],
  }),
  "fee policy": (payout) => ({ payout: { ...payout, feePolicy: "FAST" }, breaks: ["fee-policy"] }),
  "fee policy not shown": (payout) => ({ payout: { ...payout, feePolicy: undefined }, breaks: [] }),
  reference: (payout, chance) => ({
    payout: { ...payout, reference: `REF-${chance.between(1, 1e9)}` },
    breaks: ["reference"],
  }),
  "sent amount": (payout) => {
    const { amount } = requestedIn(payout);
    const sent = { currency: "BTC", amount: Math.round(amount * 1e8 - 777) / 1e8 };
    return {
      payout: { ...payout, sentFunds: { ...fundsIn(payout), amount: sent } },
      breaks: ["sent-amount"],
    };
  },
  "sent in two parts": (payout) => {
    const satoshis = Math.round(requestedIn(payout).amount * 1e8);
    const part = (share: number, name: string) => ({
      ...fundsIn(payout),
      txHash: name.repeat(64).slice(0, 64),
      transactionId: `T-${name}-${payout["payoutId"]}`,
      amount: { currency: "BTC", amount: share / 1e8 },
    });
    const half = Math.floor(satoshis / 2);
    return { payout: { ...payout, sentFunds: [part(half, "a"), part(satoshis - half, "b")] }, breaks: [] };
  },
  "not shown": (payout) => ({ payout, breaks: ["not-shown"], isShown: "no" }),
  "left out of the pages": (payout) => ({ payout, breaks: [], isShown: "by id" }),
  "mixed up": (payout, _chance, another) => ({
    payout: { ...payout, callbackUrl: another["callbackUrl"] },
    breaks: ["mixed-up"],
  }),
  "callbackUrl not shown": (payout) => ({ payout: { ...payout, callbackUrl: undefined }, breaks: [] }),
  "fee above its limit": (payout) => ({
    payout: { ...payout, sentFunds: { ...fundsIn(payout), fee: { currency: "BTC", amount: 0.00050001 } } },
    breaks: ["fee"],
  }),
  "fee at its limit": (payout) => ({
    payout: { ...payout, sentFunds: { ...fundsIn(payout), fee: { currency: "BTC", amount: 0.0005 } } },
    breaks: [],
  }),
  failed: (payout) => ({
    payout: { ...payout, payoutState: "SEND_FAILED", sentFunds: undefined },
    breaks: ["failed"],
  }),
  "unknown state": (payout) => ({
    payout: { ...payout, payoutState: "PAUSED" },
    breaks: ["unknown-state"],
  }),
  "state went back": (payout) => ({
    payout: { ...payout, payoutState: "SIGNING", sentFunds: undefined },
    breaks: ["state-went-back"],
  }),
  "unconfirmed too long": (payout) => ({
    payout: { ...payout, sentFunds: unconfirmedSince(fundsIn(payout), LONG_AGO) },
    breaks: ["unconfirmed-too-long"],
  }),
  "confirmations count on": (payout) => ({
    payout: { ...payout, sentFunds: { ...fundsIn(payout), confirmations: 12_345 } },
    breaks: [],
  }),
  "listed by another payout": (payout, chance) => {
    const stranger = { ...strangerLike(payout, chance), sentFunds: payout["sentFunds"] };
    const [first] = [String(payout["payoutId"]), stranger.payoutId].sort();
    return { payout, others: [stranger], breaks: [], lasting: [`sent-claimed-twice ${first}`] };
  },
  "in one transaction with another": (payout, chance, another) => {
    const { txHash, transactionId } = fundsIn(another);
    const own = { ...fundsIn(payout), txHash, transactionId: `${transactionId}-${chance.between(1, 1e9)}` };
    return { payout: { ...payout, sentFunds: own }, breaks: [] };
  },
  "paid twice under our name": (payout, chance) => {
    const second = {
      ...payout,
      payoutId: idFrom(chance),
      sentFunds: { ...fundsIn(payout), ...newTransaction(chance) },
    };
    return { payout, others: [second], breaks: [] };
  },
  unexpected: (payout, chance) => {
    const stranger = {
      ...strangerLike(payout, chance),
      sentFunds: { ...fundsIn(payout), ...newTransaction(chance) },
    };
    return { payout, others: [stranger], breaks: [] };
  },
};

function strangerLike(payout: Element, chance: Chance) {
  return {
    ...payout,
    payoutId: idFrom(chance),
    reference: `EXT-${chance.between(1, 1e9)}`,
    callbackUrl: "https://elsewhere.example/hook",
  };
}

const HIDING: ReadonlySet<string> = new Set(["not shown", "left out of the pages"]);

/** Begins the references of payouts that ended after others did: a service may drop the earliest. */
export const LATER = "LATER-";

/** What is not shown keeps what was wrong with it before. */
function mayHide(payout: Element, changedBefore: ReadonlySet<unknown>): boolean {
  return !changedBefore.has(payout["payoutId"]) && String(payout["reference"]).startsWith(LATER);
}

/** What `others` of a planted change are. */
const OTHERS_ARE: Readonly<Record<string, string>> = {
  "paid twice under our name": "duplicate-reference",
  unexpected: "unexpected",
  "listed by another payout": "unexpected",
};

type PlantDeposits = (
  made: (changes?: object) => Element,
  chance: Chance,
) => {
  readonly deposits: readonly Element[];
  /** By position in `deposits`. */
  readonly breaks: readonly (readonly [kind: string, position: number])[];
  /** Satoshis that came in, where that is not what the deposits list. */
  readonly received?: bigint;
};

const IN_DEPOSITS: Readonly<Record<string, PlantDeposits>> = {
  "as asked for": (made) => ({ deposits: [made()], breaks: [] }),
  "named later": (made, chance) => {
    const { transactionId: _, ...unnamed } = receipt(chance);
    return { deposits: [made({ receivedFunds: [unnamed] })], breaks: [] };
  },
  "two outputs to one deposit": (made, chance) => {
    const half = { ...receipt(chance), amount: { currency: "BTC", amount: 0.005 } };
    return { deposits: [made({ receivedFunds: [half, half] })], breaks: [] };
  },
  under: (made, chance) => ({
    deposits: [made({ receivedFunds: [{ ...receipt(chance), amount: { currency: "BTC", amount: 0.006 } }] })],
    breaks: [["deposit-under", 0]],
  }),
  "paid in two transactions": (made, chance) => {
    const part = (amount: number) => ({ ...receipt(chance), amount: { currency: "BTC", amount } });
    return { deposits: [made({ receivedFunds: [part(0.004), part(0.006)] })], breaks: [] };
  },
  over: (made, chance) => ({
    deposits: [
      made({ receivedFunds: [{ ...receipt(chance), amount: { currency: "BTC", amount: 0.0123 } }] }),
    ],
    breaks: [["deposit-over", 0]],
  }),
  "at another rate": (made) => ({
    deposits: [made({ requestedAmountInFiat: inEuro(800), fixedExchangeRate: rateOf(81_000) })],
    breaks: [["deposit-rate", 0]],
  }),
  "at its rate, as near as units allow": (made) => ({
    deposits: [made({ requestedAmountInFiat: inEuro(799.99), fixedExchangeRate: rateOf(79_998.7) })],
    breaks: [],
  }),
  "after its void": (made) => ({
    deposits: [made({ depositState: "VOID" })],
    breaks: [["deposit-after-void", 0]],
  }),
  "void and empty": (made) => ({ deposits: [made({ depositState: "VOID", receivedFunds: [] })], breaks: [] }),
  late: (made) => ({
    deposits: [made({ expiryDate: "2026-11-01T00:00:00.000Z" })],
    breaks: [["deposit-late", 0]],
  }),
  "confirmed after its end": (made) => ({
    deposits: [made({ expiryDate: "2026-11-20T12:05:00.000Z" })],
    breaks: [],
  }),
  "expired and empty": (made) => ({
    deposits: [made({ depositState: "EXPIRED", receivedFunds: [], expiryDate: "2026-11-01T00:00:00.000Z" })],
    breaks: [],
  }),
  duplicated: (made, chance) => {
    const original = made();
    const duplicate = {
      ...made({ duplicatedFromDepositId: original["depositId"] }),
      depositId: idFrom(chance),
    };
    return {
      deposits: [original, { ...duplicate, receivedFunds: original["receivedFunds"] }],
      breaks: [["deposit-duplicated", 1]],
      received: 1_000_000n,
    };
  },
  "a duplicate with money of its own": (made, chance) => {
    const original = made({ depositState: "EXPIRED", receivedFunds: [] });
    return {
      deposits: [
        original,
        made({ depositId: idFrom(chance), duplicatedFromDepositId: original["depositId"] }),
      ],
      breaks: [],
    };
  },
  unconfirmed: (made, chance) => ({
    deposits: [made({ receivedFunds: [unconfirmedSince(receipt(chance), LONG_AGO)] })],
    breaks: [["unconfirmed-too-long", 0]],
  }),
  "listed by two": (made, chance) => {
    const same = [receipt(chance)];
    const [one, other] = [made({ receivedFunds: same }), made({ receivedFunds: same })];
    const deposits = String(one["depositId"]) < String(other["depositId"]) ? [one, other] : [other, one];
    return { deposits, breaks: [["receipt-claimed-twice", 0]], received: 1_000_000n };
  },
  "in one transaction with another": (made, chance) => {
    const same = receipt(chance);
    const output = (index: number) => ({ ...same, transactionId: `${same.txHash}:${index}` });
    return {
      deposits: [made({ receivedFunds: [output(0)] }), made({ receivedFunds: [output(1)] })],
      breaks: [],
    };
  },
};

/** Payments that were accepted just before the first night, and what becomes of their payouts. */
export interface UnderWay {
  /** The service never shows it. */
  readonly missing: Element;
  /** Pages leave it out from the start, and a search by id finds it. */
  readonly leftOut: Element;
  /** It stays in one state for good. */
  readonly stuck: Element;
  /** It comes into another state each night, and arrives. */
  readonly moving: Element;
}

const STATES = ["CREATED", "AUTHORIZED", "SIGNING", "SENDING", "SENT", "COMPLETED"];

function inState(payout: Element, payoutState: string): Element {
  return STATES.indexOf(payoutState) >= STATES.indexOf("SENT")
    ? { ...payout, payoutState }
    : { ...payout, payoutState, sentFunds: undefined };
}

interface Hidden {
  readonly absent: Element[];
  readonly byId: Element[];
}

export interface Night {
  readonly planted: Planted;
  readonly expected: readonly Expected[];
}

/**
 * What a service shows night after night: what was planted beside the payments stays, and what was changed in them
 * heals.
 */
export class PlantedWorld {
  private readonly payouts: readonly Element[];
  private readonly openings: ReadonlyMap<string, bigint>;
  private readonly strangers: Element[] = [];
  private readonly deposits: Element[] = [];
  private readonly lasting: Expected[] = [];
  /** By payoutId, what the last night changed. */
  private changedBefore = new Set<unknown>();
  private readonly underWay: UnderWay | undefined;
  private nights = 0;
  /** Positions of deposits that were shown as asked for, and whose receipts have not moved. */
  private readonly movable: number[] = [];
  /** Positions of deposits whose receipts have no transactionId yet. */
  private readonly unnamed: number[] = [];
  private received = 0n;
  /** The payouts in which something lasting is planted. */
  private readonly settled = new Set<Element>();

  /**
   * `payouts`: the honest ones, at least as many as there are plants. `openings`: the balances before them, in
   * satoshis. `underWay`: what is missing or stuck, and its twins; from the second night on.
   */
  constructor(payouts: readonly Element[], openings: ReadonlyMap<string, bigint>, underWay?: UnderWay) {
    this.payouts = payouts;
    this.openings = openings;
    this.underWay = underWay;
  }

  /** One night: each plant but those `without`, or `most` of them, in a payout or deposit of its own. */
  night(chance: Chance, most = Number.POSITIVE_INFINITY, without: readonly string[] = []): Night {
    const open = this.payouts.filter((payout) => !this.settled.has(payout));
    const rest = open.toSorted(() => (chance.happens(0.5) ? 1 : -1));
    const before = this.changedBefore;
    this.changedBefore = new Set();
    const changed: Element[] = [];
    const hidden: Hidden = { absent: [], byId: [] };
    const expected: Expected[] = [];
    this.moveReceipt(chance);
    this.nameReceipt();
    for (const [name, plant] of someOf(IN_PAYOUTS, most, chance)) {
      if (without.includes(name)) continue;
      const place = HIDING.has(name) ? rest.findLastIndex((each) => mayHide(each, before)) : rest.length - 1;
      const [honest] = place < 0 ? [] : rest.splice(place, 1);
      if (honest === undefined) throw new Error(`there is no payout left for "${name}"`);
      this.changedBefore.add(honest["payoutId"]);
      const { payout, others = [], breaks, lasting, isShown } = plant(honest, chance, rest[0] ?? honest);
      if (lasting !== undefined) this.settled.add(honest);
      this.lasting.push(...(lasting ?? []));
      if (isShown === undefined) changed.push(payout);
      else hidden[isShown === "no" ? "absent" : "byId"].push(payout);
      this.strangers.push(...others);
      expected.push(...breaks.map((kind) => `${kind} ${honest["payoutId"]}`));
      this.lasting.push(...others.map((other) => `${OTHERS_ARE[name]} ${other["payoutId"]}`));
    }
    this.plantDeposits(chance, most);
    const all = new Set([...rest, ...changed, ...this.settled]);
    return this.shownWith([...all], expected, hidden);
  }

  /** One night in which all that was changed has healed. */
  honestNight(): Night {
    return this.shownWith(this.payouts, []);
  }

  private shownWith(
    own: readonly Element[],
    expected: readonly Expected[],
    { absent, byId }: Hidden = { absent: [], byId: [] },
  ): Night {
    const payouts = [...own, ...this.strangers, ...this.shownUnderWay(byId)];
    const balances = this.balancesAfter([...payouts, ...absent, ...byId]);
    return {
      planted: { payouts, onlyById: byId, deposits: [...this.deposits], balances },
      expected: [...this.lasting, ...expected].sort(),
    };
  }

  private shownUnderWay(byId: Element[]): readonly Element[] {
    if (this.underWay === undefined) return [];
    const { missing, leftOut, stuck, moving } = this.underWay;
    byId.push(leftOut);
    if (this.nights === 1) this.lasting.push(`missing ${missing["payoutId"]}`, `stuck ${stuck["payoutId"]}`);
    const state = STATES[Math.min(this.nights, STATES.length - 1)] ?? "";
    this.nights += 1;
    return [inState(stuck, "SIGNING"), inState(moving, state)];
  }

  /** The first receipt of a deposit got its transactionId only after it was shown: it is the same one. */
  private nameReceipt(): void {
    const position = this.unnamed.pop();
    const named = position === undefined ? undefined : this.deposits[position];
    const [funds] = (named?.["receivedFunds"] ?? []) as readonly Funds[];
    if (position === undefined || named === undefined || funds === undefined) return;
    const transactionId = `T-${funds.txHash}`;
    this.deposits[position] = { ...named, receivedFunds: [{ ...funds, transactionId }] };
  }

  /** One that was shown before: another deposit lists its receipt from now on, and it came once. */
  private moveReceipt(chance: Chance): void {
    const position = this.movable.pop();
    const from = position === undefined ? undefined : this.deposits[position];
    if (position === undefined || from === undefined) return;
    this.deposits[position] = { ...from, depositState: "EXPIRED", receivedFunds: [] };
    const to = { ...depositFrom(chance), receivedFunds: from["receivedFunds"] };
    this.deposits.push(to);
    this.lasting.push(`receipt-moved ${to.depositId}`);
  }

  private plantDeposits(chance: Chance, most: number): void {
    for (const [name, plant] of someOf(IN_DEPOSITS, most, chance)) {
      const made = plant((changes) => ({ ...depositFrom(chance), ...changes }), chance);
      if (name === "as asked for") this.movable.push(this.deposits.length);
      if (name === "named later") this.unnamed.push(this.deposits.length);
      this.deposits.push(...made.deposits);
      this.received += made.received ?? sum(made.deposits.map(receivedBy));
      this.lasting.push(...made.breaks.map(([kind, at]) => `${kind} ${made.deposits[at]?.["depositId"]}`));
    }
  }

  private balancesAfter(payouts: readonly Element[]): ReadonlyMap<string, bigint> {
    return new Map(
      [...this.openings].map(([accountId, opening]) => {
        const own = payouts.filter((payout) => payout["accountId"] === accountId);
        // A movement that two payouts list left once.
        const sent = sum([...new Set(own.map((payout) => payout["sentFunds"]))].map(sentIn));
        return [accountId, opening - sent + (accountId === TREASURY ? this.received : 0n)];
      }),
    );
  }
}

/** At most `most` of them, chosen by chance. */
function someOf<Plant>(
  all: Readonly<Record<string, Plant>>,
  most: number,
  chance: Chance,
): readonly (readonly [string, Plant])[] {
  const entries = Object.entries(all);
  if (most >= entries.length) return entries;
  return entries.toSorted(() => (chance.happens(0.5) ? 1 : -1)).slice(0, most);
}

function sum(all: readonly bigint[]): bigint {
  return all.reduce((left, right) => left + right, 0n);
}

/** Amounts and fees of all its transactions, in satoshis. */
function sentIn(sentFunds: unknown): bigint {
  const funds = [sentFunds ?? []].flat() as unknown as readonly Funds[];
  return sum(funds.map(({ amount, fee }) => satoshis(amount.amount) + satoshis(fee?.amount ?? 0)));
}

function receivedBy(deposit: Element): bigint {
  return sum((deposit["receivedFunds"] as readonly Funds[]).map(({ amount }) => satoshis(amount.amount)));
}

function satoshis(bitcoins: number): bigint {
  return BigInt(Math.round(bitcoins * 1e8));
}

function fundsIn(payout: Element): Funds {
  return payout["sentFunds"] as Funds;
}

function requestedIn(payout: Element): { readonly amount: number } {
  return payout["requestedAmount"] as { amount: number };
}

function unconfirmedSince(funds: Funds, createdDate: string): Funds {
  const { confirmedDate: _, ...rest } = funds;
  return { ...rest, state: "UNCONFIRMED", confirmations: 0, createdDate } as Funds;
}

function newTransaction(chance: Chance) {
  const txHash = hexFrom(chance, 64);
  return { txHash, transactionId: `T-${txHash}` };
}

function inEuro(amount: number) {
  return { currency: "EUR", amount };
}

function rateOf(rate: number) {
  return { rate, fromCurrency: { currencyCode: "BTC" }, toCurrency: { currencyCode: "EUR" } };
}

function receipt(chance: Chance): Funds {
  return {
    ...newTransaction(chance),
    amount: { currency: "BTC", amount: 0.01 },
    createdDate: "2026-11-20T12:00:00.000Z",
    confirmedDate: "2026-11-20T12:10:00.000Z",
    state: "CONFIRMED",
    confirmations: 6,
  };
}

function depositFrom(chance: Chance): Element & { readonly depositId: string } {
  return {
    depositId: idFrom(chance),
    accountId: TREASURY,
    reference: `ORDER-${chance.between(1, 1e9)}`,
    requestedAmountInCryptoAtFixedRate: { currency: "BTC", amount: 0.01 },
    depositState: "COMPLETED",
    createdDate: "2026-11-20T11:00:00.000Z",
    receivedFunds: [receipt(chance)],
  };
}

function idFrom(chance: Chance): string {
  return chance.uuid();
}

function hexFrom(chance: Chance, digits: number): string {
  return Array.from({ length: digits }, () => chance.between(0, 15).toString(16)).join("");
}
