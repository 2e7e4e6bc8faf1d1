/** Books apply matched receipts to the receivable of their customer, and nothing of a match that was taken back. */
import { expect, test } from "vitest";
import { booksReportStep, isFigure, ledgerVerifyStep } from "../../src/books/index.ts";
import {
  endExpectationStep,
  expectedStep,
  matchReceiptStep,
  unmatchReceiptStep,
} from "../../src/expected/index.ts";
import type { Workplace } from "../../src/index.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { depositOf, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { byClock } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { csv, expectations, expectText } from "./place.ts";

const on = (name: string, amount: number, day: string, changes: object = {}) =>
  receiptOf(name, amount, {
    createdDate: `2031-04-${day}T11:00:00.000Z`,
    confirmedDate: `2031-04-${day}T12:00:00.000Z`,
    ...changes,
  });

const FOREIGN = "0d5d6e8a-0000-4000-8000-0000000000f1";

/** Five customers; a deposit is created for each of them but Emil. */
async function april() {
  const { shown, workplace, night } = await scriptedNights();
  const rowOf = (reference: string, customer: string, amount: string, create: string) =>
    `${reference},${customer},treasury-btc,${amount},BTC,2031-04-20,,${create}`;
  const folder = openPlace().folder;
  await expectText(
    { folder, workplace },
    csv(
      rowOf("INV-1", "Ada", "0.5", "yes"),
      rowOf("INV-2", "Bert", "0.3", "yes"),
      rowOf("INV-3", "Cleo", "0.2", "yes"),
      rowOf("INV-4", "Dora", "0.7", "yes"),
      rowOf("INV-5", "Emil", "0.4", "no"),
    ),
  );
  await expectedStep(workplace);
  const made = new Map(
    (await expectations({ workplace })).map(({ reference, depositId }) => [reference, depositId]),
  );
  const own = (reference: string, amount: string, receipts: readonly object[], depositState = "COMPLETED") =>
    depositOf(made.get(reference) ?? "", receipts, {
      ...{ reference, depositState },
      requestedAmountInCryptoAtFixedRate: { currency: "BTC", amount: Number.parseFloat(amount) },
    });
  const none = [
    own("INV-1", "0.5", [], "CREATED"),
    own("INV-2", "0.3", [], "CREATED"),
    own("INV-3", "0.2", [], "CREATED"),
    own("INV-4", "0.7", [], "CREATED"),
  ];
  /** The given deposits, and all other deposits without a receipt. */
  const show = (deposits: readonly { readonly depositId: string }[], received: number) => {
    const ids = new Set(deposits.map(({ depositId }) => depositId));
    shown.deposits = [...deposits, ...none.filter(({ depositId }) => !ids.has(depositId))];
    shown.balance = OPENING + received;
  };
  return { show, workplace, night, own };
}

/** The report of receivables and the trial balance, by account code. */
async function tied(workplace: Workplace): Promise<Record<string, string>> {
  const at = byClock(workplace, () => "2031-05-02T10:00:00.000Z");
  const [report, balance] = [
    await booksReportStep(at, { name: "receivables" }),
    await booksReportStep(at, { name: "trial-balance" }),
  ];
  const [receivables] = report.tables;
  const rows = (receivables?.rows ?? []).filter(({ isTotal }) => isTotal !== true);
  const moved = ({ cells }: (typeof rows)[number], column: string) => {
    const cell = cells[column];
    return isFigure(cell) ? cell.value : undefined;
  };
  const ofAccount = balance.tables[0]?.rows.find(({ cells }) => cells["code"] === "1200");
  const total = receivables?.rows.find(({ isTotal }) => isTotal === true);
  const [net, closing] = [total && moved(total, "net"), ofAccount && moved(ofAccount, "closing")];
  expect(net?.equals(closing ?? net.plus(net))).toBe(true);
  return Object.fromEntries(
    rows.map((each) => [String(each.cells["customer"]), `${moved(each, "net")?.normalized()}`]),
  );
}

async function entryIds({ store }: Workplace): Promise<string[]> {
  return (await store.read(() => listEntriesAfter(0, 10_000))).map(({ entry }) => entry.entryId);
}

