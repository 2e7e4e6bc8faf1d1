/** `paydrop rows`: the cells of a file, uninterpreted. */
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pc from "picocolors";
import { expect, test } from "vitest";
import { fileRowsText } from "../../src/cli/render/file-rows-text.ts";
import { rowsStep } from "../../src/files/rows-step.ts";
import { DEFAULT_FILE_LIMITS } from "../../src/readers/index.ts";
import { workbook } from "../files/workbook-fixture.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { emptyFolder, SANDBOX_SECRETS, workFolder } from "./program.ts";

const STYLES = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';

/** A cell of each kind, a missing row, a hidden row, and sheets of each visibility. */
const EVERY_KIND = workbook({
  styles: STYLES,
  sheets: [
    {
      name: "Payouts",
      rows: `<row r="3"><c r="A3" t="inlineStr"><is><t>a${"\u200b"} </t></is></c><c r="C3"><v>0.30000000000000004</v></c>
        <c r="D3" s="1"><v>45992</v></c><c r="E3" t="b"><v>1</v></c><c r="F3"><f>C3*2</f><v>0.6</v></c>
        <c r="G3"><f>NOW()</f></c><c r="H3" t="e"><v>#REF!</v></c></row>
        <row r="9" hidden="1"><c r="A9"><v>1E-8</v></c></row>`,
    },
    { name: "Old", state: "hidden", rows: '<row r="1"><c r="A1"><v>7</v></c></row>' },
    { name: "Deep", state: "veryHidden", rows: "" },
  ],
});

const CELLS = [
  { kind: "text", text: "a\u200b " },
  { kind: "empty", text: "" },
  { kind: "number", text: "0.30000000000000004" },
  { kind: "date", text: "2025-12-01" },
  { kind: "boolean", text: "true" },
  { kind: "formula", text: "0.6" },
  { kind: "formula", text: "" },
  { kind: "error", text: "#REF!" },
];

async function fileOf(name: string, bytes: string | Uint8Array): Promise<[folder: string, name: string]> {
  const folder = await emptyFolder();
  await writeFile(join(folder, name), bytes);
  return [folder, name];
}

