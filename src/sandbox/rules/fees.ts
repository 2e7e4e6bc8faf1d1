/**
 * What a payout costs in network fees: a fee rate by policy times the virtual size of its transaction, in satoshi.
 * The service's own estimate is not shown; the sizes are those of a wallet that spends P2WPKH outputs (BIP 141).
 */
import { Decimal } from "../../money/index.ts";
import type { FeePolicy } from "../../wire/index.ts";
import type { AddressFormat } from "./addresses.ts";

/** sat/vb for each policy but CUSTOM. */
export type FeeRates = Readonly<Record<Exclude<FeePolicy, "CUSTOM">, number>>;

export const DEFAULT_FEE_RATES: FeeRates = { SLOW: 2, NORMAL: 5, FAST: 12 };

/** The fee rate in sat/vb that a payout asks for; NORMAL when it names no policy. */
export function feeRateOf(feePolicy: FeePolicy, customFeeRate: number | undefined, rates: FeeRates): number {
  return feePolicy === "CUSTOM" ? (customFeeRate ?? rates.NORMAL) : rates[feePolicy];
}

/** The fee in bitcoin, 8 decimals. A transfer to an account pays a P2WPKH output. */
export function feeOf(
  feeRateSatPerVbyte: number,
  destination: AddressFormat,
  useCoinConsolidation: boolean,
): Decimal {
  const inputs = useCoinConsolidation ? CONSOLIDATED_INPUTS : 1;
  return Decimal.of(String(feeRateSatPerVbyte))
    .times(Decimal.of(String(virtualSize(destination, inputs))))
    .times(SATOSHI);
}

const SATOSHI = Decimal.of("0.00000001");
const CONSOLIDATED_INPUTS = 3;

const OVERHEAD_VBYTES = 10.5;
const INPUT_VBYTES = 68;
const CHANGE_VBYTES = 31;
const OUTPUT_VBYTES: Readonly<Record<AddressFormat, number>> = { P2PKH: 34, P2SH: 32, P2WPKH: 31, P2WSH: 43 };

function virtualSize(destination: AddressFormat, inputs: number): number {
  return Math.ceil(OVERHEAD_VBYTES + inputs * INPUT_VBYTES + OUTPUT_VBYTES[destination] + CHANGE_VBYTES);
}
