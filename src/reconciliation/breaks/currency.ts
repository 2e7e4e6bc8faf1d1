/** A payout is in another currency than its row, or a deposit received another currency than it expects. */
import type { ObservedDeposit } from "../../model/index.ts";
import { aboutDeposit, aboutPayout, breakKind, comparable, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { describeDeposit, describeInstruction, describePayout, printable } from "../wording.ts";

interface CurrencyFinding extends Finding {
  readonly expected: string;
  readonly found: string;
  readonly about: Match | ObservedDeposit;
}

export const currencyBreak = breakKind<CurrencyFinding>({
  kind: "currency",
  severity: "alarm",
  *detect({ matches, deposits }) {
    for (const match of comparable(matches)) yield* inMatch(match);
    for (const deposit of deposits) yield* inDeposit(deposit);
  },
  sentence: ({ about, expected, found }) => {
    if ("depositId" in about)
      return `${describeDeposit(about)} received ${printable(found)}, but expects ${printable(expected)}.`;
    return `${describePayout(about.payout)} is in ${printable(found)}, but ${describeInstruction(about.instruction)} asked for ${printable(expected)}.`;
  },
});

function* inMatch(match: Match): Iterable<CurrencyFinding> {
  const { instruction, payout } = match;
  const expected = instruction.fields.amount.currency;
  const found = payout.requestedAmount.currency;
  if (expected !== found)
    yield {
      ...aboutPayout(payout, instruction),
      about: match,
      field: "requestedAmount.currency",
      expected,
      found,
    };
}

function* inDeposit(deposit: ObservedDeposit): Iterable<CurrencyFinding> {
  const expected = deposit.requestedInCrypto?.currency;
  const found = deposit.receivedFunds
    .map(({ amount }) => amount?.currency)
    .find((currency) => currency !== undefined && currency !== expected);
  if (expected !== undefined && found !== undefined)
    yield { ...aboutDeposit(deposit), about: deposit, field: "receivedFunds.currency", expected, found };
}
