/**
 * Plain XML is read without saxes, and must mean what saxes would make of it. In chunks of three bytes nothing is
 * plain, so saxes alone reads them: it is the second opinion on every spelling here.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import { DEFAULT_FILE_LIMITS as LIMITS } from "../../src/intake/index.ts";
import { type Archive, openArchive } from "../../src/intake/xlsx/archive.ts";
import { ContentScan } from "../../src/intake/xlsx/content-scan.ts";
import { RowPacker, unpackRows } from "../../src/intake/xlsx/packed-rows.ts";
import { PlainCells } from "../../src/intake/xlsx/plain-cells.ts";
import { RowWriter } from "../../src/intake/xlsx/row-writer.ts";
import { readSharedStrings } from "../../src/intake/xlsx/shared-strings.ts";
import { SharedTexts } from "../../src/intake/xlsx/shared-texts.ts";
import type { SheetFeature } from "../../src/intake/xlsx/sheet-features.ts";
import { sheetRows } from "../../src/intake/xlsx/sheet-rows.ts";
import { styleOf } from "../../src/intake/xlsx/styles.ts";
import { readWorkbook, type Workbook } from "../../src/intake/xlsx/workbook.ts";

const SAXES_ALONE = 3;

const PLAIN = styleOf({ cells: [], rules: [], theme: [] }, 0);

const SHARED = ["reference", " ", "", "PAY-1"];

function workbookOf(sharedStrings: readonly string[]): Workbook {
  const sheet = { name: "Payouts", visibility: "visible", partName: "sheet.xml" } as const;
  return {
    path: "x",
    sheets: [sheet],
    sharedTexts: textsOf(sharedStrings),
    sharedTextsPart: undefined,
    styles: {
      cells: [
        PLAIN,
        { ...PLAIN, isDate: true },
        { ...PLAIN, unit: "€" },
        { ...PLAIN, isStruck: true },
        { ...PLAIN, bareDigits: { min: 5, max: Infinity } },
        { ...PLAIN, unseen: "colour" },
      ],
      rules: [],
      theme: [],
    },
    isCalculatedAnew: false,
    dateSystem: 1900,
  };
}

function textsOf(texts: readonly string[]): SharedTexts {
  const shared = new SharedTexts(Buffer.byteLength(texts.join("")));
  for (const text of texts) shared.add(text);
  return shared;
}

function textsIn(shared: SharedTexts): readonly (string | undefined)[] {
  return Array.from({ length: shared.length }, (_, index) => shared.at(index));
}

function withTexts(workbook: Workbook): object {
  return { ...workbook, sharedTexts: textsIn(workbook.sharedTexts) };
}

/** An archive of one part. */
function archiveOf(bytes: Buffer): Archive {
  return {
    path: "x",
    limits: LIMITS,
    partNames: ["sheet.xml"],
    find: (name) => (name === "sheet.xml" ? name : undefined),
    read: async function* () {
      yield bytes;
    },
    inflatedBytes: () => bytes.length,
    close: () => undefined,
  };
}

/** The same archive with its parts in chunks of this length. */
function inChunks(archive: Archive, chunkBytes: number): Archive {
  return {
    ...archive,
    read: async function* (partName) {
      for await (const bytes of archive.read(partName)) {
        for (let start = 0; start < bytes.length; start += chunkBytes) {
          yield bytes.subarray(start, start + chunkBytes);
        }
      }
    },
  };
}

class ScannedTexts extends ContentScan {
  private readonly found: string[];

  constructor(texts: string[]) {
    super();
    this.found = texts;
  }

  override value(text: string): void {
    this.found.push(text);
  }
}

