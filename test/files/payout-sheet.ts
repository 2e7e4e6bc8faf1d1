/** Instructions as a table of texts, with the header words and spellings that a sender may choose. */
import fc from "fast-check";
import type { InitiationPolicy } from "../../src/files/reading/index.ts";
import { columnSynonyms } from "../../src/model/column-synonyms.ts";
import { type ColumnName, payoutColumns } from "../../src/model/columns.ts";
import type { InstructionFields } from "../../src/model/index.ts";
import { ACCOUNTS, POLICY } from "./legal-instructions.ts";

export interface PayoutSheet {
  /** In file order; undefined for the sender's own column. */
  readonly columns: readonly { readonly name: ColumnName | undefined; readonly header: string }[];
  /** By column; "" for nothing. Amounts are plain digits with a decimal point. */
  readonly rows: readonly (readonly string[])[];
}

/** A sender's wording of a table: seeds for choices among the allowed ones. */
export interface Wording {
  readonly order: number;
  readonly alias: number;
  readonly isAccountNamed: boolean;
  readonly yes: string;
  readonly no: string;
  readonly ownColumn: string;
}

export const wordings: fc.Arbitrary<Wording> = fc
  .record({
    order: fc.nat(),
    alias: fc.nat(),
    isAccountNamed: fc.boolean(),
    yesNo: fc.constantFrom(["true", "false"], ["Yes", "No"], ["1", "0"], ["TRUE", "FALSE"]),
    ownColumn: fc.constantFrom("Remarque privée", "Our note", "メモ"),
  })
  .map(({ yesNo: [yes = "", no = ""], ...others }) => ({ yes, no, ...others }));

export function payoutSheet(instructions: readonly InstructionFields[], wording: Wording): PayoutSheet {
  const texts = instructions.map((fields) => textsOf(fields, wording));
  const used = payoutColumns.filter(
    ({ name }) => isNeeded(name) || texts.some((row) => row[name] !== undefined),
  );
  const columns = [
    ...used.map(({ name }) => {
      const names = [name, ...(columnSynonyms.get(name) ?? [])];
      return { name, header: names[wording.alias % names.length] ?? name };
    }),
    { name: undefined, header: wording.ownColumn },
  ];
  const shift = wording.order % columns.length;
  const ordered = [...columns.slice(shift), ...columns.slice(0, shift)];
  return {
    columns: ordered,
    rows: texts.map((row) =>
      ordered.map(({ name }) => (name === undefined ? "anything" : (row[name] ?? ""))),
    ),
  };
}

/** Every sheet has a column of addresses and one of accounts. */
function isNeeded(name: ColumnName): boolean {
  return name === "reference" || name === "amount" || name === "accountId" || name === "destinationAddress";
}

function textsOf(
  fields: InstructionFields,
  { isAccountNamed, yes, no }: Wording,
): Partial<Record<ColumnName, string>> {
  const account = ACCOUNTS.find(({ id }) => id === fields.custodyAccountId);
  const yesNo = (value: boolean | undefined) => (value === undefined ? undefined : value ? yes : no);
  const { amount, custodyAccountId, customFeeRateSatPerVbyte, username, callbackUrl, ...others } = fields;
  const given = {
    ...others,
    username: username === POLICY.defaults.username ? undefined : username,
    accountId: isAccountNamed ? account?.name : custodyAccountId,
    amount: amount.value.toString(),
    currency: isAccountNamed ? amount.currency.toLowerCase() : undefined,
    customFeeRate: customFeeRateSatPerVbyte?.toString(),
    subtractFee: yesNo(fields.subtractFee),
    verifyBalance: yesNo(fields.verifyBalance),
    useCoinConsolidation: yesNo(fields.useCoinConsolidation),
    batchingAllowed: yesNo(fields.batchingAllowed),
  };
  return Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined));
}

type NumberFormat = InitiationPolicy["numberFormat"];

export const numberFormats: fc.Arbitrary<NumberFormat> = fc.constantFrom(
  "auto",
  "1,234.56",
  "1.234,56",
  "1 234,56",
  "1'234.56",
);

/** The amount with the marks of the format. */
export function markedAmount(plain: string, format: NumberFormat): string {
  if (format === "auto") return plain;
  const [thousands = "", decimal = ""] = [format.charAt(1), format.charAt(5)];
  const [whole = "", decimals] = plain.split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return decimals === undefined ? grouped : grouped + decimal + decimals;
}
