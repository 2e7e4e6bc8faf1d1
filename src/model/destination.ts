/** Destinations: which field of an instruction holds it, and when two are the same. */
import type { InstructionFields } from "./instruction.ts";

type Destination = Pick<InstructionFields, "destinationAddress" | "destinationAccountId">;

/**
 * The field that the instruction fills in. Only this field is compared, because the service may fill in the other.
 */
export function destinationField({
  destinationAddress,
}: Destination): "destinationAddress" | "destinationAccountId" {
  return destinationAddress === undefined ? "destinationAccountId" : "destinationAddress";
}

/** The destination in comparable form: equal texts mean the same destination. */
export function destinationOf(fields: Destination): string {
  return comparableDestination(fields[destinationField(fields)] ?? "");
}

/** Bech32 (BIP-173), Ethereum addresses and UUIDs are case-insensitive; base58 is not. */
export function sameDestination(left: string, right: string): boolean {
  return comparableDestination(left) === comparableDestination(right);
}

const CASE_INSENSITIVE = /^(?:(?:bc|tb|bcrt|ltc|tltc)1|0x|[0-9a-f]{8}-)/i;

/** Lower case where case does not matter; base58 unchanged. */
export function comparableDestination(destination: string): string {
  return CASE_INSENSITIVE.test(destination) ? destination.toLowerCase() : destination;
}
