/** Identifies the machine, for state that several machines share. */
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";

/** Linux only: changes at each boot, and is the same in all containers, like the monotonic clock. */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

let clockId: string | undefined;

/** Identifies the monotonic clock of this process: instants of processes with the same id are comparable. */
export function monotonicClockId(): string {
  clockId ??= existsSync(BOOT_ID) ? readFileSync(BOOT_ID, "utf8").trim() : hostname();
  return clockId;
}

/** Whether requests to this host of a URL stay on this machine. */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host);
}

/** For people: "pay-2, process 4711". */
export function processName(): string {
  return `${hostname()}, process ${process.pid}`;
}

/**
 * Identifies a process by the machine's boot, its number and, on Linux, when it began, since numbers are reused;
 * undefined if no process with this number is visible.
 */
export function processId(pid: number): string | undefined {
  try {
    const began = existsSync(BOOT_ID) ? startOf(pid) : process.kill(pid, 0);
    return `${monotonicClockId()} ${pid} ${began}`;
  } catch {
    return undefined;
  }
}

/** In ticks since the boot. The process's name comes first, in parentheses, and may hold anything. */
function startOf(pid: number): string | undefined {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
}

/** For people: "pay-2, /srv/paydrop". One machine may have several configurations, each in a folder of its own. */
export function placeName(folder: string): string {
  return `${hostname()}, ${folder}`;
}
