/** Files whose copy broke off within their last value. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { validateFile } from "../../src/index.ts";
import { openPlace } from "./workplace.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

async function validate(content: string, name = "payroll.csv") {
  const { folder, workplace } = openPlace();
  const path = join(folder, name);
  writeFileSync(path, content);
  const { verdict, problems, warnings } = await validateFile(workplace, path);
  const told = warnings.filter(({ code }) => code === "FILE_HAS_OPEN_END");
  return { verdict, problems, told };
}

function amountsLast(...amounts: string[]): string {
  const rows = amounts.map((amount, index) => `R-${index + 1},treasury-btc,${ADDRESS},${amount}`);
  return ["reference,accountId,destinationAddress,amount", ...rows].join("\n");
}

describe("a CSV that ends without the end of a line", () => {
  test.each(["0.0", "0.01", "0.011", "0"])(
    "is rejected where the last of equal amounts is %s",
    async (cut) => {
      const { verdict, problems } = await validate(amountsLast("0.0300", "0.0150", "0.0125", cut));
      expect(verdict).toBe("rejected");
      expect(problems).toMatchObject([{ line: 5, column: "amount" }]);
      if (/[1-9]/.test(cut)) expect(problems).toMatchObject([{ code: "AMOUNT_MAY_BE_CUT" }]);
    },
  );

  test.each(["1", "1.0"])("is rejected where others have an exponent and the last is %s", async (cut) => {
    const { verdict, problems } = await validate(amountsLast("0.5", "5.4E-06", "0.25", cut));
    expect(verdict).toBe("rejected");
    expect(problems).toMatchObject([{ line: 5, column: "amount", code: "AMOUNT_MAY_BE_CUT" }]);
  });

  test("is taken with a warning that shows the last amount, where its decimals say nothing", async () => {
    for (const amounts of [
      ["0.03", "0.015", "0.0125", "0.01"],
      ["0.03", "5.4E-06", "0.0125", "0.1"],
      ["0.03", "0.04", "0.1"],
      ["0.0300", "0.0150", "0.0125", "0.0110"],
    ]) {
      const { verdict, told } = await validate(amountsLast(...amounts));
      const line = amounts.length + 1;
      expect(verdict).toBe("accepted");
      expect(told).toMatchObject([
        { line, column: "amount", message: expect.stringContaining(`"${amounts.at(-1)}"`) },
      ]);
    }
  });

  test.each(["\n", "\r", "\r\n"])("says nothing of a file that ends with %j", async (end) => {
    const { verdict, told } = await validate(`${amountsLast("0.0300", "0.0150", "0.0125", "0.01")}${end}`);
    expect([verdict, told]).toEqual(["accepted", []]);
  });

  test("says nothing where the last value proves itself: in quotes, or an address", async () => {
    const quoted = `reference,accountId,destinationAddress,amount\nR-1,treasury-btc,${ADDRESS},"0.01"`;
    const address = `reference,accountId,amount,destinationAddress\nR-1,treasury-btc,0.01,${ADDRESS}`;
    for (const content of [quoted, address])
      expect(await validate(content)).toMatchObject({ verdict: "accepted", told: [] });
  });

  test("a reference at the end may be the beginning of another one", async () => {
    const content = `accountId,amount,destinationAddress,reference\ntreasury-btc,0.01,${ADDRESS},INV-2026-1`;
    const { verdict, told } = await validate(content);
    expect(verdict).toBe("accepted");
    expect(told).toMatchObject([{ line: 2, column: "reference" }]);
  });
});

test.each<[string, string, string[]]>([
  [
    "is taken where the last column that is read shows it",
    "reference,amount,destinationAddress,daysOpen,note",
    [],
  ],
  [
    "is not where what follows would be the amount",
    "reference,destinationAddress,amount,daysOpen,note",
    ["CSV_MALFORMED"],
  ],
])("a line without its last cells %s", async (_, header, codes) => {
  const row = { reference: "R-1", amount: "0.1", destinationAddress: ADDRESS, daysOpen: "1", note: "x" };
  const names = header.split(",") as (keyof typeof row)[];
  const whole = names.map((name) => row[name]).join();
  const short = names
    .slice(0, 4)
    .map((name) => row[name])
    .join()
    .replace("R-1", "R-2")
    .replace("0.1", "0.2");
  const { problems } = await validate(`${header}\n${whole}\n${short}\n`);
  expect(problems.map(({ code }) => code)).toEqual(codes);
});

test.each([
  ["amount,daysOpen,note", "0.1,1,x", "1,x"],
  ["amount,daysOpen,currency,note", "0.1,1,BTC,x", "1,BTC,"],
  ["amount,daysOpen,accountId,note", "0.1,1,treasury-btc,x", "1,treasury-btc,"],
])("a line that lacks its amount never pays what follows: %s", async (columns, whole, lacking) => {
  const rows = [`R-1,${ADDRESS},${whole}`, `R-2,${ADDRESS},${lacking}`];
  const { verdict, problems } = await validate(
    `reference,destinationAddress,${columns}\n${rows.join("\n")}\n`,
  );
  expect(verdict).toBe("rejected");
  expect(problems).toMatchObject([{ line: 3, code: "CSV_MALFORMED" }]);
});
