import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { submitFile } from "../../src/index.ts";
import { openPlace } from "./workplace.ts";

// The private key of BIP 178's example, in wallet import format: worthless, and recognised as one.
const PRIVATE_KEY = "L5EZftvrYaSudiozVRzTqLcHLNDoVn7H5HSfM9BAN6tMJX8oTWz6";

describe("a private key pasted by mistake", () => {
  test.each(["reject-file", "reject-row"])(
    "is nowhere in what is kept or handed out, under %s",
    async (onBadRow) => {
      const { folder, workplace } = openPlace({ PAYDROP_FILES_ON_BAD_ROW: onBadRow });
      const path = join(folder, "keys.csv");
      const good = "KEY-2,0.05,1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
      writeFileSync(path, `reference,amount,destinationAddress\nKEY-1,0.05,${PRIVATE_KEY}\n${good}\n`);
      const report = await submitFile(workplace, path, "alice");
      expect(report).toMatchObject({
        verdict: "rejected",
        problems: [{ code: "ADDRESS_IS_SECRET", line: 2 }],
      });
      expect(JSON.stringify(report.problems)).not.toContain(PRIVATE_KEY);

      const answer = readFileSync(join(folder, "outbox", "keys.rejected.csv"), "utf8");
      expect(answer).toContain("KEY-1,0.05,(removed by Paydrop),");
      expect(answer).toContain(good);
      const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== "keys.csv")
        .map((entry) => join(entry.parentPath, entry.name));
      expect(kept.length).toBeGreaterThan(2);
      for (const file of kept) expect(readFileSync(file).includes(PRIVATE_KEY), file).toBe(false);
    },
  );
});
