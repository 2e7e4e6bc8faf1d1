/** Files of expected receipts: taken in whole or not at all, with every mistake on its cell, and recognised again. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { describe, expect, test } from "vitest";
import { expectFileStep } from "../../src/expected/index.ts";
import { submitFile } from "../../src/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { openPlace } from "../site/workplace.ts";
import {
  answered,
  answerRows,
  answerText,
  csv,
  expectations,
  expectText,
  expectWorkbook,
  HEAD,
  row,
} from "./place.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const BTC = "6f1cbb7e-0000-4000-8000-000000000001";

describe("a file of expected receipts", () => {
  test("is stored row by row, and answered beside its rows", async () => {
    const place = openPlace();
    const report = await expectText(
      place,
      csv(
        row("INV-1", "Ada", "0.5", "2036-12-01"),
        "INV-2,Bert,savings-btc,100.50,EUR,2026-12-24,2036-12-31T12:00:00Z,yes",
        "INV-3,,,0.25,,,,",
      ),
    );
    expect(report).toMatchObject({ verdict: "accepted", number: 1, rowsRead: 3, problems: [] });
    expect(report.totals.map(({ currency, amount }) => `${amount} ${currency}`)).toEqual([
      "0.75 BTC",
      "100.5 EUR",
    ]);
    expect(await expectations(place)).toMatchObject([
      {
        reference: "INV-1",
        customerId: "Ada",
        custodyAccountId: BTC,
        dueDay: "2036-12-01",
        creates: false,
        line: 2,
      },
      {
        ...{ reference: "INV-2", customerId: "Bert", custodyAccountId: BTC.replace(/1$/, "2") },
        ...{ amount: { currency: "EUR" }, rateUntil: "2036-12-31T12:00:00.000Z", creates: true, line: 3 },
      },
      { reference: "INV-3", custodyAccountId: BTC, amount: { currency: "BTC" }, line: 4 },
    ]);
    expect(answered(place)).toEqual(["receivables.expected.csv", "receivables.expected.csv.txt"]);
    expect(answerRows(place, "receivables.expected.csv").get("INV-1")).toMatchObject({ standing: "due" });
    expect(answerText(place, "receivables.expected.csv.txt")).toContain("3 receipts are expected");
    expect(await place.workplace.store.read(() => listAudit(["file 1"]))).toMatchObject([
      { action: "expect", person: "alice" },
    ]);
  });

  test.each([
    [
      "German",
      "Rechnung;Kunde;Konto;Betrag;Währung;Fällig am;Kurs gültig bis",
      "R-1;Ada;treasury-btc;100,50;EUR;01.12.2026;31.12.2036",
    ],
    [
      "French",
      "Facture;Client;Compte;Montant;Devise;Date d'échéance;Taux valable jusqu'au",
      "R-1;Ada;treasury-btc;100,50;EUR;01/12/2026;31/12/2036",
    ],
    [
      "Spanish",
      "Factura;Cliente;Cuenta;Importe;Moneda;Fecha de vencimiento;Válido hasta",
      "R-1;Ada;treasury-btc;100,50;EUR;01/12/2026;2036-12-31",
    ],
    [
      "Italian",
      "Fattura;Cliente;Conto;Importo;Valuta;Scadenza;Valido fino al",
      "R-1;Ada;treasury-btc;100,50;EUR;01/12/2026;2036-12-31",
    ],
    [
      "Dutch",
      "Factuur;Klant;Rekening;Bedrag;Valuta;Vervaldatum;Geldig tot",
      "R-1;Ada;treasury-btc;100,50;EUR;01-12-2026;2036-12-31",
    ],
    [
      "Polish",
      "Faktura;Klient;Konto;Kwota;Waluta;Termin płatności;Ważny do",
      "R-1;Ada;treasury-btc;100,50;EUR;01.12.2026;2036-12-31",
    ],
    [
      "Russian",
      "Счёт;Плательщик;account;Сумма;Валюта;Срок оплаты;Действует до",
      "R-1;Ada;treasury-btc;100,50;EUR;01.12.2026;2036-12-31",
    ],
  ])("is read with %s column names", async (_language, head, line) => {
    const place = openPlace({ PAYDROP_FILES_DATE_FORMAT: "DD/MM/YYYY" });
    const report = await expectText(place, `${head}\r\n${line}\r\n`);
    expect(report.problems).toEqual([]);
    const [kept] = await expectations(place);
    expect(kept).toMatchObject({
      ...{ reference: "R-1", customerId: "Ada", custodyAccountId: BTC, dueDay: "2026-12-01" },
      // A day means the end of that day in the company's time zone.
      rateUntil: "2036-12-31T23:00:00.000Z",
    });
    expect(`${kept?.amount.value} ${kept?.amount.currency}`).toBe("100.5 EUR");
  });

  test("is returned whole with every mistake on its cell, and no row of it counts", async () => {
    const place = openPlace();
    const text = csv(
      row("INV-1", "Ada", "0.5"),
      row("", "Ada", "0.5"),
      row("INV-3", "Ada", "half"),
      "INV-4,Ada,nowhere,0.1,BTC,,,",
      row("INV-5", "Ada", "0.1", "2026-02-30"),
      row("INV-1", "Ada", "0.1"),
      "INV-7,Ada,treasury-btc,0.1,BTC,,2036-12-31,",
      "INV-8,Ada,treasury-btc,10,EUR,,2020-01-01,",
      "INV-9,Ada,treasury-btc,0.1,ETH,,,",
      "INV-10,Ada,treasury-btc,0.123456789,BTC,,,",
      "INV-11,Ada,treasury-btc,0.1,BTC,,,perhaps",
      row("INV-12", "Ada", "-1"),
    );
    const report = await expectText(place, text);
    expect(report.verdict).toBe("rejected");
    const found = report.problems.map(({ line, column, code }) => `${line} ${column} ${code}`);
    expect(found).toEqual([
      "3 reference VALUE_MISSING",
      "4 amount AMOUNT_UNREADABLE",
      "5 account CUSTODY_ACCOUNT_UNKNOWN",
      "6 due day VALUE_MALFORMED",
      "7 reference REFERENCE_REPEATED",
      "8 rate until EXPECTED_RATE_UNFIT",
      "9 rate until EXPECTED_RATE_UNFIT",
      "10 currency CURRENCY_DIFFERS",
      "11 amount AMOUNT_TOO_PRECISE",
      "12 create VALUE_MALFORMED",
      "13 amount AMOUNT_NOT_POSITIVE",
    ]);
    expect(await expectations(place)).toEqual([]);
    expect(answered(place)).toEqual(["receivables.rejected.csv", "receivables.rejected.csv.txt"]);
    const answer = answerText(place, "receivables.rejected.csv");
    for (const { message } of report.problems) expect(answer).toContain(message.replaceAll('"', '""'));
  });

  test("that is a workbook has its wrong cells named and marked red", async () => {
    const place = openPlace();
    const report = await expectWorkbook(place, [
      ["Open items"],
      ["Invoice", "Customer", "Amount (BTC)", "Due date", "Remark"],
      ["INV-1", "Ada", 0.5, new Date("2026-12-01T00:00:00Z"), "call first"],
      ["INV-2", "Bert", "1,234", "01/02/2026", ""],
    ]);
    expect(report.unread).toEqual(["Remark"]);
    expect(report.problems.map(({ cell, code }) => `${cell} ${code}`).sort()).toEqual([
      "C4 AMOUNT_FORMATS_MIXED",
      "D4 DATE_AMBIGUOUS",
    ]);
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(join(place.folder, "outbox", "expected", "receivables.rejected.xlsx"));
    const sheet = workbook.getWorksheet("Receivables");
    for (const cell of ["C4", "D4"])
      expect(sheet?.getCell(cell).fill).toMatchObject({ fgColor: { argb: "FFFFC7CD" } });
    expect(sheet?.getCell("C3").fill).toBeUndefined();
  });

  test("is rejected if its last row is the total of the others", async () => {
    const place = openPlace();
    const report = await expectText(
      place,
      csv(row("INV-1", "Ada", "0.5"), row("INV-2", "Bert", "0.25"), row("Total", "", "0.75")),
    );
    expect(report.problems).toMatchObject([{ code: "EXPECTED_ROW_IS_TOTAL", line: 4, column: "amount" }]);
    expect(await expectations(place)).toEqual([]);
  });

  test("is recognised by its bytes under any name", async () => {
    const place = openPlace();
    const text = csv(row("INV-1", "Ada", "0.5"));
    await expectText(place, text);
    const again = await expectText(place, text, "copy of receivables.csv");
    expect(again).toMatchObject({ verdict: "known", number: 1, problems: [{ code: "EXPECTED_FILE_KNOWN" }] });
    expect(await expectations(place)).toHaveLength(1);
  });

  test("is recognised as a corrected answer; then its rejection is removed", async () => {
    const place = openPlace();
    await expectText(place, csv(row("INV-1", "Ada", "half"), row("INV-2", "Bert", "0.2")));
    const rejected = join(place.folder, "outbox", "expected", "receivables.rejected.csv");
    const corrected = readFileSync(rejected, "utf8").replace("half", "0.5");
    const path = join(place.folder, "mine.csv");
    writeFileSync(path, corrected);
    const report = await expectFileStep(place.workplace, path, "alice");
    expect(report).toMatchObject({ verdict: "accepted", corrects: "receivables.csv" });
    expect((await expectations(place)).map(({ reference }) => reference)).toEqual(["INV-1", "INV-2"]);
    expect(answered(place)).toEqual(["receivables.expected.csv", "receivables.expected.csv.txt"]);
  });

  test("is rejected for a reference that an expectation or a deposit already has", async () => {
    const place = openPlace();
    await expectText(place, csv(row("INV-1", "Ada", "0.5")));
    const report = await expectText(
      place,
      csv(row("inv-1", "Ada", "0.5"), row("INV-2", "Ada", "1")),
      "more.csv",
    );
    expect(report.problems).toMatchObject([{ code: "EXPECTED_REFERENCE_USED", line: 2 }]);
    expect(await expectations(place)).toHaveLength(1);
  });

  test("has its own answer even if another file has its name", async () => {
    const place = openPlace();
    await expectText(place, csv(row("INV-1", "Ada", "0.5")));
    await expectText(place, csv(row("INV-2", "Ada", "0.5")));
    expect(answered(place).filter((name) => name.endsWith(".csv"))).toEqual([
      "receivables (2).expected.csv",
      "receivables.expected.csv",
    ]);
  });

  test("is refused if it holds payments, or an address in any column", async () => {
    const place = openPlace();
    copyFileSync(join(place.folder, "payouts.csv"), join(place.folder, "wrong.csv"));
    const paid = await expectFileStep(place.workplace, join(place.folder, "wrong.csv"), "alice");
    expect(paid).toMatchObject({ verdict: "refused", problems: [{ code: "EXPECTED_HAS_ADDRESSES" }] });
    const beside = await expectText(place, `${HEAD},note\r\n${row("INV-1", "Ada", "0.5")},${ADDRESS}\r\n`);
    expect(beside).toMatchObject({
      verdict: "refused",
      problems: [{ code: "EXPECTED_HAS_ADDRESSES", line: 2 }],
    });
    expect(await expectations(place)).toEqual([]);
    expect(answered(place)).toEqual(["receivables.csv.refused.txt", "wrong.csv.refused.txt"]);
  });

  test("is recognised as such if it is sent in as a payment file", async () => {
    const place = openPlace();
    const path = join(place.folder, "receivables.csv");
    writeFileSync(path, csv(row("INV-1", "Ada", "0.5")));
    const report = await submitFile(place.workplace, path, "alice");
    expect(report).toMatchObject({ verdict: "refused", problems: [{ code: "EXPECTED_IN_INBOX" }] });
  });

  test("is refused or rejected with the reason if it has no rows, lacks columns or is no spreadsheet", async () => {
    const place = openPlace();
    expect((await expectText(place, `${HEAD}\r\n`)).problems).toMatchObject([{ code: "EXPECTED_NO_ROWS" }]);
    const missing = await expectText(place, "reference,customer\r\nINV-1,Ada\r\n", "b.csv");
    expect(missing.problems).toMatchObject([
      { code: "EXPECTED_COLUMNS_MISSING", message: expect.stringMatching(/: amount$/) },
    ]);
    const twice = await expectText(place, "reference,invoice,amount\r\nINV-1,INV-2,0.5\r\n", "c.csv");
    expect(twice.problems).toMatchObject([{ code: "EXPECTED_COLUMN_TWICE" }]);
    expect((await expectText(place, "%PDF-1.4\n", "d.csv")).verdict).toBe("refused");
  });

  test("is kept aside and never quoted if it holds a private key", async () => {
    const place = openPlace();
    const key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
    const report = await expectText(place, `${HEAD},note\r\n${row("INV-1", "Ada", "0.5")},${key}\r\n`);
    expect(report.problems).toMatchObject([{ code: "VALUE_IS_SECRET" }]);
    for (const name of answered(place)) expect(answerText(place, name)).not.toContain(key);
    expect(JSON.stringify(report)).not.toContain(key);
    expect(await expectations(place)).toEqual([]);
  });
});
