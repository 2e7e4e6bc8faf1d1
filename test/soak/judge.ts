/** Judges what a soak left behind. Each sentence that it returns is a promise that was broken. */
import type { AnswerKind } from "./files.ts";

export interface KeptSlot {
  readonly job: string;
  readonly dueAt: string;
  /** Of several that were skipped. */
  readonly until: string | null;
  readonly how: string;
  readonly reason: string | null;
}

export interface Evidence {
  /** By the name of each finished file, without extension. */
  readonly expected: Readonly<Record<string, AnswerKind>>;
  /** The names of the files in the outbox. */
  readonly outbox: readonly string[];
  /** The slots of each job since the daemon's first start. */
  readonly due: Readonly<Record<string, readonly string[]>>;
  readonly kept: readonly KeptSlot[];
  /** References of the payments that were approved. */
  readonly approved: readonly string[];
  /** References of the payouts that the service made. */
  readonly created: readonly string[];
}

export function judge(evidence: Evidence): string[] {
  return [...judgeAnswers(evidence), ...judgeSlots(evidence), ...judgePayments(evidence)];
}

function judgeAnswers({ expected, outbox }: Evidence): string[] {
  const found = Map.groupBy(
    new Set(outbox.map((name) => /^.+?\.(?:accepted|rejected|results|known)\b/.exec(name)?.[0] ?? name)),
    (answer) => answer.split(".")[0] ?? "",
  );
  const wrong = Object.entries(expected).flatMap(([stem, kind]) => {
    const answers = found.get(stem) ?? [];
    return answers.length === 1 && answers[0] === `${stem}.${kind}`
      ? []
      : [`${stem} has the answers [${answers}] and not ${kind} alone`];
  });
  const others = [...found.keys()].filter((stem) => !Object.hasOwn(expected, stem));
  return [...wrong, ...others.map((stem) => `${stem} has an answer and was never a finished file`)];
}

/** A run that caught up comes beside the slot that was skipped, which is accounted for by itself. */
function judgeSlots({ due, kept }: Evidence): string[] {
  const byJob = Map.groupBy(kept, ({ job }) => job);
  return Object.entries(due).flatMap(([job, slots]) => {
    const rows = (byJob.get(job) ?? []).filter(({ how }) => how !== "caught up");
    const counts = new Map(slots.map((slot) => [slot, 0]));
    const strays: string[] = [];
    for (const { dueAt, until, how, reason } of rows) {
      const covered = slots.filter((slot) => dueAt <= slot && slot <= (until ?? dueAt));
      for (const slot of covered) counts.set(slot, (counts.get(slot) ?? 0) + 1);
      if (covered.length === 0) strays.push(`${job}: ${dueAt} is kept as ${how} and is no slot`);
      if (how === "skipped" && !reason) strays.push(`${job}: ${dueAt} was skipped without a reason`);
    }
    const miscounted = [...counts].filter(([, count]) => count !== 1);
    return [
      ...strays,
      ...miscounted.map(([slot, count]) => `${job}: the slot of ${slot} is accounted for ${count} times`),
    ];
  });
}

function judgePayments({ approved, created }: Evidence): string[] {
  const counts = new Map<string, number>();
  for (const reference of created) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  const released = new Set(approved);
  return [
    ...approved.filter((each) => !counts.has(each)).map((each) => `${each} was approved and never paid`),
    ...[...counts].filter(([, count]) => count > 1).map(([each, count]) => `${each} was paid ${count} times`),
    ...[...counts.keys()].filter((each) => !released.has(each)).map((each) => `${each} was paid unapproved`),
  ];
}

/** What one night's end measured, after the daemon was stopped. */
export interface Figures {
  readonly heapMebibytes: number;
  readonly openFiles: number;
  readonly resources: number;
}

const HEAP_GROWTH_MAX_MEBIBYTES = 24;
const HANDLE_GROWTH_MAX = 8;

/** In the first nights code is still loaded and compiled. */
const NIGHTS_MIN = 12;

/** Compares the first third of the nights with the last one; judges nothing if there are few. */
export function judgeFigures(nights: readonly Figures[]): string[] {
  const third = nights.length < NIGHTS_MIN ? 0 : Math.floor(nights.length / 3);
  const grown = (name: keyof Figures) => {
    const middle = (some: readonly Figures[]) =>
      some.map((each) => each[name]).toSorted((one, other) => one - other)[some.length >> 1] ?? 0;
    return Math.round(middle(nights.slice(-third)) - middle(nights.slice(0, third)));
  };
  const limits = {
    heapMebibytes: HEAP_GROWTH_MAX_MEBIBYTES,
    openFiles: HANDLE_GROWTH_MAX,
    resources: HANDLE_GROWTH_MAX,
  };
  const names = ["heapMebibytes", "openFiles", "resources"] as const;
  return names
    .filter((name) => third > 0 && grown(name) > limits[name])
    .map((name) => `${name} grew by ${grown(name)}, which is more than ${limits[name]}`);
}
