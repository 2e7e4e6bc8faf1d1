/** A sheet is cut into the same pieces wherever its chunks end and however long its rows are. */
import { expect, test } from "vitest";
import { sheetPieces } from "../../../src/exports/answers/xlsx/sheet-rows.ts";

const SHEET =
  '<x:worksheet xmlns:x="u"><x:sheetPr/><x:sheetData><!-- a <x:row> --><x:row r="1"><x:c/></x:row><x:row r="3"/>' +
  `<x:row r="4" s='>'><!-- </x:row> --><x:c/></x:row ><x:row/></x:sheetData><x:tail/></x:worksheet>`;

async function piecesOf(chunks: Iterable<string>) {
  const given = async function* () {
    yield* chunks;
  };
  const pieces: { kind: string; xml: string }[] = [];
  for await (const some of sheetPieces(given())) pieces.push(...some);
  return pieces;
}

function* inChunks(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

test("wherever its chunks end", async () => {
  const whole = await piecesOf([SHEET]);
  expect(whole.map(({ kind }) => kind).join(" ")).toBe("head row row row row tail");
  for (let length = 1; length < SHEET.length; length += 1)
    expect(await piecesOf(inChunks(SHEET, length)), `chunks of ${length}`).toEqual(whole);
});

test("a row of 128 MB takes no longer than many short ones", async () => {
  const text = Array<string>(2048).fill("x ".repeat(32_768));
  const sheet = [
    "<worksheet><sheetData><row><c><is><t>",
    ...text,
    "</t></is></c></row></sheetData></worksheet>",
  ];
  const pieces = await piecesOf(sheet);
  expect(pieces.map(({ kind }) => kind)).toEqual(["head", "row", "tail"]);
});
