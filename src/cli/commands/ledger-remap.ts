/** `paydrop ledger remap` */
import { type Remap, remapStep } from "../../books/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { shown } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

export interface RemapOptions {
  readonly by: string;
  readonly check?: boolean;
}

export function ledgerRemapCommand(session: Session, { by: person, check }: RemapOptions): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const remap = await remapStep(workplace, { person, ...(check === true && { checkOnly: true }) });
    session.output.answer(remap, remapText);
    return EXIT.done;
  });
}

const ENTRIES_SHOWN = 20;

function remapText({ values, entries, unmapped, held, isDone }: Remap): string {
  const count = counted(entries.length, "entry", "entries");
  const verdict = isDone
    ? `${count} reversed and booked again`
    : `${count} would be reversed and booked again`;
  const isEmpty = entries.length + unmapped.length + held.length === 0;
  const nothing = isEmpty
    ? "nothing lies on suspense"
    : "the chart of accounts knows nothing of what lies on suspense";
  const more = entries.length - ENTRIES_SHOWN;
  return lines(
    entries.length === 0 ? nothing : verdict,
    ...values.map((each) => `  ${sumText(each)}, to ${shown(each.to)}`),
    ...entries
      .slice(0, ENTRIES_SHOWN)
      .map(
        ({ entryId, reversedOn, bookedAgainOn }) =>
          `  ${shown(entryId)}: reversed on ${reversedOn}, booked again on ${bookedAgainOn}`,
      ),
    more > 0 && `  ... and ${more} more; \`--json\` lists them all`,
    ...unmapped.map((each) => `still without a line: ${sumText(each)}`),
    ...held.map(({ message, fix }) => `stays on suspense: ${shown(message)}. ${shown(fix)}`),
  );
}

/** `GL account "Hosting": 3 entries, 120.00` */
function sumText({ what, entries, value }: Remap["unmapped"][number]): string {
  return `${shown(what)}: ${counted(entries, "entry", "entries")}, ${value}`;
}
