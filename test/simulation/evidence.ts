/** Everything that a judgement is based on: the file, the database, and the truth. */
import { clientKeysOf } from "./client-keys.ts";
import type { FaultClock } from "./fault-clock.ts";
import type { Network } from "./network.ts";
import { type PayrollRow, type Place, payrollOf } from "./payroll.ts";
import type { People } from "./people.ts";
import type { SeedPlan } from "./seed-plan.ts";
import type { SimulatedService } from "./service.ts";
import { StoredPayments } from "./stored-payments.ts";
import { Verdict } from "./verdict.ts";

/** Knows the truth. */
export interface World {
  readonly service: SimulatedService;
  readonly network: Network;
  readonly faults: Pick<FaultClock, "hasLostWrites" | "hasLostAnchor" | "isBehindAnchor">;
  readonly people: Pick<People, "sentAgain" | "abandoned" | "paidAgain" | "takenBack">;
}

export class Evidence {
  readonly plan: SeedPlan;
  readonly place: Place;
  readonly world: World;
  readonly stored: StoredPayments;
  readonly verdict = new Verdict();
  /** The rows of the file by their references. */
  readonly rows: ReadonlyMap<string, PayrollRow>;

  constructor(plan: SeedPlan, place: Place, world: World) {
    this.plan = plan;
    this.place = place;
    this.world = world;
    this.stored = new StoredPayments(place.config.databasePath);
    this.rows = new Map(payrollOf(plan.payroll, plan.rows).rows.map((row) => [row.reference, row]));
  }

  /** The client key that pays this row, or under which it is paid again. */
  keyOf(reference: string): string | undefined {
    const { accountId = "" } = this.rowOf(reference) ?? {};
    return clientKeysOf(this.plan).find(({ accounts }) => accounts.includes(accountId))?.secrets.key;
  }

  /** The rows of the file, and those that a person pays again. */
  *expected(): Generator<PayrollRow> {
    yield* this.rows.values();
    for (const [earlier, reference] of this.world.people.paidAgain) {
      const row = this.rowOf(earlier);
      if (row !== undefined) yield { ...row, reference };
    }
  }

  /** The row of the file, also for a payment that was paid again, perhaps several times. */
  private rowOf(reference: string): PayrollRow | undefined {
    return this.rows.get(reference.replace(/(?:-AGAIN)+$/, ""));
  }

  /**
   * Whether a person has re-sent it at a service that checks no nonces or has forgotten them: the consequence that
   * `paydrop doubt` names.
   */
  isByOrder(reference: string): boolean {
    const mayForget = this.plan.nonceRule === "unique" && this.plan.memoryDays === 1;
    return (this.plan.serviceNonces === "any" || mayForget) && this.world.people.sentAgain.has(reference);
  }
}
