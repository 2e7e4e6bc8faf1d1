/**
 * Words the notices: batch, sums by currency, number of payees, since when. They never contain a whole address, a
 * key, or a person's written reason.
 */
import { hash } from "node:crypto";
import type { Config } from "../../config/index.ts";
import { atMost, counted } from "../../model/counted.ts";
import {
  type ControlTotal,
  controlTotals,
  countOf,
  type Instant,
  localMinuteText,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { formatAmount } from "../../money/index.ts";
import type { Findings, FoundBreak, FoundFile, FoundPayment, FoundWaiting, NamedBatch } from "./findings.ts";
import type { Notice } from "./notice.ts";
import { safeText } from "./safe-text.ts";

/** Cases that the next runs often resolve are reported from this age. */
const OFTEN_RESOLVED_MS = 15 * 60_000;

const LINES_MAX = 20;

export type WordingPolicy = Pick<Config, "notices" | "ledger">;

export function noticesOf(findings: Findings, policy: WordingPolicy): readonly Notice[] {
  const at = (instant: Instant) => localMinuteText(policy.ledger.timeZone, instant);
  const { files, missingFiles, waiting, stops, wrongRuns } = findings;
  return [
    ...files.map((file) => fileNotice(file, at)),
    ...missingFiles.map((missing) => missingFileNotice(missing, at)),
    ...waiting.map((batch) => waitingNotice(batch, at)),
    ...doubtNotices(findings, at),
    ...unpaidNotices(findings, at),
    ...stops.map(stopNotice),
    ...breakNotices(findings, policy, at),
    ...nightNotices(findings, at),
    ...suspenseNotices(findings),
    ...exportNotices(findings, at),
    ...wrongRuns.map(jobNotice),
  ];
}

type At = (instant: Instant) => string;

/** The words, whichever of the cases are new. */
function fixedWords(subject: string, lines: readonly string[]): Pick<Notice, "words"> {
  return { words: () => ({ subject, lines }) };
}

/** "40 payments to 38 payees, 1.2 BTC, 0.5 ETH" */
export function moneyWords(totals: readonly ControlTotal[], payees: number): string {
  return [
    `${counted(countOf(totals), "payment")} to ${counted(payees, "payee")}`,
    ...totals.map(({ amount, currency }) => formatAmount({ currency, value: amount.normalized() })),
  ].join(", ");
}

function named({ id, fileName }: NamedBatch): string {
  return `${id} ${safeText(fileName)}`;
}

function fileNotice(file: FoundFile, at: At): Notice {
  const { sha256, name, takenAt, verdict, batch, sentBefore, submittedBy, sender } = file;
  const isAccepted = batch !== undefined;
  const came = `Taken in at ${at(takenAt)}.`;
  const why =
    sentBefore !== undefined
      ? `Its payments were sent in before, as ${sentBefore}; nothing was taken in again.`
      : verdict === "refused"
        ? "It could not be read. The answer in the outbox says why."
        : "Nothing in it is paid. The answer in the outbox names each row and what to correct.";
  return {
    event: isAccepted ? "file-accepted" : "file-rejected",
    about: batch?.id ?? safeText(name),
    items: [`${sha256} ${takenAt}`],
    ...fixedWords(
      isAccepted ? `${safeText(name)} was accepted as ${batch.id}` : `${safeText(name)} came back`,
      isAccepted
        ? [`${named(batch)}: ${moneyWords(batch.totals, batch.payees)}.`, came, "It waits for approval."]
        : [`${safeText(name)} was not accepted.`, came, why],
    ),
    path: isAccepted ? `/batches/${batch.id}` : "/files",
    file: { submittedBy, sender },
  };
}

function waitingNotice(batch: FoundWaiting, at: At): Notice {
  const { id, totals, payees, since, cannotApprove, rule, peopleMissing, approvedAt } = batch;
  const isAgain = approvedAt !== undefined;
  const missing =
    peopleMissing === undefined
      ? "No approval rule covers its sums, so that it cannot be paid."
      : `${counted(peopleMissing, "approval")} missing.`;
  return {
    event: "waiting",
    about: id,
    items: [isAgain ? `${id} again after ${approvedAt}` : id],
    ...fixedWords(isAgain ? `${id} must be approved again` : `${id} waits for approval`, [
      `${named(batch)}: ${moneyWords(totals, payees)}.`,
      `Sent in at ${at(since)}.`,
      missing,
    ]),
    path: `/batches/${id}`,
    cannotApprove,
    ...present({ rule }),
  };
}

const STANDING_WORDS: Readonly<Record<FoundPayment["standing"], string>> = {
  "in doubt": "in doubt: sent, perhaps; nothing is sent again until that is known",
  held: "held: the payout that was found does not fit, and a person decides",
  refused: "refused: the service said no before paying",
  failed: "failed: the service took them, and they ended without paying",
};

/** By batch: its payments of these standings, and a line for each standing. */
function byBatch(
  payments: readonly FoundPayment[],
  standings: readonly FoundPayment["standing"][],
  at: At,
): readonly (Pick<Notice, "about" | "items"> & { readonly lines: readonly string[] })[] {
  const some = payments.filter(({ standing }) => standings.includes(standing));
  return [...Map.groupBy(some, ({ batch }) => batch.id)].map(([about, ofBatch]) => ({
    about,
    // A failed payout is the same case whether or not the comparison has reported it as a break.
    items: ofBatch.map(({ id, standing }) => `${standing} ${id}`),
    lines: standings.flatMap((standing) => standingLine(standing, ofBatch, at)),
  }));
}

function standingLine(
  standing: FoundPayment["standing"],
  payments: readonly FoundPayment[],
  at: At,
): string[] {
  const some = payments.filter((payment) => payment.standing === standing);
  const [first] = some.map(({ since }) => since).toSorted();
  if (first === undefined) return [];
  const name = some[0] === undefined ? "" : named(some[0].batch);
  const payees = new Set(some.map(({ destination }) => destination)).size;
  const money = moneyWords(controlTotals(some.map(({ amount }) => amount)), payees);
  return [`${name}: ${money}, ${STANDING_WORDS[standing]}. Since ${at(first)}.`];
}

/** Doubts are reported after a while, held payments at once. */
function doubtNotices({ payments, changes }: Findings, at: At): Notice[] {
  const event = "doubt" as const;
  const path = "/doubts";
  const found = (["in doubt", "held"] as const).flatMap((standing) =>
    byBatch(payments, [standing], at).map(({ about, items, lines }) => ({
      ...{ event, path, about, items },
      ...(standing === "in doubt" && { reportedFromMs: OFTEN_RESOLVED_MS }),
      ...fixedWords(`${about}: payments ${standing}`, lines),
    })),
  );
  const others = changes.map(({ id, operation, subject, amount, since }) => ({
    ...{ event, path, about: `change ${id}`, items: [`change ${id}`] },
    reportedFromMs: OFTEN_RESOLVED_MS,
    ...fixedWords(`Change ${id} is in doubt`, [
      `${operation} of ${safeText(subject)}${amount === undefined ? "" : `, ${formatAmount(amount)}`}: it may have ` +
        `been carried out. Since ${at(since)}.`,
    ]),
  }));
  return [...found, ...others];
}

function unpaidNotices({ payments }: Findings, at: At): Notice[] {
  return byBatch(payments, ["refused", "failed"], at).map(({ about, items, lines }) => ({
    ...({ event: "unpaid", path: `/batches/${about}`, about, items } as const),
    ...fixedWords(`${about}: payments were not paid`, lines),
  }));
}

function stopNotice(reason: string): Notice {
  return {
    ...{ event: "sending-stopped", about: reason, items: [reason], path: "/jobs" },
    ...fixedWords(`Nothing is sent: ${reason}`, ["`paydrop status` and the desk say why, and since when."]),
  };
}

/**
 * One notice for all breaks, because a night may find many. Other notices report failed payments and ERPs that do
 * not answer.
 */
function breakNotices({ breaks }: Findings, { notices }: WordingPolicy, at: At): Notice[] {
  const isReported = ({ kind, severity, payoutId, amount }: FoundBreak) => {
    if (severity === "note" || kind === "erp-unanswered") return false;
    if (kind === "failed" && severity === "warning" && payoutId !== undefined) return false;
    const limit = amount && notices.breakLimit[amount.currency];
    return amount === undefined || limit === undefined || amount.value.compare(limit) > 0;
  };
  const reported = breaks.filter(isReported);
  if (reported.length === 0) return [];
  const line = ({ opening, severity, words, reference, amount, openedAt }: FoundBreak) =>
    [
      `${opening}, ${severity}: ${words}`,
      ...(amount === undefined ? [] : [`${formatAmount(amount)} at stake`]),
      ...(reference === undefined ? [] : [`reference ${safeText(reference)}`]),
      `since ${at(openedAt)}`,
    ].join(", ");
  return [
    {
      ...{ event: "break", about: "comparison", path: "/nights" },
      items: reported.map(({ opening }) => opening),
      words: (due) => {
        const fresh = reported.filter(({ opening }) => due.includes(opening));
        return {
          subject: `${counted(fresh.length, "break")} opened`,
          lines: atMost(fresh.map(line), LINES_MAX),
        };
      },
    },
  ];
}

function nightNotices({ incomplete }: Findings, at: At): Notice[] {
  if (incomplete === undefined) return [];
  const { since, code } = incomplete;
  return [
    {
      ...{ event: "night", about: "comparison", items: [since], path: "/nights" },
      reportedFromMs: OFTEN_RESOLVED_MS,
      ...fixedWords("The comparison is incomplete", [
        `No comparison has been complete since ${at(since)}: ${code}. Breaks may be missing.`,
      ]),
    },
  ];
}

function suspenseNotices({ suspense }: Findings): Notice[] {
  if (suspense.length === 0) return [];
  const line = ({ what, entries, value, currency }: Findings["suspense"][number]) => {
    const amount = formatAmount({ currency, value: value.normalized() });
    return `${safeText(what)}: ${counted(entries, "entry", "entries")}, ${amount}`;
  };
  return [
    {
      ...{ event: "suspense", about: "suspense", path: "/books" },
      items: suspense.map(({ what }) => hash("sha256", what)),
      ...fixedWords(`${counted(suspense.length, "value")} on suspense`, [
        "The chart of accounts has no line for:",
        ...atMost(suspense.map(line), LINES_MAX),
      ]),
    },
  ];
}

function missingFileNotice(missing: Findings["missingFiles"][number], at: At): Notice {
  const { sender, due, learnt, day, since } = missing;
  const by = `was expected by ${at(since)}`;
  const none = `No file of ${safeText(sender)} has arrived for that day.`;
  return {
    ...({ event: "file-missing", about: sender, items: [`${sender} ${day}`], path: "/files" } as const),
    file: { sender },
    ...fixedWords(`The file of ${safeText(sender)} has not come`, [
      learnt === undefined
        ? `It is due on ${safeText(due)} and ${by}. ${none}`
        : `It ${by}: ${learnt}. ${none}`,
    ]),
  };
}

function exportNotices({ unanswered }: Findings, at: At): Notice[] {
  return unanswered.map(({ target, number, issuedAt, entries }) => {
    const batch = `export batch ${String(number).padStart(6, "0")} of ${safeText(target)}`;
    return {
      ...({ event: "export", about: batch, items: [`${target} ${number}`], path: "/books" } as const),
      ...fixedWords(`No answer about ${batch}`, [
        `The ERP said nothing about ${counted(entries, "entry", "entries")}. Issued at ${at(issuedAt)}.`,
      ]),
    };
  });
}

function jobNotice({ job, code }: Findings["wrongRuns"][number]): Notice {
  return {
    ...{ event: "job", about: job, items: [job], path: "/jobs" },
    reportedFromMs: OFTEN_RESOLVED_MS,
    ...fixedWords(`The job ${job} did not end well`, [
      `The last run of ${job} ended with ${String(code)}. \`paydrop explain ${String(code)}\` says what to do.`,
    ]),
  };
}
