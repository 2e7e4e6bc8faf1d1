/**
 * A month of expectations and receipts from a seed, in which every kind of difference is planted beside its honest
 * twin: the same in everything but what makes the difference.
 */

import type { MatchingPolicy, Receipt } from "../../src/expected/index.ts";
import type { MatchDecision } from "../../src/model/index.ts";
import { custodyAccountId, type DepositId, depositId, type ExpectationRow } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";

export const TODAY = "2026-11-30";
export const TOLERANCE = "0.00001";

export interface Planted {
  readonly expectations: readonly ExpectationRow[];
  readonly receipts: readonly Receipt[];
  /** By reference: what must be found of it, and nothing else. */
  readonly standings: ReadonlyMap<string, string>;
  /** By receipt key: what must be found of it; receipts that are wholly somebody's are not listed. */
  readonly open: ReadonlyMap<string, string>;
}

export const POLICY: MatchingPolicy = {
  timeZone: "Europe/Madrid",
  now: `${TODAY}T12:00:00.000Z`,
  tolerance: { BTC: Decimal.of(TOLERANCE) },
  scaleOf: (currency) => (currency === "BTC" ? 8 : 2),
  waits: () => false,
};

const ACCOUNT = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000001");

/** Mulberry32: small, seeded, good enough to choose. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class World {
  readonly expectations: ExpectationRow[] = [];
  readonly receipts: Receipt[] = [];
  readonly standings = new Map<string, string>();
  readonly open = new Map<string, string>();
  private readonly random: () => number;
  private readonly used = new Set<number>();

  constructor(seed: number) {
    this.random = randomOf(seed);
  }

  upTo(max: number): number {
    return Math.floor(this.random() * max);
  }

  /** In BTC; none is another's, a part's, a sum's or within the tolerance of one, by chance. */
  amount(): Decimal {
    for (;;) {
      const units = 2_000 * (500 + this.upTo(40_000));
      if (this.used.has(units)) continue;
      this.used.add(units);
      return Decimal.of(`${units}e-8`).normalized();
    }
  }

  day(from: number, to: number): string {
    return `2026-11-${String(from + this.upTo(to - from + 1)).padStart(2, "0")}`;
  }

  expect(
    amount: Decimal,
    said: {
      readonly due?: string;
      readonly customer?: string;
      readonly hasDeposit?: boolean;
      readonly finds: string;
    },
  ): ExpectationRow {
    const id = this.expectations.length + 1;
    const reference = `INV-${id}`;
    const { due = this.day(10, 20), customer = `Customer ${id}`, hasDeposit = true, finds } = said;
    const row: ExpectationRow = {
      ...{ id, file: 1, line: id + 1, reference, customerId: customer, custodyAccountId: ACCOUNT },
      ...{ amount: { currency: "BTC", value: amount }, dueDay: due, creates: hasDeposit },
      ...(hasDeposit && { depositId: this.deposit(id) }),
    };
    this.expectations.push(row);
    this.standings.set(reference, finds);
    return row;
  }

  deposit(number: number): DepositId {
    return depositId(`0d5d6e8a-0000-4000-8000-${String(number).padStart(12, "0")}`);
  }

  receive(
    amount: Decimal,
    day: string,
    said: {
      readonly on?: ExpectationRow;
      readonly customer?: string | undefined;
      readonly isSettled?: boolean;
      readonly finds?: string;
    } = {},
  ): Receipt {
    const key = `receipt-${this.receipts.length + 1}`;
    const { on, isSettled = true, finds } = said;
    const receipt: Receipt = {
      depositId: (on?.depositId as DepositId | undefined) ?? this.deposit(900_000 + this.receipts.length),
      ...{
        key,
        custodyAccountId: ACCOUNT,
        amount: { currency: "BTC", value: amount },
        isSettled,
        worth: new Map(),
      },
      at: `${day}T09:00:00.000Z`,
      customerId: on === undefined ? said.customer : on.customerId,
      reference: on?.reference,
    };
    this.receipts.push(receipt);
    if (finds !== undefined) this.open.set(key, finds);
    return receipt;
  }
}

const units = (count: number) => Decimal.of(`${count}e-8`);

