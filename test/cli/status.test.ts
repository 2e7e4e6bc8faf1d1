import { expect, test } from "vitest";
import { openWorkplace, stderrLog } from "../../src/index.ts";
import type { Break } from "../../src/model/index.ts";
import { replaceOpenBreaks } from "../../src/store/breaks.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { workFolder } from "./program.ts";

const AT = "2026-11-22T02:00:00.000Z";

test.each([
  ["alarm", 4, "1 alarm, 0 warnings"],
  ["warning", 4, "0 alarms, 1 warning"],
  ["note", 0, "Nothing waits for anybody."],
] as const)(
  "status: %s of the last comparison, which a daemon made at night, ends it with %i",
  async (severity, exitCode, words) => {
    const folder = await workFolder();
    const found: Break = { id: "unexpected:payout:1", kind: "unexpected", severity, sentence: "It exists." };
    const workplace = openWorkplace(`${folder}/paydrop.yaml`, {}, stderrLog("silent"));
    await workplace.store.write(() => replaceOpenBreaks([found], AT));
    await workplace.close();
    expect(await paydropInTurn(folder, ["status"])).toMatchObject({
      exitCode,
      stdout: expect.stringContaining(words),
    });
  },
);
