/** Renders a balance proof for a terminal: what each custody account should hold, beside what the service says. */
import { figures, textTable } from "./text-table.ts";

interface ProofLine extends Partial<Readonly<Record<keyof typeof TITLES, Shown | undefined>>> {
  readonly account: string;
  readonly currency: string;
  readonly ties: boolean;
  /** By how much it does not tie. */
  readonly difference: Shown;
}

interface Shown {
  toString(): string;
}

const TITLES = {
  opening: "opening",
  received: "received",
  transferredIn: "transferred in",
  sent: "sent",
  fees: "fees",
  expected: "expected",
  found: "service says",
};
const NAMES = Object.keys(TITLES) as (keyof typeof TITLES)[];

export function proofText(proof: readonly ProofLine[]): string {
  return textTable(
    ["custody account", ...Object.values(TITLES).map(figures), ""],
    proof.map((line) => [
      line.account,
      ...NAMES.map((name) => `${line[name] ?? "unknown"}`),
      `${line.currency} ${line.ties ? "ties" : `off by ${line.difference}`}`,
    ]),
  );
}
