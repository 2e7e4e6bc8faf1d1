/** Lines of a CSV with fewer cells than it has columns. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { validateFile } from "../../src/index.ts";
import { openPlace } from "./workplace.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const OTHER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

async function validate(...lines: readonly string[]) {
  const { folder, workplace } = openPlace();
  const path = join(folder, "payroll.csv");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return validateFile(workplace, path);
}

test.each([
  ["amount,destinationAddress,daysOpen,note", `0.1,${ADDRESS},1,x`, `0.2,${OTHER},1`],
  ["destinationAddress,amount,daysOpen,note", `${ADDRESS},0.1,1,x`, `${OTHER},0.2,1`],
])("a line without its last cells is read: %s", async (columns, whole, short) => {
  const { verdict, controlTotals } = await validate(`reference,${columns}`, `R-1,${whole}`, `R-2,${short}`);
  expect(verdict).toBe("accepted");
  expect(controlTotals.map(({ amount }) => `${amount.normalized()}`)).toEqual(["0.3"]);
});

test.each([
  ["amount,daysOpen,note", "0.1,1,x", "1,x"],
  ["amount,daysOpen,currency,note", "0.1,1,BTC,x", "1,BTC,"],
  ["amount,daysOpen,accountId,note", "0.1,1,treasury-btc,x", "1,treasury-btc,"],
])(
  "a line that lacks its amount is not paid what follows unless a person accepts it: %s",
  async (columns, whole, lacking) => {
    const { verdict, reading } = await validate(
      `reference,destinationAddress,${columns}`,
      `R-1,${ADDRESS},${whole}`,
      `R-2,${OTHER},${lacking}`,
    );
    const isAsked = reading?.questions.some(({ text }) => text.includes('"daysOpen"'));
    expect(verdict === "rejected" || isAsked).toBe(true);
  },
);
