/** The payout goes somewhere else than the row says. Addresses are shown whole: look-alikes share their beginning and end. */
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { describeInstruction, describePayout, quoted } from "../wording.ts";

interface DestinationFinding extends Finding, Match {
  readonly expected: string;
}

export const destinationBreak = breakKind<DestinationFinding>({
  kind: "destination",
  severity: "alarm",
  *detect({ matches }) {
    for (const match of matches) {
      const { instruction, payout } = match;
      // The service may add the address of a destination account by itself; only what was asked for is compared.
      const field =
        instruction.fields.destinationAddress === undefined ? "destinationAccountId" : "destinationAddress";
      const expected = instruction.fields[field] ?? "";
      const found = payout[field] ?? "";
      if (comparable(expected) !== comparable(found))
        yield { ...aboutPayout(payout, instruction), ...match, field, expected, found };
    }
  },
  sentence: ({ instruction, payout, expected, found }) =>
    `${describePayout(payout)} goes to ${quoted(found || undefined)}, but ${describeInstruction(instruction)} asked for ${quoted(expected)}.`,
});

const CASE_INSENSITIVE = /^(?:(?:bc|tb|bcrt|ltc|tltc)1|0x|[0-9a-f]{8}-)/i;

/** Bech32 (BIP 173), Ethereum addresses and UUIDs mean the same in either case; base58 does not. */
function comparable(destination: string): string {
  return CASE_INSENSITIVE.test(destination) ? destination.toLowerCase() : destination;
}
