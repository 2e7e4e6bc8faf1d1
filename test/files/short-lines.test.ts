/** Lines of a CSV with fewer cells than it has columns, and files that end too early. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { validateFile } from "../../src/index.ts";
import { openPlace } from "../site/workplace.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const OTHER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

async function validate(...lines: readonly string[]) {
  const { folder, workplace } = openPlace();
  const path = join(folder, "payroll.csv");
  writeFileSync(path, lines.join("\n"));
  return validateFile(workplace, path);
}

test.each([
  ["amount,destinationAddress,daysOpen,note", `0.1,${ADDRESS},1,x`, `0.2,${OTHER},1`],
  ["destinationAddress,amount,daysOpen,note", `${ADDRESS},0.1,1,x`, `${OTHER},0.2,1`],
])("a line without its last cells is read: %s", async (columns, whole, short) => {
  const { verdict, controlTotals } = await validate(
    `reference,${columns}`,
    `R-1,${whole}`,
    `R-2,${short}`,
    "",
  );
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
      "",
    );
    const isAsked = reading?.questions.some(({ id, lines }) => id.startsWith("short-rows") && lines[0] === 3);
    expect(verdict === "rejected" || isAsked).toBe(true);
  },
);

test.each([
  ["an amount", "reference,destinationAddress,amount", `R-1,${ADDRESS},0.0125`, `R-2,${OTHER},0.01`, 1],
  ["a reference", "amount,destinationAddress,reference", `0.0125,${ADDRESS},R-1`, `0.01,${OTHER},R-`, 1],
  ["an address", "reference,amount,destinationAddress", `R-1,0.0125,${ADDRESS}`, `R-2,0.01,${OTHER}`, 0],
])(
  "a file that ends within %s, without a line break, is asked about",
  async (_, header, first, last, questions) => {
    const { verdict, reading } = await validate(header, first, last);
    expect(verdict).toBe("accepted");
    expect(reading?.questions.map(({ lines }) => lines)).toEqual(questions === 0 ? [] : [[3]]);
    expect((await validate(header, first, last, "")).reading?.questions).toEqual([]);
  },
);
