/** The story of an expectation: its file, its deposit, its receipts, and people's decisions. */
import { compareText } from "../model/compare-text.ts";
import { formatAmount } from "../money/index.ts";
import { listAudit } from "../store/audit.ts";
import { findExpectations, listExpectedFiles, listMatchesOf } from "../store/expected.ts";
import { listEntriesOfKind } from "../store/ledger-entries.ts";
import type { OtherStory, StoryLine } from "../views/explain-step.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { customerWords, notesOf, type ShownExpectation, STATE_WORDS, standingsOf } from "./status.ts";

/** Undefined if there is no expectation with this reference. */
export async function explainExpected(
  workplace: Workplace,
  reference: string,
): Promise<OtherStory | undefined> {
  const { store } = workplace;
  const kept = await store.read(function* () {
    const [row] = yield* findExpectations([reference]);
    if (row === undefined) return undefined;
    const files = yield* listExpectedFiles();
    const matches = yield* listMatchesOf(row.id);
    const about = [
      row.reference,
      row.depositId ?? "",
      `file ${row.file}`,
      ...matches.map((each) => each.depositId),
    ];
    return { row, files, matches, entries: yield* listAudit([...new Set(about)]) };
  });
  if (kept === undefined) return undefined;
  const { row, files, matches, entries } = kept;
  const [shown] = await standingsOf(workplace, [row], files);
  if (shown === undefined) return undefined;
  const deposits = [...new Set(shown.shares.map(({ receipt }) => receipt.depositId))];
  const booked = await store.read(() => listEntriesOfKind("deposit", deposits));
  const file = files.find(({ number }) => number === row.file);
  const decided = entries.flatMap(({ at, person, action, detail }): StoryLine[] => {
    const what = actionWords(action);
    return what === undefined
      ? []
      : [{ at, who: person, what: [what, reasonIn(detail)].filter(Boolean).join(": ") }];
  });
  const matched = matches.flatMap(
    ({ takenBackAt, takenBackBy, takenBackReason, evidence, ...each }): StoryLine[] => [
      {
        at: each.matchedAt,
        who: each.matchedBy,
        what: `${formatAmount(each.amount)} of deposit ${each.depositId} matched (${evidence})`,
      },
      ...(takenBackAt === undefined
        ? []
        : [{ at: takenBackAt, who: takenBackBy ?? "", what: `taken back: ${takenBackReason ?? ""}` }]),
    ],
  );
  const lines = [...decided, ...matched, ...receiptLines(shown)].sort((a, b) => compareText(a.at, b.at));
  return {
    kind: "expectation",
    id: row.reference,
    reference: `${formatAmount(row.amount)} ${customerWords(row)}, ${file?.name ?? ""} line ${row.line}`,
    state: [STATE_WORDS[shown.state], ...notesOf(shown)].join("; "),
    lines,
    breaks: [],
    entryIds: booked.map(({ entryId }) => entryId),
  };
}

/** Undefined for actions that other lines report, such as signatures and matches. */
function actionWords(action: string): string | undefined {
  const [, operation = "", outcome = ""] = /^(create|void)Deposit\w* (.+)$/.exec(action) ?? [];
  const what = operation === "create" ? "its deposit" : "voiding its deposit";
  if (operation !== "")
    return outcome === "intended" ? `asked the service for ${what}` : `${what}: ${outcome}`;
  return ACTIONS[action];
}

const ACTIONS: Readonly<Record<string, string>> = {
  expect: "sent in with its file",
  "approve expected": "the file was approved",
  "end expected": "ended",
};

function reasonIn({ reason }: Readonly<Record<string, unknown>>): string {
  return typeof reason === "string" ? reason : "";
}

function receiptLines({ shares, expectation, address }: ShownExpectation): StoryLine[] {
  const found = expectation.addressSince;
  const received = shares.map(({ receipt, decision }): StoryLine => {
    const how = decision === undefined ? "on its own deposit" : "matched by a person";
    const settled = receipt.isSettled ? "received" : "arriving";
    return { at: receipt.at, who: "the service", what: `${settled} ${formatAmount(receipt.amount)} ${how}` };
  });
  const shownSince =
    found === undefined
      ? []
      : [{ at: found, who: "paydrop", what: `address ${address ?? "no longer shown"}` }];
  return [...shownSince, ...received];
}
