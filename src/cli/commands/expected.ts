/** `paydrop deposits expect | expected | approve | match | unmatch | settle | withdraw` */
import {
  approveExpectedStep,
  type CustomerSums,
  type ExpectedFileReport,
  type ExpectedNow,
  type ExpectedReport,
  endExpectationStep,
  expectedNow,
  expectedStep,
  expectFileStep,
  isToDecide,
  isWaiting,
  matchReceiptStep,
  notesOf,
  type OpenReceipt,
  type ShownExpectation,
  STATE_WORDS,
  sumsByCustomer,
  unmatchReceiptStep,
} from "../../expected/index.ts";
import { applying } from "../../model/applying.ts";
import { counted } from "../../model/counted.ts";
import { present } from "../../model/present.ts";
import { formatAmount } from "../../money/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { DecisionOptions } from "../options.ts";
import type { Colors } from "../output.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { figures, textTable } from "../render/text-table.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";

/**
 * Exits with 3 if the file has mistakes, and with 4 if a person must approve it. Without a file, exits with 4 if
 * there are problems.
 */
export function expectCommand(
  session: Session,
  path: string | undefined,
  { by }: { readonly by: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    if (path === undefined) {
      const report = await expectedStep(workplace);
      session.output.answer(report, runText);
      return report.problems.length > 0 ? EXIT.personNeeded : EXIT.done;
    }
    const report = await expectFileStep(workplace, path, by);
    session.output.answer(report, fileText);
    if (report.verdict === "rejected" || report.verdict === "refused") return EXIT.inputRejected;
    return report.waits ? EXIT.personNeeded : EXIT.done;
  });
}

function runText(
  { files, waiting, problems, made, found, answered }: ExpectedReport,
  colors: Colors,
): string {
  return lines(
    ...files.map(({ file, verdict }) => `${shown(file)}: ${verdict}`),
    ...waiting.map(({ file, why }) => `${shown(file)} waits: ${why}`),
    `${counted(made, "deposit")} made, ${counted(found, "address", "addresses")} found, ` +
      `${counted(answered, "answer")} renewed`,
    ...problemLines(problems, colors),
  );
}

function fileText(report: ExpectedFileReport, colors: Colors): string {
  const { file, verdict, number, waits, rowsRead, totals, problems, unread, answers } = report;
  const isAccepted = verdict === "accepted";
  return lines(
    isAccepted
      ? `${shown(file)} is file ${number}: ${counted(rowsRead, "receipt is", "receipts are")} expected`
      : `${shown(file)} was not taken in; none of its rows is expected`,
    ...totals.map(
      ({ currency, count, amount }) => `  ${amount.normalized()} ${currency} in ${counted(count, "row")}`,
    ),
    unread.length > 0 && `  not read: ${unread.map(shown).join(", ")}`,
    waits && `  it waits for approval: paydrop deposits approve ${number}`,
    ...problemLines(problems, colors),
    ...answers.map((each) => `  ${shown(each)}`),
  );
}

interface ListOptions {
  readonly customer?: string;
  readonly all?: boolean;
}

/** Exits with 4 if something is overdue or awaits a decision. */
export function expectedCommand(session: Session, { customer, all = false }: ListOptions): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const now = await expectedNow(workplace);
    const isOf = ({ expectation }: ShownExpectation) =>
      customer === undefined || expectation.customerId === customer;
    const standings = now.standings.filter(isOf);
    const listed = all ? standings : standings.filter(({ open }) => !open.isZero());
    const waiting = now.files.filter((file) => isWaiting(workplace, file));
    const sums = sumsByCustomer(standings);
    const document = {
      expected: listed.map(expectedDocument),
      customers: sums,
      open: now.open.map(openDocument),
      waiting: waiting.map(({ number, name }) => ({ number, name })),
    };
    session.output.answer(document, () => listText(listed, sums, now.open, waiting));
    const isAnyOpen =
      waiting.length > 0 || now.open.some(isToDecide) || listed.some(({ isOverdue }) => isOverdue);
    return isAnyOpen ? EXIT.personNeeded : EXIT.done;
  });
}

function expectedDocument(each: ShownExpectation) {
  const { expectation, state, received, open, over, address, isOverdue, lateDays } = each;
  const { reference, customerId, custodyAccountId, amount, dueDay, depositId } = expectation;
  return {
    reference,
    custodyAccountId,
    amount,
    state,
    received,
    open,
    over,
    isOverdue,
    lateDays,
    ...present({ customerId, dueDay, depositId, address }),
    notes: notesOf(each),
  };
}

function openDocument({ receipt, free, candidates, owedAlikeBy, repeats }: OpenReceipt) {
  const { depositId, key, amount, at, customerId, isSettled } = receipt;
  return {
    depositId,
    receipt: key,
    amount,
    free,
    at,
    isSettled,
    owedAlikeBy,
    ...present({ customerId, repeats: repeats?.reference }),
    candidates: candidates.map(({ parts, evidence }) => ({
      references: parts.map(({ expectation }) => expectation.reference),
      evidence,
    })),
  };
}

