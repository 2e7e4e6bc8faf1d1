/** Renders the status of batches and payments, and how states have changed. */
import { applying } from "../../model/applying.ts";
import {
  type Batch,
  destinationField,
  minuteText,
  type ShownStanding,
  STANDING_WORDS,
  standingInWords,
} from "../../model/index.ts";
import { shownText } from "../../model/shown-text.ts";
import { formatAmount } from "../../money/index.ts";
import type { StateChange } from "../../observation/index.ts";
import type { BatchStatus } from "../../views/batch-status.ts";
import type { PaymentStatus } from "../../views/payment-status.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";
import { counted, lines, totalsText } from "./text-parts.ts";
import { figures, textTable } from "./text-table.ts";

/** The newest batches are always shown, older ones only while something must be done about them. */
const NEWEST_SHOWN = 10;

export function batchesText(batches: readonly BatchStatus[], colors: Colors): string {
  if (batches.length === 0) return "No batch yet: drop a file in the inbox, or run `paydrop submit FILE`.";
  const listed = batches.filter(
    (status, index) => index >= batches.length - NEWEST_SHOWN || hasOpenPayments(status),
  );
  const others = batches.length - listed.length;
  return lines(
    others > 0 &&
      `${counted(others, "older batch", "older batches")} with nothing to do: \`paydrop status BATCH\``,
    ...listed.map((status) => batchText(status, colors)),
  );
}

function hasOpenPayments({ batch, shown: standings }: BatchStatus): boolean {
  return standings.some(({ standing }) => nextStep(standing, batch) !== "");
}

function batchText(status: BatchStatus, colors: Colors): string {
  const { batch, approvedBy, peopleNeeded, shown: standings, rejections, runOut } = status;
  const people = shown(approvedBy.join(", ")) || "nobody";
  const needed = peopleNeeded === undefined ? "no rule covers it" : `${peopleNeeded} needed`;
  return lines(
    `${colors.bold(batch.id)} ${shown(batch.fileName)}, submitted by ` +
      `${shown(batch.submittedBy)} on ${minuteText(batch.submittedAt)}`,
    `  total:    ${totalsText(batch.controlTotals)}`,
    ...standings.map(
      ({ standing, totals }) =>
        `  ${`${STANDING_WORDS[standing]}:`.padEnd(9)} ${totalsText(totals)}${nextStep(standing, batch)}`,
    ),
    ...rejections.map((each) => `  ${shown(each)}`),
    runOut.length > 0 && `  to be approved again: ${totalsText(runOut)}${nextStep("received", batch)}`,
    `  approved by ${people} (${needed})`,
    `  digest: ${batch.digest}`,
  );
}

/** The next step for payments in a standing; empty if there is none. */
function nextStep(standing: ShownStanding, { id, digest }: Batch): string {
  switch (standing) {
    case "received":
      return `; next: \`paydrop approve ${digest.slice(0, 16)} --by NAME\``;
    case "approved":
      return "; `paydrop pay` sends what is due";
    case "in doubt":
      return "; `paydrop pay` looks for them";
    case "held":
    case "refused":
      return `; \`paydrop status ${id}\` says why`;
    case "sending":
      return "; being sent now, or left by a process that died: `paydrop pay` looks for them";
    case "accepted":
    case "arrived":
    case "failed":
    case "withdrawn":
    case "abandoned":
      return "";
  }
}

export function instructionsText(instructions: readonly PaymentStatus[]): string {
  return textTable(
    [figures("row"), "reference", figures("amount"), "to", "standing", "payout", "state", "why", "payee"],
    instructions.map(({ row, fields, standing, payoutId, payoutState, reason, notBefore, dayOff, again }) => [
      String(row),
      fields.reference,
      formatAmount(fields.amount),
      fields[destinationField(fields)] ?? "",
      standingInWords(standing, payoutState),
      payoutId ?? "",
      payoutState ?? "",
      applying(
        notBefore === undefined ? reason : `not before ${notBefore}`,
        dayOff !== undefined && `${dayOff} is a day off`,
        again !== undefined && `paid again as ${shown(again)}`,
      ).join("; "),
      // Comes last, because a name that is written from right to left would reorder the figures after it.
      shownText(fields.customerId ?? ""),
    ]),
  );
}

const WIDTH = 100;

/**
 * State changes, counted by transition, since a batch moves together: "39 payouts SENT -> COMPLETED, 1 payout
 * SEND_FAILED", wrapped if long; empty without changes.
 */
export function stateChangesText(changes: readonly StateChange[], indent = ""): string {
  const ways = Map.groupBy(changes, ({ kind, from, to }) =>
    [kind, ...(from === undefined ? [] : [from, "->"]), to].join(" "),
  );
  const parts = [...ways].map(([way, all]) => {
    const [kind = "", ...states] = way.split(" ");
    return `${counted(all.length, kind)} ${states.join(" ")}`;
  });
  return inLines(parts)
    .map((line) => `${indent}${line}`)
    .join("\n");
}

function inLines(parts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length < WIDTH) lines[lines.length - 1] = `${last}, ${part}`;
    else lines.push(part);
  }
  return lines;
}