/** Each plants one kind and its twin; `world` is as large as it likes. */
const PLANTS: Readonly<Record<string, (world: World) => void>> = {
  "received in full, and nothing": (world) => {
    const amount = world.amount();
    world.receive(amount, "2026-11-10", { on: world.expect(amount, { finds: "received" }) });
    world.expect(world.amount(), { due: "2026-12-05", finds: "due" });
  },
  "overdue, and due today": (world) => {
    world.expect(world.amount(), { due: "2026-11-29", finds: "overdue, is overdue" });
    world.expect(world.amount(), { due: TODAY, finds: "due" });
  },
  "late, and on the due day": (world) => {
    const [late, timely] = [world.amount(), world.amount()];
    world.receive(late, "2026-11-17", {
      on: world.expect(late, { due: "2026-11-15", finds: "received, 2 days late" }),
    });
    world.receive(timely, "2026-11-15", {
      on: world.expect(timely, { due: "2026-11-15", finds: "received" }),
    });
  },
  "under, and within the tolerance": (world) => {
    const [under, near] = [world.amount(), world.amount()];
    const on = world.expect(under, { finds: "partly received, is overdue, 0.00001001 open" });
    world.receive(under.minus(units(1_001)), "2026-11-10", { on });
    world.receive(near.minus(units(1_000)), "2026-11-10", { on: world.expect(near, { finds: "received" }) });
  },
  "over, and within the tolerance": (world) => {
    const [over, near] = [world.amount(), world.amount()];
    const on = world.expect(over, { finds: "received over, 0.00001001 over" });
    world.receive(over.plus(units(1_001)), "2026-11-10", { on });
    world.receive(near.plus(units(1_000)), "2026-11-10", { on: world.expect(near, { finds: "received" }) });
  },
  "paid twice, and in two parts": (world) => {
    const [twice, parts] = [world.amount(), world.amount()];
    const on = world.expect(twice, { finds: `received over, ${twice} over, paid twice` });
    world.receive(twice, "2026-11-08", { on });
    world.receive(twice, "2026-11-09", { on });
    const other = world.expect(parts, { finds: "received" });
    const first = parts.dividedBy(Decimal.of("3"), 8);
    world.receive(first, "2026-11-08", { on: other });
    world.receive(parts.minus(first), "2026-11-09", { on: other });
  },
  "in part, and in part on another day": (world) => {
    const amount = world.amount();
    const first = amount.dividedBy(Decimal.of("4"), 8);
    const on = world.expect(amount, {
      due: "2026-12-10",
      finds: `partly received, ${amount.minus(first).normalized()} open`,
    });
    world.receive(first, "2026-11-12", { on });
  },
  "arriving, and confirmed": (world) => {
    const [arriving, confirmed] = [world.amount(), world.amount()];
    const on = world.expect(arriving, { due: "2026-12-10", finds: `due, ${arriving} arriving` });
    world.receive(arriving, "2026-11-30", { on, isSettled: false });
    world.receive(confirmed, "2026-11-30", {
      on: world.expect(confirmed, { due: "2026-12-10", finds: "received" }),
    });
  },
  "one customer owes the amount, and nobody does": (world) => {
    const [amount, nobodys] = [world.amount(), world.amount()];
    const row = world.expect(amount, { due: "2026-12-02", hasDeposit: false, finds: "due" });
    const finds = `may be ${row.reference}: amount exact, two days early, customer not known`;
    world.receive(amount, "2026-11-30", { finds });
    world.receive(nobodys, "2026-11-30", { finds: "nobody" });
  },
  "two customers owe the amount, and one of them is known": (world) => {
    const [alike, known] = [world.amount(), world.amount()];
    const [a, b] = [0, 1].map(() =>
      world.expect(alike, { due: "2026-12-02", hasDeposit: false, finds: "due" }),
    );
    world.receive(alike, "2026-11-30", {
      finds: `alike ${[a?.customerId, b?.customerId].sort().join(", ")}`,
    });
    const [c] = [0, 1].map(() => world.expect(known, { due: "2026-11-30", hasDeposit: false, finds: "due" }));
    const finds = `may be ${c?.reference}: amount exact, on the due day, customer known`;
    world.receive(known, "2026-11-30", { customer: c?.customerId, finds });
  },
  "several of one customer, and several of two": (world) => {
    const customer = `Group ${world.upTo(1_000_000)}`;
    const [a, b] = [world.amount(), world.amount()];
    const one = world.expect(a, { due: "2026-12-01", customer, hasDeposit: false, finds: "due" });
    const other = world.expect(b, { due: "2026-12-02", customer, hasDeposit: false, finds: "due" });
    const together = `2 expectations of one customer (${one.reference}, ${other.reference}) come to the amount exactly, customer known`;
    const more = (open: Decimal) => `more than is open, by ${a.plus(b).minus(open).normalized()} BTC`;
    world.receive(a.plus(b).normalized(), "2026-11-30", {
      customer,
      finds: [
        `may be ${one.reference} ${other.reference}: ${together}`,
        `may be ${one.reference}: ${more(a)}, one day early, customer known`,
        `may be ${other.reference}: ${more(b)}, two days early, customer known`,
      ].join(" | "),
    });
    const [c, d] = [world.amount(), world.amount()];
    for (const amount of [c, d]) world.expect(amount, { due: "2026-12-02", hasDeposit: false, finds: "due" });
    world.receive(c.plus(d).normalized(), "2026-11-30", { finds: "nobody" });
  },
  "of another customer, and of nobody": (world) => {
    const amount = world.amount();
    world.expect(amount, { due: "2026-12-02", hasDeposit: false, finds: "due" });
    world.receive(amount, "2026-11-30", { customer: "Somebody else", finds: "nobody" });
  },
  "paid again elsewhere, and for something else": (world) => {
    const [amount, other] = [world.amount(), world.amount()];
    const row = world.expect(amount, { finds: "received" });
    world.receive(amount, "2026-11-10", { on: row });
    world.receive(amount, "2026-11-29", {
      customer: row.customerId,
      finds: `nobody, repeats ${row.reference}`,
    });
    world.receive(other, "2026-11-29", { customer: row.customerId, finds: "nobody" });
  },
};

export const KINDS = Object.keys(PLANTS);

/** Every kind once or more, in an order that the seed chooses. */
export function planted(seed: number): Planted {
  const world = new World(seed);
  const plants = Object.values(PLANTS);
  const chosen = [...plants, ...Array.from({ length: 6 }, () => plants[world.upTo(plants.length)])];
  for (const [at, plant] of chosen.entries()) {
    const other = at + world.upTo(chosen.length - at);
    [chosen[at], chosen[other]] = [chosen[other], plant];
  }
  for (const plant of chosen) plant?.(world);
  return world;
}

export function decisionOf(
  id: number,
  expectation: number,
  receipt: Receipt,
  amount = receipt.amount,
): MatchDecision {
  const { depositId: deposit, key } = receipt;
  const kept = { depositId: deposit, receipt: key, amount, evidence: "decided by a person" };
  return { id, expectation, ...kept, matchedAt: POLICY.now, matchedBy: "carla" };
}