/** Everything that a reading of the first sheet returns, or why it is refused. */
async function sheetIn(archive: Archive, workbook: Workbook): Promise<object> {
  const packer = new RowPacker(workbook.sharedTexts);
  const features: SheetFeature[] = [];
  const scannedTexts: string[] = [];
  const listener = {
    found: (feature: SheetFeature) => features.push(feature),
    scan: new ScannedTexts(scannedTexts),
  };
  const [sheet] = workbook.sheets;
  if (sheet === undefined) return {};
  return orRefusal(async () => {
    const rows = [];
    for await (const _ of sheetRows(archive, workbook, sheet, listener, packer)) {
      while (packer.isFull) rows.push(...unpackRows(packer.take()));
    }
    rows.push(...unpackRows(packer.take()));
    return {
      rows,
      features,
      scannedTexts: scannedTexts.join(""),
      shown: SHARED.map((_, index) => workbook.sharedTexts.isShown(index)),
    };
  });
}

async function orRefusal<Found>(read: () => Promise<Found>): Promise<Found | { readonly refusal: string }> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // Which of two mistakes saxes reports depends on the lengths of the chunks.
    const { code, message } = error.problem;
    return { refusal: `${code} ${message.replace(/ \(.*\)/, "")}` };
  }
}

function plainCells(prefix = ""): PlainCells {
  const workbook = workbookOf(SHARED);
  const [sheet] = workbook.sheets;
  if (sheet === undefined) throw new Error("no sheet");
  const rows = new RowWriter(workbook, sheet, LIMITS, new RowPacker(workbook.sharedTexts));
  rows.openRow({ r: "1" });
  return new PlainCells(rows, prefix);
}

function charactersRead(text: string, prefix = ""): number {
  return plainCells(prefix).read({ text, codes: Uint16Array.from(text, (each) => each.charCodeAt(0)) }, 0);
}

describe("what spreadsheet programs write is plain", () => {
  test.each([
    ["shared texts and numbers", '<c r="A1" t="s"><v>3</v></c><c r="B1" s="1"><v>45992.5</v></c>'],
    ["inline texts", '<c t="inlineStr" r="A1"><is><t xml:space="preserve"> a > b </t></is></c>'],
    ["cells that only have a style", '<c r="A1" s="3" /><c r="B1" s="3"/>'],
    [
      "the next row",
      '</row><row r="2" spans="1:20" ht="15.75" x14ac:dyDescent="0.25"><c r="A2"><v>1</v></c>',
    ],
    ["indented rows", '</row>\n  <row r="2">\n    <c r="A2"><v>1</v></c>'],
  ])("%s", (_, text) => expect(charactersRead(text)).toBe(text.length));

  test("with a prefix as well", () => {
    const text = '<x:c r="A1"><x:v>1</x:v></x:c></x:row><x:row r="2"><x:c r="A2"/>';
    expect(charactersRead(text, "x:")).toBe(text.length);
    expect(charactersRead(text)).toBe(0);
  });
});

test.each([
  ["an entity", "<v>&amp;</v>"],
  ["an end of CDATA without a beginning", "<v>]]></v>"],
  ["a character that XML does not know", "<v>\u0001</v>"],
  ["a carriage return", "<v>1\r</v>"],
  ["a character of two halves", "<v>\u{1f600}</v>"],
  ["another end tag", "<v>1</w>"],
])("leaves %s to saxes", (_, content) => expect(charactersRead(`<c r="A1">${content}</c>`)).toBe(0));

const weighted = <Value>(usual: Value, ...others: readonly Value[]) =>
  fc.oneof(
    { weight: 4 * others.length, arbitrary: fc.constant(usual) },
    { weight: others.length, arbitrary: fc.constantFrom(...others) },
  );

