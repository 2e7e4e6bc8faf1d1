/** A report of a night of this service, with accounts, breaks and texts that are awkward to write. */

import { type NightReport, reportStep } from "../../src/nights/index.ts";
import { depositOf, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";

export const FORMULA = '=HYPERLINK("https://evil.example","INV-1")';
export const TAG = '<img src=x onerror="alert(1)">';

type Break = NightReport["night"]["breaks"]["listed"][number];
type ProofRow = NightReport["night"]["proof"][number];

/** What a real night has found, and beside it what few nights find. */
export async function madeUpReport(): Promise<NightReport> {
  const { shown, night, workplace } = await scriptedNights({ pays: ["INV-1"] });
  shown.payout = { payoutState: "COMPLETED", generalLedgerProject: FORMULA };
  shown.balance = OPENING + 0.5;
  shown.deposits = [
    depositOf("6f1cbb7e-0000-4000-8000-0000000000d1", [receiptOf("aa", 0.1), receiptOf("bb", 0.2)]),
  ];
  await night();
  const report = await reportStep(workplace);
  const [first] = report.night.breaks.listed;
  const [row] = report.night.proof;
  if (first === undefined || row === undefined) throw new Error("the night found nothing");
  return {
    ...report,
    night: { ...report.night, ...withProof(report.night, row), breaks: breaksWith(report.night, first) },
  };
}

/** 0.1 + 0.2 is not 0.3 in doubles; 16 digits are more than a double holds. */
function withProof({ proof }: NightReport["night"], row: ProofRow): Pick<NightReport["night"], "proof"> {
  const odd = {
    ...row,
    account: "odd",
    opening: "0.1",
    received: "0.2",
    transferredIn: "0",
    sent: "0.3",
    fees: "0",
  };
  const long = "12345678.12345678";
  return {
    proof: [
      ...proof,
      { ...odd, expected: "0", found: "0", difference: "0", ties: true },
      {
        ...odd,
        account: "long",
        opening: long,
        sent: "0",
        expected: "12345678.42345678",
        found: long,
        difference: "-0.3",
        ties: false,
      },
    ],
  };
}

function breaksWith({ breaks }: NightReport["night"], first: Break): NightReport["night"]["breaks"] {
  const { stake: _, ...without } = first;
  const listed: Break[] = [
    { ...first, stake: { currency: "BTC", amount: "0.1" } },
    {
      ...first,
      opening: "BR-91",
      reference: FORMULA,
      sentence: TAG,
      stake: { currency: "BTC", amount: "0.2" },
    },
    {
      ...first,
      opening: "BR-92",
      reference: `A-${"x".repeat(120)}`,
      stake: { currency: "EUR", amount: "1234.5" },
    },
    { ...without, opening: "BR-93", sentence: "a text\nof two lines\u202e" },
  ];
  const atStake = [
    { currency: "BTC", amount: "0.3" },
    { currency: "EUR", amount: "1234.5" },
  ];
  const ageing = breaks.ageing.map((each) =>
    each.bucket === first.age.bucket
      ? { ...each, count: listed.length, atStake }
      : { ...each, count: 0, atStake: [] },
  );
  return {
    ...breaks,
    alarms: listed.length,
    warnings: 0,
    notes: 0,
    opened: listed.length,
    atStake,
    ageing,
    listed,
  };
}
