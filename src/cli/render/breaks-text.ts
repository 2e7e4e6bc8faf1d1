/** Renders breaks: alarms first, then the newest, and a few of each kind; and one break with its story. */
import { applying } from "../../model/applying.ts";
import { type Instant, minuteText } from "../../model/index.ts";
import { type Amount, formatAmount } from "../../money/index.ts";
import type { BreakStory, BreaksReport, Listed } from "../../nights/index.ts";
import type { Opening, StoredBreak } from "../../store/breaks.ts";
import type { Incomplete } from "../../store/comparison.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";
import { ageText, counted, fieldsText, lines } from "./text-parts.ts";

/**
 * Per kind a few are shown and the others counted, so that one cause affecting every payout does not hide the rest.
 */
const SHOWN_PER_KIND = 10;

/** Renders the breaks stored by the last comparison. */
export function storedBreaksText(report: BreaksReport, colors: Colors): string {
  const { comparedAt, incomplete, ageing, closed = [] } = report;
  const nothing = "Nothing has been compared yet; `paydrop reconcile` does it.";
  const ages = ageing.filter(({ count }) => count > 0);
  return lines(
    incomplete && incompleteText(incomplete, colors),
    comparedAt === undefined ? nothing : `compared at ${minuteText(comparedAt)}`,
    comparedAt !== undefined && breaksText(report, colors),
    ages.length > 1 && `open for ${ages.map(({ bucket, count }) => `${bucket}: ${count}`).join("; ")}`,
    closed.length > 0 && colors.bold(`${counted(closed.length, "break")} healed:`),
    ...closed.map((each) => `  ${each.kind}: ${shown(each.sentence)} (${closedText(each)})`),
  );
}

/** The time since which no comparison has been complete, and the reason. */
export function incompleteText({ since, code, message }: Incomplete, colors: Colors): string {
  return (
    `${colors.red("No comparison has been complete")} since ${minuteText(since)}: ${code}: ${shown(message)}. ` +
    `Elements that it did not see may differ; \`paydrop reconcile\` compares again.`
  );
}

/** Breaks opened at `comparedAt` are marked as new, others with the time when they opened. */
export function breaksText(
  {
    open,
    settled,
    incomplete,
    atStake,
  }: Pick<BreaksReport, "open" | "settled" | "incomplete"> & Partial<BreaksReport>,
  colors: Colors,
  comparedAt?: Instant,
): string {
  const fresh = open.filter(({ openedAt }) => openedAt === comparedAt).length;
  const news = fresh === 0 || fresh === open.length ? "" : `, ${fresh} of them new`;
  const stake = atStake === undefined || atStake.length === 0 ? "" : `, ${sumsText(atStake)} at stake`;
  return lines(
    open.length === 0
      ? `No breaks${incomplete ? " in what was seen" : ""}.`
      : colors.bold(`${counted(open.length, "break")}${news}${stake}:`),
    ...kindsText(open, colors, comparedAt),
    open.length > 0 && WAY_OUT,
    settled.length > 0 && `${counted(settled.length, "break")} settled by hand.`,
  );
}

const WAY_OUT =
  "`paydrop breaks show BR-1` shows one with its evidence; if it needs no further action, `paydrop breaks settle " +
  "BR-1 --reason WHY`. It opens again when something else is found.";

function kindsText(open: readonly Listed[], colors: Colors, comparedAt: Instant | undefined): string[] {
  const alarms = open.filter(({ severity }) => severity === "alarm");
  const others = open.filter(({ severity }) => severity !== "alarm");
  return [...Map.groupBy(alarms, kindOf), ...Map.groupBy(others, kindOf)].flatMap(([kind, group]) => {
    const listed = group.slice(0, SHOWN_PER_KIND).map((each) => {
      const { severity, sentence } = each;
      const painted = severity === "alarm" ? colors.red(severity) : colors.yellow(severity);
      return `  ${painted} ${kind}: ${shown(sentence)} (${marksText(each, comparedAt)})`;
    });
    const rest = group.length - listed.length;
    return applying(...listed, rest > 0 && `  ... and ${rest} more ${kind}; \`--json\` lists them all`);
  });
}

