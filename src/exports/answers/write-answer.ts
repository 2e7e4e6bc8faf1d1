/** Writes an answer: a new file in the sender's format, which appears whole or not at all. */
import { writeFile } from "node:fs/promises";
import { writeWhole } from "../../context/files.ts";
import { oneLine } from "../cell-text.ts";
import { type Answer, FINDINGS_MAX, inWords, leftOut, type Summary } from "./answer.ts";
import { writeAnswerCsv } from "./answer-csv.ts";
import { writeAnswerXlsx } from "./answer-xlsx.ts";

/** Returns the written paths. Throws OUTPUT_UNWRITABLE, leaving nothing. */
export async function writeAnswer(answer: Answer): Promise<string[]> {
  const { path, grid } = answer;
  if (grid.format === "xlsx") {
    await writeWhole(path, (temporaryPath) => writeAnswerXlsx(temporaryPath, answer));
    return [path];
  }
  const summaryPath = `${path}.txt`;
  await writeWhole(path, async (temporaryPath) => {
    await writeAnswerCsv(temporaryPath, answer);
    // Before the answer appears under its name, so that whoever sees it finds the summary too.
    await writeWhole(summaryPath, (textPath) => writeFile(textPath, summaryText(answer.summary)));
  });
  return [path, summaryPath];
}

/** A CSV holds only lines, so that programs can read it; what people want to know stands beside it. */
function summaryText({ sentence, groups, findings }: Summary): string {
  const lines = [
    oneLine(sentence),
    ...groups.flatMap(({ heading, facts }) => [
      "",
      oneLine(heading),
      ...facts.map(([label, value]) => `  ${oneLine(value === "" ? label : `${label}: ${value}`)}`),
    ]),
    ...(findings.length === 0 ? [] : ["", "Problems and warnings"]),
    ...findings.slice(0, FINDINGS_MAX).map((found) => `  ${oneLine(inWords(found))}`),
    ...leftOut(findings.length).map((text) => `  ${text}`),
  ];
  return `${lines.join("\n")}\n`;
}
