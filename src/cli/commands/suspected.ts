/** `paydrop suspected` and `paydrop suspected remove NAME...` */

import { type KeptAside, listKeptAside, removeKeptAside } from "../../files/intake/kept-aside.ts";
import { minuteText } from "../../model/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

export function suspectedCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    session.output.answer({ keptAside: await listKeptAside(workplace) }, keptText);
    return EXIT.done;
  });
}

export function removeSuspectedCommand(
  session: Session,
  names: readonly string[],
  { by: person }: { readonly by: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const removed = await removeKeptAside(workplace, names, person);
    session.output.answer({ removed }, () => lines(...removed.map(({ path }) => `removed: ${shown(path)}`)));
    return EXIT.done;
  });
}

function keptText({ keptAside }: { readonly keptAside: readonly KeptAside[] }): string {
  if (keptAside.length === 0) return "No file is kept aside.";
  return lines(
    ...keptAside.map(
      ({ path, since, until }) =>
        `${shown(path)}: since ${minuteText(since)}, removed by itself on ${minuteText(until)}`,
    ),
    "They seem to hold private keys. If one does, move its funds, then `paydrop suspected remove NAME`.",
  );
}
