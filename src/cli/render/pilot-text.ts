/** Renders the findings of a pilot. */
import { applying } from "../../model/applying.ts";
import type { NonceUse } from "../../payments/run/nonce-trial.ts";
import type { PilotReport } from "../../setup/pilot-step.ts";
import type { Colors } from "../output.ts";
import { createdPayoutText } from "./pay-text.ts";
import { shown } from "./problem-text.ts";
import { fieldsText, lines } from "./text-parts.ts";
import { textTable } from "./text-table.ts";

export function pilotText(report: PilotReport, colors: Colors): string {
  const { signature, nonce, nonceTrial, echoes, payoutState, path } = report;
  const created = createdPayoutText(report, colors, true);
  if (report.instruction?.payoutId === undefined)
    return lines(
      created,
      `The signature (${signature.scheme}) is accepted; no payout was made, so nothing else is known.`,
    );
  return lines(
    created,
    colors.bold("what the service does"),
    fieldsText([
      ["signature", `${signature.scheme}, accepted`],
      ["nonce", nonce],
      ["nonce rule", nonceTrial === undefined ? "not tried" : nonceTrial.verdict],
      ["  fresh", useText(nonceTrial?.fresh)],
      ["  repeated", useText(nonceTrial?.repeated)],
      ["  lower", useText(nonceTrial?.lower)],
      ["found by id", lagText(report.visibleByIdAfterMs)],
      ["found by reference", lagText(report.visibleByReferenceAfterMs)],
      ["state", payoutState],
    ]),
    textTable(
      ["field", "sent", "comes back"],
      echoes.map(({ field, sent, shown: back, isSame }) => [
        field,
        sent,
        isSame ? "as sent" : `as ${back ?? "nothing"}`,
      ]),
    ),
    ...advice(report),
    path && `written: ${shown(path)}`,
  );
}

function advice({ nonceTrial, echoes, visibleByReferenceAfterMs }: PilotReport): string[] {
  const left = nonceTrial?.left ?? [];
  const changed = echoes.filter(({ isSame }) => !isSame).map(({ field }) => field);
  return applying(
    nonceTrial?.rule && `\`nonce.rule: ${nonceTrial.rule}\` fits what was seen.`,
    left.length > 0 && `These deposits remain; nobody has their addresses: ${left.join(", ")}`,
    visibleByReferenceAfterMs === undefined &&
      "The payout was not found by its reference: a doubt could not be resolved by looking. Find out why before " +
        "you pay more.",
    changed.includes("reference") &&
      "The service changes references: see `reference.maxLength` and `reference.pattern`.",
    changed.includes("callbackUrl") &&
      "The service does not show the callbackUrl as it was sent: set `service.correlation: reference`.",
  );
}

function useText(use: NonceUse | undefined): string | undefined {
  return use && `${use.nonce} ${use.outcome} (${use.evidence})`;
}

function lagText(lagMs: number | undefined): string {
  return lagMs === undefined ? "not found" : `${lagMs} ms after it was accepted`;
}
