/**
 * The slots that a schedule has, found by asking a calendar about every minute: the judge's own reading of cron
 * expressions, which shares nothing with the daemon's.
 */

const MINUTE_MS = 60_000;

/** Instants after `fromMs` and before `toMs`. `schedule`: minute and hour, each `*`, a step or a number. */
export function dueSlots(schedule: string, timeZone: string, fromMs: number, toMs: number): string[] {
  const [minute = "", hour = "", ...days] = schedule.split(" ");
  if (days.join(" ") !== "* * *") throw new Error(`the judge does not read the schedule ${schedule}`);
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  const slots: string[] = [];
  for (let atMs = Math.floor(fromMs / MINUTE_MS + 1) * MINUTE_MS; atMs < toMs; atMs += MINUTE_MS) {
    const [hourNow, minuteNow] = clock.format(atMs).split(":").map(Number);
    if (fits(minute, minuteNow) && fits(hour, hourNow)) slots.push(new Date(atMs).toISOString());
  }
  return slots;
}

function fits(field: string, value = Number.NaN): boolean {
  if (field === "*") return true;
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? [];
  return step === undefined ? Number(field) === value : value % Number(step) === 0;
}
