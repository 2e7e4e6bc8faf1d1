/** Renders state changes, counted by transition, since a batch moves together. */
import type { StateChange } from "../../observation/index.ts";
import { counted } from "./counted.ts";

const WIDTH = 100;

/** "39 payouts SENT -> COMPLETED, 1 payout SEND_FAILED", wrapped if long; empty without changes. */
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