function listText(
  listed: readonly ShownExpectation[],
  sums: readonly CustomerSums[],
  open: readonly OpenReceipt[],
  waiting: ExpectedNow["files"],
): string {
  const rows = listed.map((each) => {
    const { reference, customerId = "", amount, dueDay = "" } = each.expectation;
    const standsAt = STATE_WORDS[each.state];
    const notes = notesOf(each).join("; ");
    const { value, currency } = amount;
    return [reference, customerId, `${value}`, currency, dueDay, standsAt, `${each.received}`, notes];
  });
  const columns = [
    "reference",
    "customer",
    figures("amount"),
    "",
    "due",
    "stands at",
    figures("received"),
    "note",
  ];
  const totals = sums.map(({ customer, currency, count, expected, received, open: rest, overdue }) => [
    customer || "(none)",
    `${count}`,
    `${expected}`,
    `${received}`,
    `${rest}`,
    `${overdue}`,
    currency,
  ]);
  const heads = [
    "customer",
    "receipts",
    figures("expected"),
    figures("received"),
    figures("open"),
    figures("overdue"),
    "",
  ];
  return applying(
    listed.length === 0 ? "Nothing is expected." : textTable(columns, rows),
    sums.length > 0 && textTable(heads, totals),
    open.length > 0 && lines("Received, and not matched yet:", ...open.flatMap(openLines)),
    waiting.length > 0 &&
      lines(
        ...waiting.map(
          ({ number, name }) => `file ${number} (${shown(name)}) waits: paydrop deposits approve ${number}`,
        ),
      ),
  ).join("\n\n");
}

function openLines({ receipt, free, candidates, owedAlikeBy, repeats }: OpenReceipt): string[] {
  const text = formatAmount({ currency: receipt.amount.currency, value: free.normalized() });
  const who = receipt.customerId === undefined ? "" : ` of ${shown(receipt.customerId)}`;
  const arriving = receipt.isSettled ? "" : ", arriving";
  return applying(
    `  ${text}${who} on ${receipt.at.slice(0, 10)}${arriving}, deposit ${receipt.depositId}`,
    ...candidates.map(({ parts, evidence }) => {
      const references = parts.map(({ expectation }) => shown(expectation.reference)).join(" ");
      return `    may be ${references}: ${evidence.join(", ")}`;
    }),
    owedAlikeBy.length > 0 &&
      `    ${owedAlikeBy.map(shown).join(", ")} owe the same: the amount decides nothing`,
    repeats && `    ${shown(repeats.reference)} was received already: it may have been paid twice`,
    candidates.length + owedAlikeBy.length === 0 && repeats === undefined && "    expected by nobody",
  );
}

export function approveExpectedCommand(
  session: Session,
  number: number,
  { by }: { readonly by: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    await approveExpectedStep(workplace, number, by);
    session.output.answer({ approved: `${number}` }, () => `file ${number} counts from now on`);
    return EXIT.done;
  });
}

interface MatchOptions {
  readonly by: string;
  readonly receipt?: string;
  readonly reason?: string;
}

export function matchCommand(
  session: Session,
  depositId: string,
  references: readonly string[],
  { by: person, receipt, reason }: MatchOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const matching = { depositId, receipt, references, person, reason };
    const { parts, evidence } = await matchReceiptStep(workplace, matching);
    const names = parts.map(({ expectation }) => expectation.reference);
    session.output.answer(
      { depositId, matched: names, evidence },
      ({ matched }) => `matched to ${matched.map(shown).join(", ")} (${shown(evidence)})`,
    );
    return EXIT.done;
  });
}

export function unmatchCommand(
  session: Session,
  depositId: string,
  { by: person, reason, receipt }: DecisionOptions & { readonly receipt?: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const references = await unmatchReceiptStep(workplace, { depositId, receipt, person, reason });
    session.output.answer(
      { depositId, takenBackFrom: references },
      () => `taken back from ${references.map(shown).join(", ")}`,
    );
    return EXIT.done;
  });
}

export function settleCommand(
  session: Session,
  reference: string,
  { by: person, reason }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    await endExpectationStep(workplace, { reference, end: "settled short", person, reason });
    session.output.answer({ reference, end: "settled short" }, () => `${shown(reference)} is settled short`);
    return EXIT.done;
  });
}

export function withdrawCommand(
  session: Session,
  reference: string,
  { by: person, reason, keepDeposit }: DecisionOptions & { readonly keepDeposit?: boolean },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    await endExpectationStep(workplace, { reference, end: "withdrawn", person, reason, keepDeposit });
    session.output.answer({ reference, end: "withdrawn" }, () => `${shown(reference)} is expected no more`);
    return EXIT.done;
  });
}
