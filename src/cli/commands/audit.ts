/** The record, entry by entry: `paydrop audit list` and `audit export FILE` */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { writeOnce } from "../../context/files.ts";
import { auditLine } from "../../views/explain-step.ts";
import { RECORD_FORMATS, type RecordFilter, recordStep, recordTexts } from "../../views/record-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { textTable } from "../render/text-table.ts";
import { fileAt } from "../report-file.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

type ListOptions = RecordFilter & { readonly limit: number };

export function auditListCommand(session: Session, { limit, ...filter }: ListOptions): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const { entries, before, head } = await recordStep(workplace, filter, undefined, limit);
    const listed = entries.map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) }));
    session.output.answer({ entries: listed, isCut: before !== undefined, head }, () => {
      const rows = listed.map(({ subject, ...entry }) => {
        const { at, who, what } = auditLine(entry);
        return [
          String(entry.seq),
          `${at.slice(0, 10)} ${at.slice(11, 19)}`,
          shown(who),
          shown(subject),
          shown(what),
        ];
      });
      return lines(
        entries.length === 0
          ? "There is no such entry."
          : textTable(["number", "when (UTC)", "who", "about", "what"], rows),
        before !== undefined && `There are more, before number ${before}: \`--limit\`, or \`audit export\`.`,
        head && `The head is ${head.hash} (entry ${head.seq}).`,
      );
    });
    return EXIT.done;
  });
}

/** Throws OUTPUT_EXISTS, and USAGE for another ending. */
export function auditExportCommand(session: Session, file: string, filter: RecordFilter): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const { as, path } = await fileAt(file, { name: "record", formats: RECORD_FORMATS, usual: "csv" });
    await writeOnce(path, (temporaryPath) =>
      pipeline(Readable.from(recordTexts(workplace, filter, as)), createWriteStream(temporaryPath)),
    );
    session.output.answer({ path }, () => `written: ${shown(path)}, newest entry first`);
    return EXIT.done;
  });
}
