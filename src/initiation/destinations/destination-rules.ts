/** Checks that there is exactly one destination, of a kind that the custody account can pay. */
import { type Problem, problem } from "../../faults/index.ts";
import { looksLikePrivateKey } from "../../model/private-key.ts";
import { escapedText } from "../../model/shown-text.ts";
import type { CustodyAccount } from "../policy.ts";
import type { RowContext } from "../row-context.ts";
import { recognizeAddress } from "./address.ts";
import {
  type MalformedAddress,
  type NetworkKind,
  networkOf,
  type RecognizedAddress,
} from "./address-networks.ts";
import { noAddress } from "./no-address.ts";

/** The operations whose table in the interface lists P2PKH, P2SH and Bech32 (P2WPKH and P2WSH) as supported formats. */
const BITCOIN_ONLY_OPERATIONS: ReadonlySet<string> = new Set([
  "createPayout",
  "createPayoutV2",
  "createAndFirstAuthorizationPayout",
  "createAndFirstAuthorizationPayoutV2",
]);

/** The address types that the creations list; for others "the address formats of Ethereum or Litecoin". */
const LISTED_TYPES: ReadonlySet<string> = new Set(["P2PKH", "P2SH", "P2WPKH", "P2WSH", "Ethereum"]);

/** The destination address if it may be paid from the custody account; otherwise reports the problem. */
export function checkDestination(
  context: RowContext,
  custodyAccount: CustodyAccount | undefined,
): RecognizedAddress | undefined {
  const { row, policy, report, warn } = context;
  const { destinationAddress, destinationAccountId } = row.values;
  checkExactlyOne(context);
  if (custodyAccount !== undefined && destinationAccountId === custodyAccount.id)
    report("destinationAccountId", problem("DESTINATION_IS_SOURCE", {}));
  if (destinationAddress === undefined) return undefined;
  const address = recognizeAddress(destinationAddress);
  const refusal = addressRefusal(address, custodyAccount, policy.network);
  if (refusal !== undefined) report("destinationAddress", refusal);
  if ("malformed" in address) return undefined;
  if (refusal === undefined && !address.hasChecksum)
    warn(
      "destinationAddress",
      problem("ADDRESS_WITHOUT_CHECKSUM", { text: escapedText(destinationAddress) }),
    );
  return address;
}

function checkExactlyOne({ row, hasColumn, report }: RowContext): void {
  const isGiven = (column: "destinationAddress" | "destinationAccountId") =>
    row.values[column] !== undefined || row.unreadable.has(column);
  const [address, account] = [isGiven("destinationAddress"), isGiven("destinationAccountId")];
  if (address && account) report("destinationAccountId", problem("DESTINATION_TWICE", {}));
  if (address || account) return;
  const column = hasColumn("destinationAddress") ? "destinationAddress" : "destinationAccountId";
  if (hasColumn(column)) report(column, problem("DESTINATION_MISSING", {}));
}

/** Why the address must not be paid; while the custody account is unknown, only a secret is reported. */
function addressRefusal(
  address: RecognizedAddress | MalformedAddress,
  custodyAccount: CustodyAccount | undefined,
  kind: NetworkKind,
): Problem | undefined {
  if ("malformed" in address && looksLikePrivateKey(address.text)) return problem("ADDRESS_IS_SECRET", {});
  if (custodyAccount === undefined) return undefined;
  const { name, currency, createOperation: operation = "createPayoutV2" } = custodyAccount;
  const network = networkOf(currency, kind);
  if (network === undefined || (currency !== "BTC" && BITCOIN_ONLY_OPERATIONS.has(operation)))
    return problem("ADDRESS_CURRENCY_UNSUPPORTED", { custodyAccount: name, currency, operation });
  if ("malformed" in address) {
    return noAddress(address.text, address.malformed, network.name);
  }
  const { text, type, networks } = address;
  if (!networks.includes(network)) {
    const found = networks.map((network) => network.name).join(" or ");
    return problem("ADDRESS_WRONG_NETWORK", { text, found, expected: network.name });
  }
  return LISTED_TYPES.has(type) ? undefined : problem("ADDRESS_TYPE_UNSUPPORTED", { text, type });
}