test("receivables by customer tie to the trial balance after full, partial, excess and missing receipts", async () => {
  const { show, workplace, night, own } = await april();
  const [ada, cleo] = [
    own("INV-1", "0.5", [on("aa", 0.5, "10")]),
    own("INV-3", "0.2", [on("cc", 0.25, "11")]),
  ];
  const emil = depositOf(FOREIGN, [on("ee", 0.4, "12")], { reference: "elsewhere", depositState: "EXPIRED" });
  const first = on("b1", 0.1, "12");
  show([ada, own("INV-2", "0.3", [first], "RECEIVING_FUNDS"), cleo, emil], 0.5 + 0.1 + 0.25 + 0.4);
  const then = await night("2031-04-15T10:00:00.000Z");
  expect(then.held).toEqual(["LEDGER_DEPOSIT_UNAPPLIED f1"]);
  expect(await tied(workplace)).toEqual({ Ada: "-40000", Bert: "-8000", Cleo: "-16000" });

  show([ada, own("INV-2", "0.3", [first, on("b2", 0.2, "18")]), cleo, emil], 0.5 + 0.3 + 0.25 + 0.4);
  await night("2031-05-01T10:00:00.000Z");
  expect(await tied(workplace)).toEqual({ Ada: "-40000", Bert: "-24000", Cleo: "-16000" });
  const balance = await booksReportStep(
    byClock(workplace, () => "2031-05-02T10:00:00.000Z"),
    { name: "trial-balance" },
  );
  const over = balance.tables[0]?.rows.find(({ cells }) => cells["code"] === "2290")?.cells["closing"];
  expect(isFigure(over) && `${over.value.normalized()}`).toBe("-4000");

  const before = { sums: await tied(workplace), entries: await entryIds(workplace) };
  const matching = { depositId: FOREIGN, references: ["INV-5"], person: "carla" };
  const may = byClock(workplace, () => "2031-05-01T11:00:00.000Z");
  await matchReceiptStep(may, matching);
  await night("2031-05-01T12:00:00.000Z");
  expect(await tied(workplace)).toEqual({ ...before.sums, Emil: "-32000" });
  expect((await ledgerVerifyStep(workplace)).differences).toEqual([]);

  await unmatchReceiptStep(may, { depositId: FOREIGN, person: "carla", reason: "it was a refund" });
  const taken = await night("2031-05-01T13:00:00.000Z");
  expect(taken.held).toEqual(["LEDGER_DEPOSIT_UNAPPLIED f1"]);
  expect(await tied(workplace)).toEqual({ ...before.sums, Emil: "0" });
  expect((await ledgerVerifyStep(workplace)).differences).toEqual([]);
  // All entries booked before stay the same.
  expect((await entryIds(workplace)).slice(0, before.entries.length)).toEqual(before.entries);

  await matchReceiptStep(
    byClock(workplace, () => "2031-05-01T13:30:00.000Z"),
    matching,
  );
  await night("2031-05-01T14:00:00.000Z");
  expect(await tied(workplace)).toEqual({ ...before.sums, Emil: "-32000" });
  expect(await entryIds(workplace)).toContain(`deposit:${FOREIGN}:apply:2`);
});

test("applies what was settled short; the rest stays open or is written off, as configured", async () => {
  const { show, workplace, night, own } = await april();
  const receipts = [on("b1", 0.1, "12")];
  show([own("INV-2", "0.3", receipts, "RECEIVING_FUNDS")], 0.1);
  await night("2031-04-15T10:00:00.000Z");
  expect(await tied(workplace)).toEqual({ Bert: "-8000" });
  const may = byClock(workplace, () => "2031-05-01T11:00:00.000Z");
  await endExpectationStep(may, {
    reference: "INV-2",
    end: "settled short",
    person: "carla",
    reason: "agreed",
  });
  await night("2031-05-01T12:00:00.000Z");
  expect(await tied(workplace)).toEqual({ Bert: "-8000" });
  const posted = await workplace.store.read(() => listEntriesAfter(0, 1_000));
  expect(posted.map(({ entry }) => entry.narration)).toContain("Deposit INV-2 settled short");
});

test("a receivable has the expectation's customer even if the service shows none, or the deposit expired", async () => {
  const { show, workplace, night, own } = await april();
  show([own("INV-1", "0.5", [on("aa", 0.5, "25")], "EXPIRED")], 0.5);
  const { held } = await night("2031-05-01T10:00:00.000Z");
  expect(held).toEqual([]);
  expect(await tied(workplace)).toEqual({ Ada: "-40000" });
});
