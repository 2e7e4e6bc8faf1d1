/** Renders breaks: alarms first, within each severity the newest first, and a few of each kind. */
import { applying } from "../../model/applying.ts";
import { type Instant, minuteText } from "../../model/index.ts";
import type { BreaksReport } from "../../nights/index.ts";
import type { StoredBreak } from "../../store/breaks.ts";
import type { Incomplete } from "../../store/comparison.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";
import { counted, lines } from "./text-parts.ts";

/** Per kind a few are shown and the others counted, so that one cause affecting every payout does not hide the rest. */
const SHOWN_PER_KIND = 10;

/** Renders the breaks stored by the last comparison. */
export function storedBreaksText(report: BreaksReport, colors: Colors): string {
  const { comparedAt, incomplete } = report;
  const nothing = "Nothing has been compared yet; `paydrop reconcile` does it.";
  return lines(
    incomplete && incompleteText(incomplete, colors),
    comparedAt === undefined ? nothing : `compared at ${minuteText(comparedAt)}`,
    comparedAt !== undefined && breaksText(report, colors),
  );
}

/** Since when no comparison has been complete, and why. */
export function incompleteText({ since, code, message }: Incomplete, colors: Colors): string {
  return `${colors.red("No comparison has been complete")} since ${minuteText(since)}: ${code}: ${shown(message)}. What it did not see may differ; \`paydrop reconcile\` compares again.`;
}

/** Breaks opened at `comparedAt` are marked as new, others with the time since when they are open. */
export function breaksText(
  { open, settled, incomplete }: Pick<BreaksReport, "open" | "settled" | "incomplete">,
  colors: Colors,
  comparedAt?: Instant,
): string {
  const fresh = open.filter(({ openedAt }) => openedAt === comparedAt).length;
  const news = fresh === 0 || fresh === open.length ? "" : `, ${fresh} of them new`;
  return lines(
    open.length === 0
      ? `No breaks${incomplete ? " in what was seen" : ""}.`
      : colors.bold(`${counted(open.length, "break")}${news}:`),
    ...kindsText(open, colors, comparedAt),
    open.length > 0 && WAY_OUT,
    settled.length > 0 && `${counted(settled.length, "break")} settled by hand.`,
  );
}

const WAY_OUT =
  "If a break needs no further action: `paydrop breaks settle REFERENCE --reason WHY`, which settles all breaks of that reference; each opens again when something else is found.";

function kindsText(open: readonly StoredBreak[], colors: Colors, comparedAt: Instant | undefined): string[] {
  const alarms = open.filter(({ severity }) => severity === "alarm");
  const others = open.filter(({ severity }) => severity !== "alarm");
  return [...Map.groupBy(alarms, kindOf), ...Map.groupBy(others, kindOf)].flatMap(([kind, group]) => {
    const listed = group.slice(0, SHOWN_PER_KIND).map(({ severity, sentence, openedAt }) => {
      const painted = severity === "alarm" ? colors.red(severity) : colors.yellow(severity);
      const since = openedAt === comparedAt ? "" : ` (since ${minuteText(openedAt)})`;
      return `  ${painted} ${kind}: ${shown(sentence)}${since}`;
    });
    const rest = group.length - listed.length;
    return applying(...listed, rest > 0 && `  ... and ${rest} more ${kind}; \`--json\` lists them all`);
  });
}

function kindOf({ kind }: StoredBreak): string {
  return kind;
}

export function settledText(settled: readonly StoredBreak[]): string {
  return settled.map(({ kind, sentence }) => `settled ${kind}: ${shown(sentence)}`).join("\n");
}
