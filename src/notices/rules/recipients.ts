/** The recipients of a notice: the chat, and everybody with a mail address whom `notices.who` names. */
import type { Config } from "../../config/index.ts";
import { isRole, personKey, type Role } from "../../model/index.ts";
import { type Approvers, mayApprove } from "../../people/decide.ts";
import type { Notice } from "./notice.ts";

/** The people and senders that can be reached, and whether there is a chat. */
export interface Directory {
  readonly people: readonly Person[];
  readonly senders: readonly Pick<Person, "name" | "mail">[];
  readonly hasMail: boolean;
  readonly hasChat: boolean;
}

interface Person {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly mail: string;
}

export interface Recipient {
  readonly channel: "mail" | "chat";
  /** "ann", "sender acme"; empty for the chat. */
  readonly name: string;
}

/** The parts of a notice that decide who receives it. */
type Addressing = Pick<Notice, "event" | "file" | "cannotApprove" | "rule">;

type Policy = Pick<Config, "notices" | "approval">;

/** Each recipient once, even if one address is named twice. */
export function recipientsOf(notice: Addressing, directory: Directory, config: Policy): readonly Recipient[] {
  const listed = config.notices.who[notice.event];
  const chat: Recipient[] =
    listed.includes("chat") && directory.hasChat ? [{ channel: "chat", name: "" }] : [];
  if (!directory.hasMail) return chat;
  const reached = listed.flatMap((entry) => reachedBy(entry, notice, directory, config));
  const byAddress = new Map(reached.map(({ name, mail }) => [mail.toLowerCase(), name]));
  return [...[...new Set(byAddress.values())].map((name) => ({ channel: "mail", name }) as const), ...chat];
}

type Reached = Pick<Person, "name" | "mail">;

function reachedBy(
  entry: string,
  notice: Addressing,
  directory: Directory,
  config: Policy,
): readonly Reached[] {
  if (entry === "chat") return [];
  if (entry === "sender") return sendersOf(notice, directory);
  const isMeant = ({ name, roles }: Person) =>
    isRole(entry) ? roles.includes(entry) : personKey(name) === personKey(entry);
  const { cannotApprove, rule } = notice;
  if (cannotApprove === undefined) return directory.people.filter(isMeant);
  const excluded = new Set(cannotApprove.map(personKey));
  const others = directory.people.filter(({ name }) => !excluded.has(personKey(name)));
  return others.filter((person) =>
    entry === "approver" ? isApprover(person, rule, config) : isMeant(person),
  );
}

/** Whether the rule lets the person approve, by role or by name; without one, any rule. */
function isApprover({ name, roles }: Person, rule: Approvers | undefined, { approval }: Policy): boolean {
  return (rule === undefined ? approval.rules : [rule]).some((each) =>
    mayApprove({ person: name, roles }, each),
  );
}

/** The sender that the configuration names, otherwise the person who submitted the file. */
function sendersOf({ file }: Addressing, { people, senders }: Directory): readonly Reached[] {
  const { sender, submittedBy = "" } = file ?? {};
  const configured = senders.filter(({ name }) => name === sender);
  if (configured.length > 0) return configured.map(({ name, mail }) => ({ name: `sender ${name}`, mail }));
  return people.filter(({ name }) => personKey(name) === personKey(submittedBy));
}

/** A mail recipient's present address; undefined if there is none any more. */
export function addressOf(recipient: string, { people, senders }: Directory): string | undefined {
  const sender = senders.find(({ name }) => `sender ${name}` === recipient);
  return (sender ?? people.find(({ name }) => name === recipient))?.mail;
}
