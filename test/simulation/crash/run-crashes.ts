/** A process that carries out the crash runs sent to it; child-processes.ts starts it with module-doors.ts loaded. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plant } from "../planted.ts";
import { type CrashOrder, type CrashResult, runCrash } from "./crash-run.ts";

const root = mkdtempSync(join(tmpdir(), "paydrop-crash-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
process.on("disconnect", () => process.exit());
process.on("message", async (order: CrashOrder) => {
  process.send?.(await resultOf(order));
});

async function resultOf(order: CrashOrder): Promise<CrashResult> {
  try {
    plant(order.violation);
    return await runCrash(order, root);
  } catch (error) {
    const broken = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    return { ...order, stopped: order.stops.length, steps: [], lives: 0, broken };
  }
}
