/** Renders the roster and its changes, and the line that says that it is a trial. */
import type { Config } from "../../config/index.ts";
import { applying } from "../../model/applying.ts";
import { minuteText } from "../../model/index.ts";
import type { AddedPerson, ListedPerson, RosterReport } from "../../proof/people-step.ts";
import type { RecordedDecision } from "../../proof/recorded-decisions.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";
import { lines } from "./text-parts.ts";
import { textTable } from "./text-table.ts";

const TRIAL = "Trial: its keys sign for any person named; nobody's identity is proven.";

/** The line that every interface shows in a trial. */
export function trialLine({ config }: { readonly config: Pick<Config, "people"> }): string | undefined {
  return config.people.trialKeys === undefined ? undefined : TRIAL;
}

/** "re-open payout PAY-1, by cy at 2026-11-28 10:05 UTC" */
export function decisionText({ action, subject, person, at }: RecordedDecision): string {
  return `${action} ${subject}, by ${person} at ${minuteText(at)}`;
}

export function rosterText(report: RosterReport, colors: Colors): string {
  const { installation, people, root, head } = report;
  const columns = ["name", "roles", "key", "kind", "since", "mail"];
  return lines(
    colors.bold(`People of ${shown(installation)}`),
    people.length === 0
      ? "Nobody yet: `paydrop people add NAME --role admin --key FILE.pub` adds the first admin, signed by a key " +
          "of the root."
      : textTable(columns, people.flatMap(personRows)),
    `root, as \`people.root\` has it: ${root.map(shown).join(", ")}`,
    head === undefined
      ? "no change of the roster yet"
      : `newest change, for \`people.head\`, so that no shorter roster is believed: ${head}`,
  );
}

function personRows({ name, roles, keys, invitedUntil, mail = "" }: ListedPerson): string[][] {
  const [first = ["no key", "", ""], ...others] = applying(
    ...keys.map(({ fingerprint, kind, since }) => [fingerprint, kind, minuteText(since)]),
    invitedUntil !== undefined && [`invited until ${minuteText(invitedUntil)}`, "", ""],
  );
  return [[name, roles.join(", "), ...first, shown(mail)], ...others.map((key) => ["", "", ...key, ""])];
}

export function addedText(name: string, { roster, invitation }: AddedPerson, colors: Colors): string {
  const person = roster.people.find((each) => each.name === name);
  return lines(
    `${name} is on the roster: ${person?.roles.join(", ")}`,
    invitation && `one-time code: ${colors.bold(invitation.code)}`,
    invitation &&
      `Hand it over in person; until ${minuteText(invitation.until)} it enrols one key of theirs: \`paydrop people ` +
        `enroll ${JSON.stringify(name)} --key FILE.pub\``,
  );
}

export function enrolledText(name: string, { people }: RosterReport): string {
  const keys = people.find((person) => person.name === name)?.keys ?? [];
  return `${name} signs with ${keys.map(({ fingerprint }) => fingerprint).join(", ")} from now on`;
}

export function reachedText(name: string, { people }: RosterReport): string {
  const mail = people.find((person) => person.name === name)?.mail;
  return mail === undefined
    ? `${name} gets no mail from now on`
    : `${name} gets mail at ${shown(mail)} from now on`;
}

export function revokedText(name: string, key: string | undefined): string {
  return key === undefined
    ? `${name} is off the roster; their approvals of unsent payments are void`
    : `the key ${shown(key)} of ${name} is off the roster; approvals signed by it are void for unsent payments`;
}