test("shows every cell of every sheet, with its kind and its exact text, without a configuration", async () => {
  const [folder, name] = await fileOf("every-kind.xlsx", EVERY_KIND);
  const { exitCode, stdout, stderr } = await paydropInTurn(folder, ["rows", name, "--json"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toEqual({
    verdict: "read",
    format: "xlsx",
    sheets: [
      {
        name: "Payouts",
        visible: true,
        rows: [[], [], CELLS, [], [], [], [], [], [{ kind: "number", text: "1E-8" }]],
      },
      { name: "Old", visible: false, rows: [[{ kind: "number", text: "7" }]] },
      { name: "Deep", visible: false, rows: [] },
    ],
    problems: [],
  });
  const people = await paydropInTurn(folder, ["rows", name, "--sheet", "payouts"]);
  expect(people).toMatchObject({ exitCode: 0, stderr: "" });
  expect(people.stdout).toBe(`every-kind.xlsx: read
  format:    xlsx (Excel workbook)
  sheet:     Payouts (visible, 2 rows)
sheet Payouts
  line 3
    A3  text     "a\\u{200b} "
    B3  empty
    C3  number   0.30000000000000004
    D3  date     2025-12-01
    E3  boolean  true
    F3  formula  0.6 (saved number)
    G3  formula  (no saved result)
    H3  error    #REF!
  line 9 (hidden)
    A9  number   1E-8
`);
});

test("says how a CSV was understood; of one with a row that cannot be read, only where it breaks its format", async () => {
  const text = 'Payroll\r\n\r\nsep;"x"\r\nR1;0,5\r\n';
  const utf16 = (content: string) => Buffer.from(`\ufeff${content}`, "utf16le");
  const [folder, name] = await fileOf("payroll.txt", utf16(text));
  const { exitCode, stdout } = await paydropInTurn(folder, ["rows", name, "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: "read",
    format: "csv",
    encoding: "utf-16le",
    delimiter: ";",
    sheets: [
      {
        name: "",
        visible: true,
        rows: [[{ text: "Payroll" }], [], [{ text: "sep" }, { text: "x" }], [{}, { text: "0,5" }]],
      },
    ],
    problems: [],
  });
  const people = await paydropInTurn(folder, ["rows", name]);
  expect(people.stdout).toContain('encoding:  utf-16le\n  delimiter: ";"\n  rows:      3\n');
  writeFileSync(join(folder, name), utf16(text.replace('"x"', '"x"y')));
  const broken = await paydropInTurn(folder, ["rows", name]);
  expect(broken.exitCode).toBe(3);
  expect(broken.stdout).toContain("payroll.txt: refused\nCSV_MALFORMED in payroll.txt, line 3");
});

test("refuses with exit code 3 and shows no half of a file that breaks off", async () => {
  const [folder, name] = await fileOf("cut.xlsx", EVERY_KIND.subarray(0, -40));
  const { exitCode, stdout } = await paydropInTurn(folder, ["rows", name, "--json"]);
  expect(exitCode).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: "refused",
    format: null,
    sheets: [],
    problems: [{ code: "XLSX_MALFORMED", file: "cut.xlsx" }],
  });
  const late = await fileOf("late.csv", `a,b\n${"1,2\n".repeat(100_000)}${",".repeat(600)}\n`);
  const people = await paydropInTurn(late[0], ["rows", late[1]]);
  expect(people.exitCode).toBe(3);
  expect(people.stdout).toMatch(/^late.csv: refused\nFILE_TOO_LARGE in late.csv, line 100002\n/);
  const missing = await paydropInTurn(folder, ["rows", name.replace("cut", "not-there"), "--json"]);
  expect(missing.exitCode).toBe(2);
});

test("asks for a sheet that is there", async () => {
  const [folder, name] = await fileOf("every-kind.xlsx", EVERY_KIND);
  const { exitCode, stdout } = await paydropInTurn(folder, ["rows", name, "--sheet", "May", "--json"]);
  expect(exitCode).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ code: "SHEET_NOT_FOUND" }] });
});

test("keeps to the limits of the configuration where there is one, as every other command", async () => {
  const folder = await workFolder();
  const variables = { ...SANDBOX_SECRETS, PAYDROP_FILES_LIMITS_COLUMNS_MAX: "3" };
  for (const command of ["rows", "validate"]) {
    const { exitCode, stdout } = await paydropInTurn(folder, [command, "payouts.csv", "--json"], variables);
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "refused", problems: [{ code: "FILE_TOO_LARGE" }] });
  }
});

test("does not repeat a private key, in no form", async () => {
  const key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
  const [folder, name] = await fileOf("key.csv", `reference,address\nR1,${key}\n`);
  for (const options of [[], ["--json"]]) {
    const { stdout, stderr } = await paydropInTurn(folder, ["rows", name, ...options]);
    expect(stdout + stderr).not.toContain(key.slice(0, 20));
    expect(stdout).toContain("looks like a private key");
  }
});

test("shows the beginning of a long sheet on a terminal, and says how to see the rest", async () => {
  const text = `a\n${"x".repeat(500)}\n${"b\n".repeat(98)}`;
  const [folder, name] = await fileOf("long.csv", text);
  const rows = await rowsStep(join(folder, name), DEFAULT_FILE_LIMITS);
  const shown = (isWhole: boolean) => fileRowsText(rows, isWhole, pc.createColors(false));
  expect(shown(false)).toContain(
    '  line 20\n    A20  text     "b"\n  ... and 80 more rows; `--all` shows them',
  );
  expect(shown(false)).toContain(`"${"x".repeat(200)}" ... 500 characters`);
  expect(shown(true)).toContain('  line 100\n    A100  text     "b"');
  expect(shown(true)).toContain(`"${"x".repeat(500)}"\n`);
});