function kindOf({ kind }: StoredBreak): string {
  return kind;
}

/** "BR-12, 0.015 BTC, since 2026-11-25 04:00 UTC, over its 1 day, dave, 2 notes" */
function marksText(each: Listed, comparedAt: Instant | undefined): string {
  const { opening, amount, openedAt, owner, notes, age, proposed } = each;
  return applying(
    opening,
    amount && amountText(amount),
    openedAt !== comparedAt && `since ${minuteText(openedAt)}`,
    age.isOver && `over its ${counted(age.allowedDays, "day")}`,
    owner,
    notes > 0 && counted(notes, "note"),
    proposed && `${proposed.person} proposed to settle it`,
  ).join(", ");
}

function closedText({ opening, openedAt, closedAt = "" }: Opening): string {
  return `${opening}, ${minuteText(openedAt)} to ${minuteText(closedAt)}`;
}

function amountText({ currency, value }: Amount): string {
  return formatAmount({ currency, value: value.normalized() });
}

function sumsText(sums: readonly Amount[]): string {
  return sums.map(amountText).join(" and ");
}

/** The decision, and the breaks that a second person must confirm. */
export function decidedText(breaks: readonly StoredBreak[], done: string): string {
  return lines(
    ...breaks.map(({ opening, kind, sentence }) => `${done}: ${opening}, ${kind}: ${shown(sentence)}`),
  );
}

export function settledText(breaks: readonly StoredBreak[]): string {
  const proposed = breaks.filter((each) => each.proposed !== undefined);
  return lines(
    ...breaks.map((each) => decidedText([each], proposed.includes(each) ? "proposed to settle" : "settled")),
    proposed.length > 0 &&
      "This amount needs two people: another controller confirms with `paydrop breaks settle NAME --reason WHY`.",
  );
}

export function breakStoriesText(stories: readonly BreakStory[], colors: Colors): string {
  return stories.map((story) => storyText(story, colors)).join("\n\n");
}

function storyText(
  { latest, earlier, notes, given, account, payout, deposit, instruction }: BreakStory,
  colors: Colors,
) {
  const { opening, kind, severity, sentence, owner, age, amount } = latest;
  const allowed = `${ageText(age.ms)} of ${counted(age.allowedDays, "day")} allowed`;
  const row =
    instruction && `${instruction.fields.reference}, row ${instruction.row} of ${instruction.batchId}`;
  return lines(
    `${colors.bold(opening)} ${severity} ${kind}: ${shown(sentence)}`,
    fieldsText([
      ["field", latest.field],
      ["ours", latest.expected],
      ["at the service", latest.found],
      ["at stake", amount && amountText(amount)],
      ["open for", age.isOver && latest.closedAt === undefined ? `${allowed}: over its time` : allowed],
      ["owner", owner ?? "nobody"],
      ["custody account", account],
      ["payment", row],
      ["payout", payout && `${payout.payoutId}, ${payout.state}`],
      ["deposit", deposit && `${deposit.depositId}, ${deposit.state}`],
    ]),
    ...[...[...earlier].reverse(), latest].flatMap(historyLines),
    ...given.map(({ at, person, owner: to }) => `  ${minuteText(at)} given to ${to} by ${person}`),
    ...notes.map(
      ({ at, person, words, opening: of }) => `  ${minuteText(at)} ${of} ${person}: ${shown(words)}`,
    ),
  );
}

function historyLines(opening: Opening): string[] {
  const { openedAt, closedAt, settledAt, person, second, reason = "", proposed } = opening;
  const line = (at: Instant, what: string) => `  ${minuteText(at)} ${opening.opening} ${what}`;
  const by = second === undefined ? person : `${person}, confirmed by ${second}`;
  return applying(
    line(openedAt, "opened"),
    proposed && line(proposed.at, `${proposed.person} proposed to settle it: ${shown(proposed.reason)}`),
    settledAt !== undefined && line(settledAt, `settled by ${by}: ${shown(reason)}`),
    closedAt !== undefined && line(closedAt, settledAt === undefined ? "healed" : "closed"),
  );
}
