/** Where money goes: which field of an instruction says it, and when two destinations are the same one. */
import type { InstructionFields } from "./instruction.ts";

/** The one field that the instruction fills; the service may fill the other by itself, so only this one is compared. */
export function destinationField({
  destinationAddress,
}: InstructionFields): "destinationAddress" | "destinationAccountId" {
  return destinationAddress === undefined ? "destinationAccountId" : "destinationAddress";
}

/** The destination in its one comparable form: equal texts are the same destination. */
export function destinationOf(fields: InstructionFields): string {
  return comparableDestination(fields[destinationField(fields)] ?? "");
}

/** Bech32 (BIP 173), Ethereum addresses and UUIDs mean the same in either case; base58 does not. */
export function sameDestination(left: string, right: string): boolean {
  return comparableDestination(left) === comparableDestination(right);
}

const CASE_INSENSITIVE = /^(?:(?:bc|tb|bcrt|ltc|tltc)1|0x|[0-9a-f]{8}-)/i;

/** Small letters where both cases mean the same; base58 as it is. */
export function comparableDestination(destination: string): string {
  return CASE_INSENSITIVE.test(destination) ? destination.toLowerCase() : destination;
}
