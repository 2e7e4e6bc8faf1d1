/**
 * Renders the effect of an approval, and the warnings that an approver must see with the totals: first-time
 * destinations, repeats, look-alikes.
 */
import type { Problem } from "../../faults/index.ts";
import {
  firstPaymentText,
  type LastTime,
  lastTimeFacts,
  lastTimeTitle,
  type NewDestinations,
} from "../../files/reading/index.ts";
import { applying } from "../../model/applying.ts";
import type { ControlTotal } from "../../model/index.ts";
import type { ApprovalReport } from "../../payments/approve-step.ts";
import type { Colors } from "../output.ts";
import { problemLines, shown, warningLines } from "./problem-text.ts";
import { counted, totalsText } from "./text-parts.ts";

export function approvalText(report: ApprovalReport, colors: Colors): string {
  const { batch, approved, approvedBy, peopleNeeded, isReleased, released, renewed, together } = report;
  const head = `${colors.bold(batch.id)} ${shown(batch.fileName)} (${totalsText(batch.controlTotals)})`;
  const people = `approved by ${shown(approvedBy.join(", "))}`;
  const missing = peopleNeeded - approvedBy.length;
  const result = isReleased
    ? colors.green([...countedIf(released, "released"), ...countedIf(renewed, "approved again")].join(", "))
    : `not released yet: ${counted(missing, "more person", "more people")} must approve`;
  const first = `${head}: ${people}, ${approvedBy.length} of ${peopleNeeded}; ${result}`;
  const accepted = report.acceptedQuestions.map(({ text }) => `  accepted: ${shown(text)}`);
  // The list is left out: the approver has seen it with the file or in the preview.
  return [
    first,
    wordsLine(report.words, colors),
    ...sendingLines(approved, together),
    ...screeningLines(report, colors, 0),
    ...accepted,
    ...screeningWarningLines(report.warnings, colors),
  ].join("\n");
}

/** Compares the file with the last approved one of its layout. */
export function lastTimeLines(lastTime: LastTime | undefined): string[] {
  if (lastTime === undefined) return [];
  const facts = lastTimeFacts(lastTime).map(([label, value]) => `    ${label}: ${shown(value)}`);
  return [`  ${shown(lastTimeTitle(lastTime))}`, ...facts];
}

/** Shown before and after an approval, and at the desk, so that two people can read them to each other. */
export function wordsLine(words: string, colors: Colors): string {
  return (
    `  six words: ${colors.bold(words)} (compare them by telephone with another approver: theirs must ` +
    `be the same)`
  );
}

/** Says what an approval covers in addition to the rows, and why it needs more people than the file alone would. */
export function sendingLines(
  { baseUrl, calls }: { readonly baseUrl: string; readonly calls: readonly { readonly operation: string }[] },
  together: readonly ControlTotal[] | undefined,
): string[] {
  const operations = [...new Set(calls.map(({ operation }) => operation))].join(", ");
  return applying(
    `  to be sent to ${shown(baseUrl)} by ${operations || "no configured custody account"}`,
    together &&
      `  more people: ${totalsText(together)} with what was released within \`approval.windowHours\``,
  );
}

function countedIf(count: number, done: string): string[] {
  return count === 0 ? [] : [`${counted(count, "payment")} ${done}`];
}

/** Number listed below a file; `preview` and `--json` have all. */
const LISTED_MAX = 10;

interface Screened {
  readonly newDestinations?: NewDestinations;
  readonly repeatedRows?: readonly number[];
  readonly lookAlikeRows?: readonly number[];
  /** Questions about how the file was read. */
  readonly questions?: readonly unknown[];
}

/** Lines to follow a summary; may be empty. At most `listedMax` first-time destinations are listed. */
export function screeningLines(
  { newDestinations, repeatedRows = [], lookAlikeRows = [] }: Screened,
  colors: Colors,
  listedMax = LISTED_MAX,
): string[] {
  return applying(
    ...(newDestinations === undefined ? [] : newDestinationLines(newDestinations, colors, listedMax)),
    repeatedRows.length > 0 && colors.yellow(`  repeated payments: ${repeatedRows.length}`),
    lookAlikeRows.length > 0 &&
      colors.yellow(`  payments whose addresses must be compared: ${lookAlikeRows.length}`),
  );
}

/** A few warnings of each code, then every repeat and look-alike, since the approver confirms their number. */
export function screeningWarningLines(warnings: readonly Problem[], colors: Colors): string[] {
  const { toAccept = [], others = [] } = Object.groupBy(warnings, ({ code }) =>
    ACCEPTED_BY_NUMBER.has(code) ? "toAccept" : "others",
  );
  return [
    ...warningLines(others, colors),
    ...(toAccept.length === 0 ? [] : [colors.yellow("for the approver to accept")]),
    ...problemLines(toAccept, colors, { shownPerCode: toAccept.length }),
  ];
}

const ACCEPTED_BY_NUMBER = new Set([
  "PAYMENT_IN_FILE_TWICE",
  "PAYMENT_MADE_BEFORE",
  "DESTINATION_LOOKS_ALIKE",
  "DESTINATION_NOT_USUAL",
  "DESTINATION_OF_ANOTHER",
]);

/** "`paydrop approve 3361a20878da8c0b --by NAME --accept-repeats 2`" */
export function approveHint(
  digest: string,
  { repeatedRows = [], lookAlikeRows = [], questions = [] }: Screened,
): string {
  const reading = questions.length === 0 ? "" : ` --accept-reading ${questions.length}`;
  const repeats = repeatedRows.length === 0 ? "" : ` --accept-repeats ${repeatedRows.length}`;
  const lookAlikes = lookAlikeRows.length === 0 ? "" : ` --accept-look-alikes ${lookAlikeRows.length}`;
  return `\`paydrop approve ${digest.slice(0, 16)} --by NAME${repeats}${lookAlikes}${reading}\``;
}

function newDestinationLines(
  { destinations, totals, count }: NewDestinations,
  colors: Colors,
  listedMax: number,
): string[] {
  if (destinations.length === 0) return [];
  const listed = destinations.slice(0, listedMax).map((each) => {
    const { destination, name, totals: toIt } = each;
    const whose = name === undefined ? "" : ` (${shown(name)})`;
    return `    ${destination}${whose}: ${totalsText(toIt)}, ${shown(firstPaymentText(each))}`;
  });
  const others = count - listed.length;
  if (others > 0 && listedMax > 0)
    listed.push(
      `    ... and ${counted(others, "other")} with smaller sums; \`paydrop preview\` and \`--json\` list more`,
    );
  return [colors.yellow(`  first-time destinations: ${count}, with ${totalsText(totals)}`), ...listed];
}