const LETTERS = ["A", "B", "C", "D"];
const references = weighted<(line: number, column: number) => string>(
  (line, column) => ` r="${LETTERS[column]}${line}"`,
  () => "",
  (line) => ` r="B${line + 1}"`,
  (line) => ` r="A${line}"`,
  (line, column) => ` r="${LETTERS[column]}0${line}"`,
  (line) => ` r="AAAA${line}"`,
  (line) => ` r="XFE${line}"`,
  (line) => ` r="b${line}"`,
);
const styles = weighted("", ' s="1"', ' s="0"', ' s="5"', " s='1'", ' s="01"', ' s="x"', ' s="1" s="2"');
const types = weighted(
  "",
  ' t="s"',
  ' t="inlineStr"',
  ' t="str"',
  ' t="b"',
  ' t="z"',
  ' t=""',
  ' t="s" t="n"',
);
const otherAttributes = weighted("", ' cm="1"', " ", ' r="D9"', " t='n'");
const contents = weighted(
  "><v>1</v></c>",
  "/>",
  "></c>",
  "><v>3</v></c>",
  "><v> 2 </v></c>",
  "><v>9</v></c>",
  "><v></v></c>",
  "><v>é\n]</v></c>",
  "><v>\u2028</v></c>",
  "><v>\u0085</v></c>",
  "><v>]]></v></c>",
  "><v>&lt;&#x41;</v></c>",
  "><v><![CDATA[1]]></v></c>",
  "><v>1</v><v>2</v></c>",
  "><f>1+1</f><v>2</v></c>",
  "><is><t>_x0041_ 😀</t></is></c>",
  '><is><t xml:space="preserve"> x\t</t></is></c>',
  "><is><r><t>a</t></r><rPh><t>b</t></rPh></is></c>",
);
const between = weighted(
  "",
  "\n  ",
  "\r\n",
  "x",
  "<!-- ><c><v>1</v></c> -->",
  "<![CDATA[><c><v>1</v></c>]]>",
  "<?x >?>",
);
const cells = fc.tuple(
  references,
  fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  styles,
  types,
  otherAttributes,
  contents,
  between,
);
const rowAttributes = weighted(
  "",
  ' spans="1:3"',
  ' hidden="1"',
  ' ht="0"',
  " ht='&#48;'",
  ' a:b="<"',
  "  ",
  ' a="1" a="2"',
);
const rowNumbers = weighted<(line: number) => string>(
  (line) => ` r="${line}"`,
  () => "",
  () => ' r="2"',
  (line) => ` spans="1:3" r="${line}"`,
  (line) => ` r="${line}" r="${line}"`,
);
const sheet = fc
  .array(fc.tuple(rowNumbers, rowAttributes, fc.array(cells, { maxLength: 4 }), between), { maxLength: 5 })
  .map((rows) => {
    const written = rows.map(([number, others, cellsOfRow, behind], index) => {
      const inRow = cellsOfRow.map(([reference, order, style, type, other, content, space], column) => {
        const attributes = [reference(index + 1, column), style, type];
        return `<c${order.map((at) => attributes[at]).join("")}${other}${content}${space}`;
      });
      return `<row${number(index + 1)}${others}>${inRow.join("")}</row>${behind}`;
    });
    const data = `<sheetData>${written.join("")}</sheetData>`;
    return `<worksheet><cols><col min="2" max="2" hidden="1"/></cols>${data}<mergeCell ref="A1:B2"/></worksheet>`;
  });
const change = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 2 }),
  added: fc.constantFrom("", ..."<>&\"'=/]! \r\n\u0000\u0085é😀x1"),
});
const spelling = fc.record({
  xml: sheet,
  prefix: fc.constantFrom("", "x:", "é:", "x.y:"),
  changes: fc.oneof(fc.constant([]), fc.array(change, { maxLength: 2 })),
  declaration: weighted("", '<?xml version="1.1"?>', '<?xml version="1.0"?>'),
  encoding: fc.constantFrom("utf8", "utf16le"),
  chunkBytes: fc.integer({ min: 20, max: 2000 }),
});

function bytesOf({
  xml,
  prefix,
  changes,
  declaration,
  encoding,
}: typeof spelling extends fc.Arbitrary<infer S> ? S : never) {
  let text = declaration + xml.replace(/<\/?(?=[A-Za-z])/g, (bracket) => bracket + prefix);
  for (const { place, removed, added } of changes) {
    const at = Math.floor(place * text.length);
    text = text.slice(0, at) + added + text.slice(at + removed);
  }
  return Buffer.from(encoding === "utf8" ? text : `\ufeff${text}`, encoding as BufferEncoding);
}

