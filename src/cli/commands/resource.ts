/** Shared by `payouts` and `deposits`: `find`, `show`, and changes that show their subject before and after. */

import { Fault, type Problem, problem } from "../../faults/index.ts";
import { present } from "../../model/present.ts";
import type { ChangeReport } from "../../payments/sending/index.ts";
import type { SearchReport, SearchRequest } from "../../views/search-step.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { problemText, shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { type NameOf, searchNotes } from "../render/wire-text.ts";
import { type SearchOptions, searchRequest } from "../search-options.ts";
import { inWorkplace, type Session } from "../session.ts";
import { confirm } from "../terminal.ts";

export interface Resource<Shown> {
  /** Its name in questions and JSON answers. */
  readonly name: "payout" | "deposit";
  search(workplace: Workplace, request: SearchRequest): Promise<SearchReport<Shown>>;
  /** Everything with this id or reference. */
  show(workplace: Workplace, idOrReference: string): Promise<readonly Shown[]>;
  one(workplace: Workplace, idOrReference: string): Promise<Shown>;
  idOf(shown: Shown): string;
  stateOf(shown: Shown): string;
  listText(found: readonly Shown[], nameOf: NameOf): string;
  text(shown: Shown, nameOf: NameOf, colors: Colors): string;
}

export function findCommand<Shown>({ name, search, listText }: Resource<Shown>) {
  return (session: Session, options: SearchOptions): Promise<ExitCode> =>
    inWorkplace(session, async (workplace) => {
      const report = await search(workplace, searchRequest(options));
      const { found, ...others } = report;
      const nameOf = custodyNames(workplace.config);
      session.output.answer({ [`${name}s`]: found, ...others }, () => {
        const list = found.length === 0 ? `The service shows no such ${name}.` : listText(found, nameOf);
        return lines(list, ...searchNotes(report));
      });
      return EXIT.done;
    });
}

export function showCommand<Shown>({ name, show, text }: Resource<Shown>) {
  return (session: Session, idOrReference: string): Promise<ExitCode> =>
    inWorkplace(session, async (workplace) => {
      const elements = await show(workplace, idOrReference);
      const nameOf = custodyNames(workplace.config);
      session.output.answer({ [`${name}s`]: elements }, (_, colors) =>
        elements.map((element) => text(element, nameOf, colors)).join("\n\n"),
      );
      return EXIT.done;
    });
}

export interface ChangeOptions {
  readonly by: string;
  readonly yes?: boolean;
  readonly route?: boolean;
}

/** The subject of a change. */
export interface Subject<Key> {
  readonly key: Key;
  readonly id: string;
  readonly text: string;
}

/**
 * Shows the subject, asks for confirmation, changes it, and shows it again. Exits with 4 if the outcome is unknown.
 * `unshown` finds subjects that can be changed though the service does not show them.
 */
export function changeCommand<Shown extends Key, Key, Options extends ChangeOptions>(
  resource: Resource<Shown>,
  verb: "Void" | "Authorize",
  carryOut: (workplace: Workplace, subject: Key, options: Options) => Promise<ChangeReport>,
  unshown?: (workplace: Workplace, idOrReference: string) => Promise<Subject<Key> | undefined>,
) {
  const subjectOf = async (session: Session, workplace: Workplace, text: string): Promise<Subject<Key>> => {
    try {
      const key = await resource.one(workplace, text);
      const { output } = session;
      const shown = resource.text(key, custodyNames(workplace.config), output.colors);
      return { key, id: resource.idOf(key), text: shown };
    } catch (error) {
      if (!(error instanceof Fault) || error.problem.code !== "NOT_AT_SERVICE") throw error;
      const subject = await unshown?.(workplace, text);
      if (subject === undefined) throw error;
      return subject;
    }
  };
  return (session: Session, idOrReference: string, options: Options): Promise<ExitCode> =>
    inWorkplace(session, async (workplace) => {
      const { name } = resource;
      const { key, id, text } = await subjectOf(session, workplace, idOrReference);
      session.output.say(text);
      await confirm(session, `${verb} this ${name}?`, options.yes === true);
      const change = await carryOut(workplace, key, options);
      const { shown, now, problems } = await shownAfter(workplace, resource, id);
      session.output.answer({ change, ...present({ [name]: shown, problems }) }, (_, colors) =>
        changeText(change, now, colors),
      );
      return change.isInDoubt ? EXIT.personNeeded : EXIT.done;
    });
}

/** The state that the service shows after a change, or why it shows none. */
interface ShownAfter<Shown> {
  readonly shown?: Shown;
  readonly now: string | Problem;
  readonly problems?: readonly Problem[];
}

/** A failed look afterwards must not be reported instead of the change; a violated invariant is thrown. */
export async function shownAfter<Shown>(
  workplace: Workplace,
  { one, stateOf }: Resource<Shown>,
  id: string,
): Promise<ShownAfter<Shown>> {
  try {
    const shown = await one(workplace, id);
    return { shown, now: stateOf(shown) };
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.next === "stopped") throw error;
    return { now: error.problem, problems: [error.problem] };
  }
}

/** `now`: the state that the service shows afterwards, or why it shows none; undefined if it was not asked. */
export function changeText(change: ChangeReport, now: string | Problem | undefined, colors: Colors): string {
  const { operation, subject, evidence, depositId, isInDoubt } = change;
  if (isInDoubt) return problemText(problem("CHANGE_IN_DOUBT", { operation, subject, evidence }), colors);
  const what = depositId === undefined ? subject : `${subject}, deposit ${depositId}`;
  return `${operation} of ${shown(what)}: ${colors.green("accepted")} (${shown(evidence)})${nowText(now)}`;
}

function nowText(now: string | Problem | undefined): string {
  if (now === undefined) return "";
  return typeof now === "string"
    ? `; it is ${shown(now)} now`
    : `; what it is now is not known: ${shown(now.message)}`;
}
