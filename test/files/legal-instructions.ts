/** Random instructions that Paydrop must accept: every field of the interface, every kind of account and address. */
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, createBase58check } from "@scure/base";
import fc from "fast-check";
import type { InitiationPolicy } from "../../src/files/reading/index.ts";
import { feePolicies } from "../../src/model/columns.ts";
import { custodyAccountId, type InstructionFields } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { policyWith, SAVINGS, TREASURY } from "./reading/grids.ts";

const LITECOIN = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000003");
const ETHER = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000004");
const createOperation = "createPayoutWithFirstAuthorization";

export const ACCOUNTS: InitiationPolicy["custodyAccounts"] = [
  { id: TREASURY, name: "treasury-btc", currency: "BTC" },
  { id: SAVINGS, name: "savings-btc", currency: "BTC" },
  { id: LITECOIN, name: "treasury-ltc", currency: "LTC", createOperation },
  { id: ETHER, name: "treasury-eth", currency: "ETH", createOperation },
];

export const POLICY: InitiationPolicy = policyWith({
  custodyAccounts: ACCOUNTS,
  limits: {
    perRow: { BTC: Decimal.of("10000000"), LTC: Decimal.of("10000000"), ETH: Decimal.of("10000000") },
    perFile: { BTC: Decimal.of("1000000000"), LTC: Decimal.of("1000000000"), ETH: Decimal.of("1000000000") },
  },
});

/** Up to nine rows with unique references. */
export function instructions(): fc.Arbitrary<readonly InstructionFields[]> {
  return fc.uniqueArray(fc.oneof(...ACCOUNTS.map(instructionFrom)), {
    selector: ({ reference }) => reference.toLowerCase(),
    minLength: 1,
    maxLength: 9,
  });
}

type Account = (typeof ACCOUNTS)[number];

function instructionFrom({ id, currency }: Account): fc.Arbitrary<InstructionFields> {
  const optional = { requiredKeys: [] as never[] };
  const required = fc.record({
    reference: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,19}$/),
    amount: amountIn(currency),
    destination: destinationIn(currency),
    fee: feeIn(currency),
  });
  const plain = fc.record(
    {
      customerId: fc.oneof(line, lines),
      verifyBalance: fc.boolean(),
      orderCodeName: line,
      generalLedgerName: line,
      generalLedgerProject: line,
      generalLedgerDistribution: line,
      username: fc.stringMatching(/^[a-z][a-z0-9-]{0,11}$/),
      payOn: dayFromToday,
    },
    optional,
  );
  const bitcoinOnly = fc.record(
    { subtractFee: fc.boolean(), useCoinConsolidation: fc.boolean(), batchingAllowed: fc.boolean() },
    optional,
  );
  const { username, callbackUrl } = POLICY.defaults;
  return fc
    .tuple(required, plain, currency === "BTC" ? bitcoinOnly : fc.constant({}))
    .map(([{ reference, amount, destination, fee }, ...others]) =>
      Object.assign(
        { username, callbackUrl, custodyAccountId: id, reference, amount, ...destination, ...fee },
        ...others,
      ),
    );
}

function amountIn(currency: string): fc.Arbitrary<InstructionFields["amount"]> {
  const scale = currency === "ETH" ? 18 : 8;
  const wholes = fc.nat({ max: 9_999_999 }).map(String);
  const decimals = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** BigInt(scale) - 1n }), fc.nat({ max: scale }))
    .map(([digits, length]) =>
      String(digits)
        .padStart(scale, "0")
        .slice(scale - length),
    );
  return fc
    .tuple(wholes, decimals)
    .map(([whole, decimal]) => Decimal.of(decimal === "" ? whole : `${whole}.${decimal}`).normalized())
    .filter((value) => !value.isZero())
    .map((value) => ({ currency, value }));
}

const base58check = createBase58check(sha256);

function destinationIn(
  currency: string,
): fc.Arbitrary<Pick<InstructionFields, "destinationAddress" | "destinationAccountId">> {
  const account = fc.uuid().map((uuid) => ({ destinationAccountId: custodyAccountId(uuid) }));
  const payload = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const address = fc.tuple(payload, fc.constantFrom("P2PKH", "P2SH", "P2WPKH", "P2WSH"));
  const written = address.map(([bytes, kind]) => ({ destinationAddress: addressOf(currency, kind, bytes) }));
  return fc.oneof({ weight: 4, arbitrary: written }, { weight: 1, arbitrary: account });
}

/** Derived from hashes of random bytes, so nobody has the key. */
function addressOf(currency: string, kind: string, bytes: Uint8Array): string {
  const hash = ripemd160(bytes);
  if (currency === "ETH") return `0x${Buffer.from(hash).toString("hex")}`;
  const [p2pkh, p2sh, prefix] = currency === "BTC" ? [0x00, 0x05, "bc"] : [0x30, 0x32, "ltc"];
  if (kind === "P2PKH") return base58check.encode(Uint8Array.of(Number(p2pkh), ...hash));
  if (kind === "P2SH") return base58check.encode(Uint8Array.of(Number(p2sh), ...hash));
  const program = kind === "P2WPKH" ? hash : sha256(bytes);
  return bech32.encode(String(prefix), [0, ...bech32.toWords(program)]);
}

type Fee = Pick<InstructionFields, "feePolicy" | "customFeeRateSatPerVbyte">;

function feeIn(currency: string): fc.Arbitrary<Fee> {
  const named = fc.constantFrom(...feePolicies.filter((name) => name !== "CUSTOM"), undefined);
  const plain: fc.Arbitrary<Fee> = named.map((feePolicy) => (feePolicy === undefined ? {} : { feePolicy }));
  if (currency !== "BTC") return plain;
  const custom = fc.integer({ min: 1, max: 5000 });
  return fc.oneof(
    plain,
    custom.map((rate): Fee => ({ feePolicy: "CUSTOM", customFeeRateSatPerVbyte: rate })),
  );
}

/** Invisible characters are refused, and the ends are trimmed. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Empty, and the texts that spreadsheet programs write for errors. */
const ERROR_TEXT = /^(?:#(?:\S+[!?]|\S\/\S|NV|#*))?$/;

const visible = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."aB1 ,;|\"'=-+@éÜß€“#_x0D<&>."), minLength: 1, maxLength: 14 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 }),
);

const line = visible
  .map((text) => text.replace(INVISIBLE, "").trim())
  .filter((text) => !ERROR_TEXT.test(text));
const lines = fc.tuple(line, fc.constantFrom("\n", "\r\n"), line).map((parts) => parts.join(""));

const dayFromToday = fc
  .date({ min: new Date("2026-11-20T00:00:00Z"), max: new Date("2099-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
