/** Tries the newest backup: restores it in a separate folder, verifies it, and reports. Sends nothing. */
import { present } from "../src/model/present.ts";
import { backupVerifyStep, newestBackup } from "../src/setup/backup-verify-step.ts";
import type { Job } from "./job.ts";
import { timesOf } from "./times.ts";

export const backupJob: Job = {
  ...timesOf("backup"),
  run: async ({ config, context, store }) => {
    const path = await newestBackup(config.backup?.folder ?? "");
    const { problems, record, night } = await backupVerifyStep({ config, context, live: store }, path);
    const nights = night === undefined ? "" : `, night ${night.number}`;
    const good = `${path} is whole: ${record?.entries} entries of the record${nights}; its head is ${record?.head}`;
    const parts = problems.map(({ message }) => message);
    return {
      count: problems.length,
      message: parts.length === 0 ? good : parts.join("; "),
      ...present({ code: problems[0]?.code }),
    };
  },
};