test("any sheet, sound or not, in chunks of any length, is read or refused as by saxes alone", async () => {
  await fc.assert(
    fc.asyncProperty(spelling, async (spelled) => {
      const archive = archiveOf(bytesOf(spelled));
      const found = await sheetIn(inChunks(archive, spelled.chunkBytes), workbookOf(SHARED));
      expect(found).toEqual(await sheetIn(inChunks(archive, SAXES_ALONE), workbookOf(SHARED)));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  "<sheetData><xsheetData><xrow><xc><xv>1</xv></xc></xrow></xsheetData></sheetData>",
  "<worksheet><sheetData><c><row><c><v>1</v></c></row></c></sheetData></worksheet>",
  "<sheetData><c><row><c><v>1</v></c></row></c></sheetData>",
  "<worksheet><row><row><c><v>1</v></c></row></row></worksheet>",
  "<worksheet><sheetData><row><c><v>1</v></c><extLst><v>2</v></extLst></row></sheetData></worksheet>",
  "<a:worksheet><a:sheetData><b:row><b:c><b:v>1</b:v></b:c></b:row></a:sheetData></a:worksheet>",
])("so are elements in strange places: %s", async (xml) => {
  const archive = archiveOf(Buffer.from(xml));
  const alone = inChunks(archive, SAXES_ALONE);
  expect(await sheetIn(archive, workbookOf(SHARED))).toEqual(await sheetIn(alone, workbookOf(SHARED)));
});

test("so are any shared texts", async () => {
  const item = weighted(
    "<si><t>reference</t></si>",
    '<si><t xml:space="preserve"> é > </t></si>',
    "<si><t>_x0041_</t></si>\n",
    "<si><t>&amp;</t></si>",
    "<si><t>a]]></t></si>",
    "<si><si><t>x</t></si></si>",
    "<si><t/></si>",
    "<si><r><t>a</t></r><r><t>b</t></r></si>",
    "<si><t>a</t><rPh><t>b</t></rPh></si>",
    "<si><t>\r\n\u0085</t></si>",
    "<si><t><sst><si><t>x</t></si></sst></t></si>",
  );
  const table = fc.array(item, { maxLength: 6 }).map((items) => `<sst>${items.join("")}</sst>`);
  await fc.assert(
    fc.asyncProperty(spelling, table, async (spelled, xml) => {
      const archive = archiveOf(bytesOf({ ...spelled, xml }));
      const found = (chunkBytes: number) =>
        orRefusal(async () =>
          textsIn(await readSharedStrings(inChunks(archive, chunkBytes), "sheet.xml", [])),
        );
      expect(await found(spelled.chunkBytes)).toEqual(await found(SAXES_ALONE));
    }),
    { numRuns: 500 },
  );
});

test("so is every workbook of the corpus", async () => {
  const folder = join(import.meta.dirname, "corpus/files");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  let sheets = 0;
  for (const name of names.filter((each) => each.endsWith(".xlsx"))) {
    const archive = await orRefusal(() => openArchive(join(folder, name), LIMITS));
    if ("refusal" in archive) continue;
    const workbook = await orRefusal(() => readWorkbook(archive));
    if ("refusal" in workbook) continue;
    const alone = inChunks(archive, SAXES_ALONE);
    const second = await readWorkbook(alone);
    expect(withTexts(workbook), name).toEqual(withTexts(second));
    for (const sheet of workbook.sheets) {
      const one = { ...workbook, sheets: [sheet] };
      expect(await sheetIn(archive, one), name).toEqual(await sheetIn(alone, one));
      sheets += 1;
    }
    archive.close();
  }
  expect(sheets).toBeGreaterThan(100);
});
