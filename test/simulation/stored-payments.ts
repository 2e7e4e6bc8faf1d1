/** The payments according to the database, read past the production store and past every lock. */
import { disk } from "./disk.ts";

export interface StoredInstruction {
  readonly reference: string;
  readonly currency: string;
  readonly amount: string;
  readonly standing: string;
  readonly payoutId: string | null;
}

/** A submission's nonce, and the payment that has it. */
export interface StoredNonce {
  readonly nonce: string;
  readonly reference: string;
}

export class StoredPayments {
  private readonly databasePath: string;

  constructor(databasePath: string) {
    this.databasePath = databasePath;
  }

  /** In file order; without those that gave their references up. */
  instructions(): readonly StoredInstruction[] {
    return disk.unchangedRows(
      this.databasePath,
      `select reference, currency, amount, standing, payout_id as payoutId from instruction
        where reference = json_extract(fields, '$.reference') order by row`,
    ) as unknown as StoredInstruction[];
  }

  /** In the order in which the submissions were written. */
  nonces(): readonly StoredNonce[] {
    return disk.unchangedRows(
      this.databasePath,
      `select nonce, reference from submission join instruction on instruction.id = instruction_id
        order by submission.id`,
    ) as unknown as StoredNonce[];
  }

  /** References of payments that wait for an answer or for a person. */
  unresolved(): readonly string[] {
    return this.referencesWhere("(outcome is null or outcome = 'in doubt')");
  }

  /** References of payments that were sent and may have been carried out. */
  inDoubt(): readonly string[] {
    return this.referencesWhere("outcome = 'in doubt'");
  }

  /** Whether the latest submission of a payment left once and its outcome is known. */
  isSettled(reference: string): boolean {
    const latest = `select sends, outcome from submission
      where instruction_id = (select id from instruction where reference = ?) order by id desc limit 1`;
    const settled = `select 1 from (${latest}) where sends = 1 and outcome is not null`;
    return disk.rows(this.databasePath, settled, reference).length > 0;
  }

  /** Changes with every standing. */
  fingerprint(): string {
    return this.instructions()
      .map(({ reference, standing }) => `${reference} ${standing}`)
      .join();
  }

  get isAllAccepted(): boolean {
    const instructions = this.instructions();
    return instructions.length > 0 && instructions.every(({ standing }) => standing === "accepted");
  }

  standings(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { standing } of this.instructions()) counts[standing] = (counts[standing] ?? 0) + 1;
    return counts;
  }

  private referencesWhere(outcome: string): string[] {
    const open = `select reference from submission join instruction on instruction.id = instruction_id
      where ${outcome} and standing <> 'abandoned'`;
    return disk.rows(this.databasePath, open).map(({ reference }) => String(reference));
  }
}
