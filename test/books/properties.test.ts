import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { questionsCsv } from "../../src/books/formats/exceptions-csv.ts";
import { hledgerJournal as hledgerRendering } from "../../src/books/formats/hledger-journal.ts";
import { ledgerCsv as csvRendering } from "../../src/books/formats/ledger-csv.ts";
import { ledgerTable } from "../../src/books/formats/ledger-table.ts";
import type { Rendering } from "../../src/books/formats/rendering.ts";
import { checkBalance, type LedgerPolicy } from "../../src/books/index.ts";
import { allocate } from "../../src/books/rules/allocate.ts";
import { type ObservedFunds, payoutId } from "../../src/model/index.ts";
import { currencyScales, Decimal } from "../../src/money/index.ts";
import { configured } from "../config/ledger-exports.ts";
import { book, btc, COLD, deposit, eur, funds, payout, policyWith, rateIntoEur } from "./movements.ts";
import { filesOf, ledgerCsv, trialBalance } from "./whole-files.ts";

const format = { functionalCurrency: "EUR", scales: currencyScales() };

const satoshi = fc.integer({ min: 1, max: 2_000_000_000 });
const btcOf = (units: number) => btc(`${units}e-8`);
const rates = fc.integer({ min: 1, max: 200_000_000 }).map((units) => rateIntoEur(`${units}e-3`));
const instants = fc
  .date({ min: new Date("2026-01-01"), max: new Date("2026-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString());
const texts = fc.string({ unit: "binary", maxLength: 12 });

const payouts = fc
  .array(
    fc.record({
      units: satoshi,
      feeUnits: fc.integer({ min: 0, max: 50_000 }),
      rate: rates,
      confirmedAt: instants,
      subtractFee: fc.boolean(),
      toOwn: fc.boolean(),
      name: fc.constantFrom("Contractors", "Shared", "nowhere"),
      text: texts,
    }),
    { maxLength: 8 },
  )
  .map((rows) =>
    rows.map(({ units, feeUnits, rate, confirmedAt, subtractFee, toOwn, name, text }, index) =>
      payout(`p${index}`, {
        requestedAmount: btcOf(units + (subtractFee ? feeUnits : 0)),
        subtractFee,
        reference: text,
        generalLedgerName: name,
        generalLedgerProject: text,
        ...(toOwn && { destinationAccountId: COLD }),
        sentFunds: [funds({ txHash: text, amount: btcOf(units), fee: btcOf(feeUnits), rate, confirmedAt })],
      }),
    ),
  );

const deposits = fc
  .array(
    fc.record({
      parts: fc.array(
        fc.record({ units: satoshi, rate: rates, confirmedAt: instants, createdAt: instants }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      claimedCents: fc.integer({ min: 1, max: 900_000_000 }),
      claimedUnits: satoshi,
      fixedRate: rates,
      expiresAt: instants,
      kind: fc.constantFrom("fixed", "fiat", "crypto", "none"),
      state: fc.constantFrom("COMPLETED", "EXPIRED", "RECEIVING_FUNDS"),
    }),
    { maxLength: 5 },
  )
  .map((rows) =>
    rows.map(({ parts, claimedCents, claimedUnits, fixedRate, expiresAt, kind, state }, index) =>
      deposit(`d${index}`, {
        state,
        ...((kind === "fixed" || kind === "fiat") && { requestedInFiat: eur(`${claimedCents}e-2`) }),
        ...((kind === "fixed" || kind === "crypto") && { requestedInCrypto: btcOf(claimedUnits) }),
        ...(kind === "fixed" && { fixedRate, expiresAt }),
        receivedFunds: parts.map(
          ({ units, ...others }, part): ObservedFunds =>
            funds({ transactionId: `t${part}`, amount: btcOf(units), ...others }),
        ),
      }),
    ),
  );

const policies = fc
  .record({
    subtractFee: fc.constantFrom("memo", "expense"),
    depositValuation: fc.constantFrom("fixed", "market"),
    depositShort: fc.constantFrom("open", "write-off"),
    closedThrough: fc.constantFrom(undefined, "2026-06-30"),
    instructed: fc.boolean(),
  })
  .map(
    ({ instructed, ...rules }): LedgerPolicy =>
      policyWith({
        ...rules,
        isInstructed: (id) => instructed || id === payoutId("p0"),
      } as Partial<LedgerPolicy>),
  );

const books = fc.record({ payouts, deposits, policy: policies });

const sum = (values: readonly string[]) => Decimal.sum(values.filter((text) => text !== "").map(Decimal.of));

describe("for all movements", () => {
  test("every entry balances, and nothing is dated in a closed period", () => {
    fc.assert(
      fc.property(books, (input) => {
        const { entries } = book(input);
        for (const entry of entries) checkBalance(entry);
        const { closedThrough = "" } = input.policy;
        expect(entries.filter(({ bookDay }) => bookDay <= closedThrough)).toEqual([]);
        expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length);
      }),
    );
  });

  test("a deposit that is applied leaves nothing on deposits clearing", () => {
    fc.assert(
      fc.property(books, (input) => {
        const { entries, facts } = book(input);
        const applied = new Set(
          facts.flatMap((fact) => (fact.kind === "deposit-apply" ? [fact.depositId as string] : [])),
        );
        const rows = trialBalance(entries.filter(({ sourceId }) => applied.has(sourceId))).rows;
        const clearing = rows.filter(({ code }) => code === "2210");
        expect(
          clearing.every(
            ({ balance, quantities }) => balance.isZero() && quantities.every(({ value }) => value.isZero()),
          ),
        ).toBe(true);
      }),
    );
  });

  test("the treasury gives exactly what was sent with its fees and gets exactly what came", () => {
    fc.assert(
      fc.property(books, (input) => {
        const { entries, facts } = book(input);
        const treasury = trialBalance(entries).rows.filter(({ code }) => code === "1510" || code === "1520");
        const moved = Decimal.sum(treasury.flatMap(({ quantities }) => quantities.map(({ value }) => value)));
        const expected = facts.map((fact) => {
          if (fact.kind === "deposit-receipt") return fact.part.quantity.value;
          if (fact.kind === "deposit-apply") return Decimal.zero;
          const fee = fact.fee?.value ?? Decimal.zero;
          const isTransfer = fact.destinationAccountId === COLD;
          return (isTransfer ? fee : fact.net.value.plus(fee)).negated();
        });
        expect(moved.equals(Decimal.sum(expected))).toBe(true);
      }),
    );
  });

  test("posting again posts nothing, and the order of the observations does not matter", () => {
    fc.assert(
      fc.property(books, (input) => {
        const { entries } = book(input);
        expect(book({ ...input, posted: entries }).entries).toEqual([]);
        const reordered = {
          ...input,
          payouts: input.payouts.toReversed(),
          deposits: input.deposits.toReversed(),
        };
        expect(book(reordered).entries).toEqual(entries);
      }),
    );
  });

  test("the same entries render to the same bytes in whatever order they come, and in whatever parts", () => {
    const byProject = configured("preset: xero, linesMax: 7, settings: { taxRate: None }");
    fc.assert(
      fc.property(books, fc.integer({ min: 1, max: 5 }), (input, partLength) => {
        const { entries } = book(input);
        const renderings: readonly (() => Rendering)[] = [
          () => csvRendering(format),
          () => hledgerRendering(trialBalance(entries), format),
          () => questionsCsv(),
          () =>
            ledgerTable(byProject, { exportNumber: "000042", issuedAt: "2026-11-21T02:30:00.000Z" }, format),
        ];
        for (const rendering of renderings)
          expect(filesOf(rendering(), entries.toReversed(), partLength)).toEqual(
            filesOf(rendering(), entries),
          );
      }),
    );
  });

  test("the CSV read back has the control totals of the entries, and no cell that starts a formula", () => {
    fc.assert(
      fc.property(books, (input) => {
        const { entries } = book(input);
        const rows: Record<string, string>[] = parse(ledgerCsv(entries, format), { columns: true });
        const lines = entries.flatMap((entry) => entry.lines);
        expect(rows).toHaveLength(lines.length);
        const { debit, credit } = trialBalance(entries);
        expect(sum(rows.map((row) => row["debit"] ?? "")).equals(debit)).toBe(true);
        expect(sum(rows.map((row) => row["credit"] ?? "")).equals(credit)).toBe(true);
        const quantity = Decimal.sum(lines.flatMap((line) => line.quantity?.value ?? []));
        expect(sum(rows.map((row) => row["quantity"] ?? "")).equals(quantity)).toBe(true);
        const texts = rows.flatMap(({ debit: _d, credit: _c, quantity: _q, ...others }) =>
          Object.values(others),
        );
        expect(texts.filter((text) => /^([=+@\t\r\n]|-(?!\d[\d.,]*$))/.test(text))).toEqual([]);
      }),
    );
  });
});

describe("for all splits", () => {
  test("the unit that is left goes to the largest remainder, and to the first of equal ones", () => {
    const split = (total: string, ...shares: string[]) =>
      allocate(Decimal.of(total), shares.map(Decimal.of), 2).map(String);
    expect(split("1.00", "0.333", "0.333", "0.334")).toEqual(["0.33", "0.33", "0.34"]);
    expect(split("0.01", "0.5", "0.5")).toEqual(["0.01", "0.00"]);
  });

  test("the parts add up exactly, and none is a unit away from its share", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        weights,
        fc.integer({ min: 0, max: 8 }),
        (units, given, scale) => {
          const shares = sharesOf(given);
          const total = Decimal.of(`${units}e-${scale}`);
          const parts = allocate(total, shares, scale);
          expect(Decimal.sum(parts).equals(total)).toBe(true);
          for (const [index, part] of parts.entries()) {
            const away = part.minus(total.times(shares[index] ?? Decimal.zero)).absolute();
            expect(away.compare(Decimal.of(`1e-${scale}`))).toBeLessThan(0);
            expect(part.isNegative()).toBe(false);
          }
        },
      ),
    );
  });
});

/** Shares of six digits; the last is the remainder to 1. */
function sharesOf(weights: readonly number[]): Decimal[] {
  const total = Decimal.of(String(weights.reduce((left, right) => left + right, 0)));
  const all = weights.slice(1).map((weight) => Decimal.of(String(weight)).dividedBy(total, 6));
  return [...all, Decimal.of("1").minus(Decimal.sum(all))];
}
