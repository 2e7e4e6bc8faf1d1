/** The unused and unusual parts of a file, as questions that a person must answer before the file is paid. */
import { isAnsweredBy, type Question } from "../../../model/sheet-reading.ts";
import { shownText } from "../../../model/shown-text.ts";
import { titleWord, withoutTime } from "../compared-text.ts";
import { ofAmounts, ofUnits } from "./amounts.ts";
import { byContent, joined, ofEmpty, ofOwnReferences, ofTexts, ofValues } from "./columns.ts";
import {
  declaredIn,
  ofCsv,
  ofFileName,
  ofNote,
  ofRemarks,
  ofRepeatedNames,
  ofTotal,
  ofTotalRemarks,
} from "./lines.ts";
import { ofAddresses, ofFeeRates, ofHashes, ofPastDays, ofSumsOfOthers, severalToOne } from "./payments.ts";
import { type Asked, question } from "./question.ts";

const NOTHING_DECLARED: ReadonlySet<string> = new Set();

/** The questions that the layout does not answer. */
export function askQuestions(asked: Asked): Question[] {
  const { unread, ledger, notes, rows, classified } = asked;
  const { layout, hiddenPayouts } = asked.policy;
  const { sections, totals, secondTotals } = classified;
  const isAnswered = (id: string) => layout?.accepted.has(id) === true || layout?.notPaid.has(id) === true;
  const declared = notes.length + totals.length === 0 ? NOTHING_DECLARED : declaredIn(rows);
  const found = [...byContent(asked), ...ofOwnReferences(asked)];
  const ofColumns = joined(
    [...found, ...unread.flatMap((column) => [...ofTexts(column, rows), ...ofEmpty(column)])].filter(
      ({ id }) => !isAnswered(id),
    ),
  );
  const ofFew = unread.flatMap((column) => ofValues(column, rows));
  const several = severalToOne(rows);
  const amounts = ofAmounts(rows, layout);
  const questions = [
    ...(found.length > 0 ? [ofColumns, ofFew] : [ofFew, ofColumns]).flat(),
    ...ledger.flatMap((column) => ofValues(column, rows)),
    ...ofRemarks(asked),
    ...notes.flatMap((note) => ofNote(note, rows, declared)),
    ...sections.map(({ line, heading }) =>
      question(["section", withoutTime(heading)], `a section is headed "${heading}"`, [line]),
    ),
    ...totals.flatMap(ofTotal),
    ...ofTotalRemarks(asked, declared),
    ...secondTotals.map(({ line, text, amount }) => {
      const repeats = `${text === "" ? `line ${line}` : `"${text}"`} repeats the sum ${amount} of the same lines`;
      return question(["second total", titleWord(text)], repeats, [line]);
    }),
    ...ofRepeatedNames(asked),
    ...ofFileName(asked),
    ...hiddenPayouts.map((sheet) => {
      const text = `the hidden sheet "${shownText(sheet)}" holds a table of payouts, which is not read and not paid`;
      return question(["hidden sheet", titleWord(sheet)], text, []);
    }),
    ...ofUnits(asked),
    ...ofAddresses(asked, several),
    ...ofPastDays(asked),
    ...ofHashes(asked),
    ...ofFeeRates(asked),
    ...amounts,
    ...ofSumsOfOthers(
      several,
      rows.filter(({ hasFields }) => hasFields).length,
      new Set(amounts.flatMap(({ lines }) => lines)),
    ),
    ...ofCsv(asked),
  ];
  return [...new Map(questions.map((each) => [each.id, each])).values()].filter(
    (each) => !isAnsweredBy(each, isAnswered),
  );
}
