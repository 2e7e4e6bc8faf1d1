/** Exactly one destination, of a kind that this custody account can pay. */
import { type Problem, problem } from "../faults/index.ts";
import { recognizeAddress } from "./address.ts";
import { type AddressNetwork, networkOf } from "./address-networks.ts";
import type { CustodyAccount } from "./policy.ts";
import type { RecognizedAddress } from "./recognized-address.ts";
import type { RuleContext } from "./rule-context.ts";
import { escapedText } from "./shown-text.ts";

/** The operations whose table lists P2PKH, P2SH and Bech32 (P2WPKH and P2WSH) as the supported formats. */
const BITCOIN_ONLY_OPERATIONS: ReadonlySet<string> = new Set([
  "createPayout",
  "createPayoutV2",
  "createAndFirstAuthorizationPayout",
  "createAndFirstAuthorizationPayoutV2",
]);

/** What the creation operations list, by currency; the interface says "the address formats of Ethereum or Litecoin". */
const LISTED_TYPES: ReadonlySet<string> = new Set(["P2PKH", "P2SH", "P2WPKH", "P2WSH", "Ethereum"]);

/** The destination address recognised, where there is one and it may be paid from the custody account. */
export function checkDestination(
  context: RuleContext,
  custodyAccount: CustodyAccount | undefined,
): RecognizedAddress | undefined {
  const { destinationAddress, destinationAccountId } = context.reading.values;
  checkExactlyOne(context);
  if (custodyAccount !== undefined && destinationAccountId === custodyAccount.id)
    context.report("destinationAccountId", problem("DESTINATION_IS_SOURCE", {}));
  if (destinationAddress === undefined || custodyAccount === undefined) return undefined;
  return checkAddress(context, destinationAddress, custodyAccount);
}

function checkExactlyOne({ reading, hasColumn, report }: RuleContext): void {
  const isGiven = (column: "destinationAddress" | "destinationAccountId") =>
    reading.values[column] !== undefined || reading.problems.has(column);
  const [address, account] = [isGiven("destinationAddress"), isGiven("destinationAccountId")];
  if (address && account) report("destinationAccountId", problem("DESTINATION_TWICE", {}));
  if (address || account) return;
  const column = hasColumn("destinationAddress") ? "destinationAddress" : "destinationAccountId";
  if (hasColumn(column)) report(column, problem("DESTINATION_MISSING", {}));
}

function checkAddress(
  context: RuleContext,
  destinationAddress: string,
  custodyAccount: CustodyAccount,
): RecognizedAddress | undefined {
  const { policy, report, warn } = context;
  const refuse = (what: Problem) => report("destinationAddress", what);
  const operation = custodyAccount.createOperation ?? "createPayoutV2";
  const network = networkOf(custodyAccount.currency, policy.network);
  if (network === undefined || (network.currency !== "BTC" && BITCOIN_ONLY_OPERATIONS.has(operation))) {
    const { name, currency } = custodyAccount;
    refuse(problem("ADDRESS_CURRENCY_UNSUPPORTED", { custodyAccount: name, currency, operation }));
    return undefined;
  }
  const address = recognizeAddress(destinationAddress);
  const text = escapedText(destinationAddress);
  if ("malformed" in address) {
    refuse(problem("ADDRESS_MALFORMED", { text, network: network.name, reason: address.malformed }));
    return undefined;
  }
  if (!address.networks.includes(network)) {
    refuse(
      problem("ADDRESS_WRONG_NETWORK", { text, found: namesOf(address.networks), expected: network.name }),
    );
    return undefined;
  }
  if (!LISTED_TYPES.has(address.type)) {
    refuse(problem("ADDRESS_TYPE_UNSUPPORTED", { text, type: address.type }));
    return undefined;
  }
  if (!address.hasChecksum) warn("destinationAddress", problem("ADDRESS_WITHOUT_CHECKSUM", { text }));
  return address;
}

function namesOf(networks: readonly AddressNetwork[]): string {
  return networks.map((network) => network.name).join(" or ");
}
