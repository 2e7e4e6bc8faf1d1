/**
 * The network fee of a payout; the interface does not show the service's own estimate. Bitcoin and Litecoin: a fee
 * rate by policy times the virtual size of a transaction that spends P2WPKH outputs (BIP 141). Ethereum: a gas
 * price by policy times the 21000 gas of a plain transfer.
 */
import { Decimal } from "../../money/index.ts";
import type { FeePolicy } from "../../wire/index.ts";
import type { AddressFormat } from "./addresses.ts";

/** Smallest units (satoshi, litoshi) per virtual byte, for each policy but CUSTOM. */
type FeeRates = Readonly<Record<Exclude<FeePolicy, "CUSTOM">, number>>;

interface FeeRequest {
  readonly currency: string;
  readonly feePolicy: FeePolicy;
  readonly customFeeRate?: number | undefined;
  readonly useCoinConsolidation: boolean;
}

/** The fee in the currency itself: 8 decimals, 18 for Ethereum. A payout to an account pays to a P2WPKH output. */
export function feeOf(request: FeeRequest, destination: AddressFormat, rates: FeeRates): Decimal {
  if (request.currency === "ETH") return ethereumFee(request.feePolicy);
  const { feePolicy, customFeeRate = rates.NORMAL } = request;
  const feeRatePerVbyte = feePolicy === "CUSTOM" ? customFeeRate : rates[feePolicy];
  const inputs = request.useCoinConsolidation ? CONSOLIDATED_INPUTS : 1;
  return Decimal.of(String(feeRatePerVbyte))
    .times(Decimal.of(String(virtualSize(destination, inputs))))
    .times(SATOSHI);
}

const SATOSHI = Decimal.of("0.00000001");
const CONSOLIDATED_INPUTS = 3;

const OVERHEAD_VBYTES = 10.5;
const INPUT_VBYTES = 68;
const CHANGE_VBYTES = 31;
const OUTPUT_VBYTES: Readonly<Record<AddressFormat, number>> = {
  P2PKH: 34,
  P2SH: 32,
  P2WPKH: 31,
  P2WSH: 43,
  P2TR: 43,
  ETHEREUM: 0,
};

function virtualSize(destination: AddressFormat, inputs: number): number {
  return Math.ceil(OVERHEAD_VBYTES + inputs * INPUT_VBYTES + OUTPUT_VBYTES[destination] + CHANGE_VBYTES);
}

const TRANSFER_GAS = Decimal.of("21000");

/** In ether for one gas: 10, 20 and 40 gwei. */
const GAS_PRICES: Readonly<Record<FeePolicy, Decimal>> = {
  SLOW: Decimal.of("0.000000010000000000"),
  NORMAL: Decimal.of("0.000000020000000000"),
  FAST: Decimal.of("0.000000040000000000"),
  CUSTOM: Decimal.of("0.000000020000000000"),
};

function ethereumFee(feePolicy: FeePolicy): Decimal {
  return GAS_PRICES[feePolicy].times(TRANSFER_GAS);
}
