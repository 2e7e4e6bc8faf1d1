/** The doctor's findings: a line per check, with the fixes below the failed ones. */
import type { Check } from "../../pipeline/doctor-step.ts";
import type { Colors } from "../output.ts";
import { counted } from "./counted.ts";
import { problemText, shown } from "./problem-text.ts";

export function doctorText({ checks }: { readonly checks: readonly Check[] }, colors: Colors): string {
  const width = Math.max(...checks.map(({ what }) => what.length));
  const lines = checks.flatMap(({ what, isGood, found, problems }) => {
    const word = isGood ? colors.green("good ") : colors.red("wrong");
    return [
      `${word} ${what.padEnd(width)}  ${shown(found)}`.trimEnd(),
      ...problems.map((found) => problemText(found, colors)),
    ];
  });
  const wrong = checks.filter(({ isGood }) => !isGood).length;
  const end =
    wrong === 0 ? "Everything is good." : `${counted(wrong, "check")} of ${checks.length} went wrong.`;
  return [...lines, end].join("\n");
}
