import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { statusOfBatches, submitFile, type Workplace } from "../../src/index.ts";
import { openPlace } from "../site/workplace.ts";

test("a file that somebody else takes in while it is being checked is not rejected, and keeps its batch", async () => {
  const { folder, workplace } = openPlace();
  const file = join(folder, "payouts.csv");
  const late = afterFirstRead(workplace, async () => {
    expect((await submitFile(workplace, file, "ann")).verdict).toBe("accepted");
  });
  const known = { problems: [{ code: "FILE_ALREADY_KNOWN" }] };
  expect(await submitFile(late, file, "bob")).toMatchObject(known);
  expect(readdirSync(join(folder, "outbox")).filter((name) => name.includes("rejected"))).toEqual([]);
  expect(await statusOfBatches(workplace)).toHaveLength(1);
  expect(await submitFile(workplace, file, "cat")).toMatchObject(known);
});

/** A workplace in which `happen` runs right after the first read of the store. */
function afterFirstRead(workplace: Workplace, happen: () => Promise<void>): Workplace {
  const { store } = workplace;
  let looks = 0;
  const read: typeof store.read = async (transaction) => {
    const seen = await store.read(transaction);
    looks += 1;
    if (looks === 1) await happen();
    return seen;
  };
  return {
    ...workplace,
    store: {
      isShared: store.isShared,
      read,
      write: (write) => store.write(write),
      takeLane: (keyId, sendingMs) => store.takeLane(keyId, sendingMs),
      close: () => store.close(),
    },
  };
}
