/**
 * The count-up crash with a real process: `paydrop pay` is killed by SIGKILL at its n-th system call that writes,
 * flushes or sends, for n = 1, 1 + KILL_EVERY, ... until a run completes untouched. Part of `npm run test:kill`. The
 * suite's own slice is test/simulation/crash, which covers the whole way from the inbox to the ledger files.
 */
import { describe, expect, test } from "vitest";
import { payToTheEnd } from "./judge.ts";
import { approvedPayroll } from "./payroll.ts";
import { startService } from "./service.ts";
import { payTraced, WHY_NO_TRACE } from "./system-calls.ts";

const EVERY = Number.parseInt(process.env["KILL_EVERY"] ?? "40", 10);
const CALLS = "pwrite64,fsync,fdatasync,write,writev,ftruncate,unlink,rename";

describe.runIf(process.env["KILL_RUNS"] && WHY_NO_TRACE === undefined)(
  "killed at the n-th system call",
  () => {
    test.each(["unknown", "unique", "increasing"])(
      "pays no row twice and loses none, under nonce.rule: %s",
      async (nonceRule) => {
        let killed = 0;
        for (let nth = 1; ; nth += EVERY) {
          const service = await startService();
          const folder = await approvedPayroll(service.variables);
          const variables = { ...service.variables, PAYDROP_NONCE_RULE: nonceRule };
          const { ended } = await payTraced(folder, variables, `${CALLS}:signal=KILL:when=${nth}`);
          await payToTheEnd(folder, service, variables, [ended]);
          await service.close();
          if (ended.exitCode === 0) break;
          killed += 1;
        }
        process.stdout.write(`${nonceRule}: ${killed} processes were killed, at every ${EVERY}th call\n`);
        expect(killed).toBeGreaterThan(0);
      },
      3_600_000,
    );
  },
);
