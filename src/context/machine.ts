/** Which machine this is, for state that several machines share. */
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";

/** Of Linux: anew at each start of the machine, and the same in all its containers, as its monotonic clock is. */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

let clockId: string | undefined;

/** Whose monotonic clock this process reads: two processes with the same answer may compare its instants. */
export function monotonicClockId(): string {
  clockId ??= existsSync(BOOT_ID) ? readFileSync(BOOT_ID, "utf8").trim() : hostname();
  return clockId;
}

/** For people: "pay-2, process 4711". */
export function processName(): string {
  return `${hostname()}, process ${process.pid}`;
}

/** For people: "pay-2, /srv/paydrop". One machine may have several configurations, each in a folder of its own. */
export function placeName(folder: string): string {
  return `${hostname()}, ${folder}`;
}
