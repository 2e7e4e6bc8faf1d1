/** Rows that were sent before, and their outcome, in the same words for desk, answers and terminal. */
import type { BatchId } from "./ids.ts";
import type { Day } from "./instant.ts";
import type { Standing } from "./standing.ts";
import type { StateMeaning } from "./state-meaning.ts";

/** The outcome of a payment that was taken in. `on its way`, `paid`, `failed`: accepted, by its payout's state. */
type Course = Exclude<Standing, "accepted"> | "on its way" | "paid" | "failed" | "unclear";

/** The earlier payment's batch and outcome. `day`: the day of the outcome of an accepted payment. */
export interface EarlierCourse {
  readonly batchId: BatchId;
  readonly course: Course;
  readonly day?: Day;
}

export interface SentBefore extends EarlierCourse {
  /** How many rows of the file. */
  readonly rows: number;
}

/** The problems of rows that were sent before; such rows need no repair. */
export const SENT_BEFORE_CODES: ReadonlySet<string> = new Set([
  "ROW_SENT_BEFORE",
  "REFERENCE_USED",
  "ROW_CHANGED_AFTER_ACCEPTANCE",
]);

export function courseOf(standing: Standing, payout: StateMeaning | undefined): Course {
  if (standing !== "accepted") return standing;
  const courses = { done: "paid", failed: "failed", open: "on its way", unknown: "unclear" } as const;
  return payout === undefined || payout === "closed" ? "on its way" : courses[payout];
}

/** ON is replaced by the day, if it is known. */
const WORDS: Readonly<Record<Course, string>> = {
  received: "waiting for approval",
  approved: "approved (not sent yet)",
  sending: "being sent",
  "on its way": "sent ON",
  paid: "paid ON",
  failed: "sent ON (failed)",
  unclear: "sent ON (perhaps paid)",
  refused: "refused by the service",
  "in doubt": "in doubt (perhaps paid)",
  held: "held (perhaps paid)",
  withdrawn: "rejected",
  abandoned: "given up (perhaps paid)",
};

/** "24 November 2026" */
export function dayWords(day: Day): string {
  return DAY_WORDS.format(new Date(`${day}T00:00:00Z`));
}

const DAY_WORDS = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** "paid on 24 November 2026 as B-000002" without the batch: "paid on 24 November 2026". */
export function courseWords({ course, day }: Omit<EarlierCourse, "batchId">): string {
  return WORDS[course].replace(" ON", day === undefined ? "" : ` on ${dayWords(day)}`);
}

/** A sentence in which batches may become links. */
export type WithBatches = readonly (string | { readonly batchId: BatchId })[];

/** "paid on 24 November 2026 as B-000002"; with several: "7 paid on ..., 2 waiting for approval as B-000004". */
export function coursesInWords(groups: readonly SentBefore[]): WithBatches {
  const shown = groups.slice(0, GROUPS_SHOWN);
  const others = groups.slice(GROUPS_SHOWN).reduce((sum, { rows }) => sum + rows, 0);
  const parts = shown.flatMap(({ rows, batchId, ...course }, index) => {
    const count = groups.length > 1 ? `${rows} ` : "";
    return [`${index > 0 ? ", " : ""}${count}${courseWords(course)} as `, { batchId }];
  });
  return others === 0 ? parts : [...parts, `, ${others} in other batches`];
}

const GROUPS_SHOWN = 6;

/**
 * The outcome of the rows that were sent before, and which rows can still be submitted. Empty without such rows.
 */
export function sentBeforeWords(
  groups: readonly SentBefore[],
  rowsRead: number,
  isTakenIn = false,
): WithBatches {
  const rows = groups.reduce((sum, each) => sum + each.rows, 0);
  if (rows === 0) return [];
  const fresh = Math.max(0, rowsRead - rows);
  const [all, theyAre] = rows === 1 ? ["Its only row was", "It is"] : [`All ${rows} rows were`, "They are"];
  const which = fresh === 0 ? all : `${rows} of ${rowsRead} rows ${rows === 1 ? "was" : "were"}`;
  const isLeft = groups.some(({ course }) => course === "refused" || course === "failed");
  const operators = isLeft
    ? " An operator pays refused or failed payments again; another row never does."
    : "";
  const news = fresh === 1 ? "the row that is new" : `the ${fresh} rows that are new`;
  const end = fresh === 0 || isTakenIn ? "" : ` Only ${news} can be sent in, as a new file.`;
  return [
    `${which} sent in before: `,
    ...coursesInWords(groups),
    `. ${theyAre} not paid again.${operators}${end}`,
  ];
}

export function plainWords(words: WithBatches): string {
  return words.map((part) => (typeof part === "string" ? part : part.batchId)).join("");
}

/** Counts rows by outcome, the largest group first. */
export function groupedCourses(courses: Iterable<EarlierCourse>): readonly SentBefore[] {
  const groups = new Map<string, EarlierCourse & { rows: number }>();
  for (const { batchId, course, day } of courses) {
    const key = `${batchId} ${course} ${day}`;
    const group = groups.get(key) ?? { batchId, course, ...(day !== undefined && { day }), rows: 0 };
    groups.set(key, group);
    group.rows += 1;
  }
  return [...groups.values()].toSorted((one, other) => other.rows - one.rows);
}
