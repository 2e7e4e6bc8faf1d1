/**
 * `init` on a terminal: asks for what only the owner knows. Each answer is checked at once; a wrong one is refused
 * in one sentence and asked for again. Nothing is written until everything is answered.
 */
import { readdir, readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { Fault, fault, isProblem, type Problem, readFailure } from "../../faults/index.ts";
import { isRosterName } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { type PublicKey, readPublicKey } from "../../people/index.ts";
import { firstLook, type ShownAccount } from "../../setup/first-look.ts";
import {
  type Checked,
  type CurrencyLimits,
  checkAmount,
  checkCallbackUrl,
  checkChart,
  checkChosen,
  checkFunctionalCurrency,
  checkPeopleNeeded,
  checkSecretPlace,
  checkServiceAddress,
  checkTimeZone,
  checkTypedSecret,
  type InitAnswers,
  type NamedAccount,
  type SecretName,
  type SecretPlace,
  withSecrets,
} from "../../setup/init-answers.ts";
import { shown } from "../render/problem-text.ts";
import type { Session } from "../session.ts";
import { askLine, askSecretly } from "../terminal.ts";

/** A person of the first roster, with a key that OpenSSH made. */
export interface FirstPerson {
  readonly name: string;
  readonly roles: readonly ("admin" | "approver")[];
  /** "<type> <base64>" */
  readonly key: string;
}

interface Asked {
  readonly answers: InitAnswers;
  /** The admin first. */
  readonly people: readonly FirstPerson[];
}

/** Throws INTERRUPTED at Ctrl-C, and USAGE at Ctrl-D: nothing has been written by then. */
export async function askForAll(session: Session, sample: string): Promise<Asked> {
  const { output } = session;
  output.say(
    "Paydrop asks for what only you know. Enter accepts the value in brackets; Ctrl-C ends and writes nothing.",
  );
  output.say("\nThe service");
  const service = await askForService(session, sample);
  output.say("\nLimits: more than this is never sent");
  const limits = await askForLimits(session, service.accounts);
  output.say("\nPeople: each signs with an SSH key of their own, made by `ssh-keygen -t ed25519`");
  const { people, peopleNeeded } = await askForPeople(session);
  const folderName = basename(dirname(resolve(session.configPath)));
  const installation = await asked(
    session,
    "A name for this installation",
    checkInstallation,
    nameFrom(folderName),
  );
  output.say("\nBooks");
  const functionalCurrency = await asked(session, "Currency of the books", checkFunctionalCurrency, "EUR");
  const machines = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timeZone = await asked(session, "Time zone of the company's days", checkTimeZone, machines);
  const chart = await asked(session, "Chart of accounts, a file", chartOrSample, SAMPLE);
  const rootFingerprints = people.slice(0, 1).map(({ key }) => readPublicKey(key).fingerprint);
  const books = { functionalCurrency, timeZone, ...(chart !== SAMPLE && { chart }) };
  const answers = { ...service, limits, installation, rootFingerprints, peopleNeeded, ...books };
  return { answers, people };
}

const SAMPLE = "the sample";

const chartOrSample: Check<string> = (text) => (text === SAMPLE ? { value: SAMPLE } : checkChart(text));

type Check<Value> = (text: string) => Checked<Value> | Promise<Checked<Value>>;

/** Asks until an answer is accepted. `standing`: the answer for Enter alone. */
async function asked<Value>(
  { output, signal }: Session,
  question: string,
  check: Check<Value>,
  standing = "",
): Promise<Value> {
  for (;;) {
    const typed = await askLine(`${question}${standing === "" ? "" : ` [${standing}]`}: `, signal);
    const text = typed === "" ? standing : typed;
    const checked = text === "" ? { why: "An answer is needed." } : await check(text);
    if ("value" in checked) return checked.value;
    output.say(`  ${shown(checked.why)}`);
  }
}

/** Asks for address and secrets until the service accepts them. */
async function askForService(session: Session, sample: string) {
  const { output, environment, signal } = session;
  let baseUrl: string | undefined;
  let username: string | undefined;
  let callbackUrl: string | undefined;
  for (;;) {
    baseUrl = await asked(session, "Its address", checkServiceAddress, baseUrl);
    const key = await askForSecret(session, "PAYDROP_KEY", "The client key");
    const signing = await askForSecret(session, "PAYDROP_SIGNING_SECRET", "The signing secret");
    if (key === undefined || signing === undefined) continue;
    const seed = await askForSecret(session, "PAYDROP_OTP_SECRET", "The seed of its one-time codes", NO_SEED);
    const whose = "Your user there, in whose name payouts are created";
    username = await asked(session, whose, nonEmpty, username);
    callbackUrl = await asked(session, "Where it calls back, an address", checkCallbackUrl, callbackUrl);
    const secrets = [key, signing, ...(seed === undefined ? [] : [seed])];
    const given = { baseUrl, username, callbackUrl, hasOtpSeed: seed !== undefined };
    const look = (named?: readonly string[]) =>
      firstLook(sample, given, named, withSecrets(environment, secrets), signal);
    const listed = await look();
    if (signal.aborted) throw fault("INTERRUPTED", {});
    if (!isProblem(listed)) {
      output.say(`  ${baseUrl} answers to this key.`);
      return { ...given, secrets, accounts: await askForAccounts(session, listed, look) };
    }
    output.say(`  ${shown(listed.message)}. ${shown(listed.fix)}`);
    output.say("  So its address and secrets are asked for again.");
  }
}

const NO_SEED = "none";

/** Undefined for `none`, if that is allowed. The typed text is not shown. */
async function askForSecret(
  session: Session,
  name: SecretName,
  what: string,
  none?: string,
): Promise<SecretPlace | undefined> {
  const { environment, output, signal } = session;
  const known = [name, `${name}_FILE`].find((variable) => Boolean(environment[variable]));
  if (known !== undefined) {
    output.say(`${what} is taken from ${known} of the environment.`);
    return { name, isInEnvironment: true };
  }
  const otherwise = none === undefined ? "" : `, or \`${none}\`: a person types each code`;
  for (;;) {
    const text = await askLine(
      `${what}: the path of its file, or Enter to type it unseen${otherwise}: `,
      signal,
    );
    if (none !== undefined && text === none) return undefined;
    const checked =
      text === ""
        ? checkTypedSecret(name, await askSecretly(`${what} (not shown): `, signal))
        : checkSecretPlace(name, text, environment);
    if ("value" in checked) return checked.value;
    output.say(`  ${shown(checked.why)}`);
  }
}

/** Lists the accounts of the key's newest movements; asks for others by their ids. */
async function askForAccounts(
  session: Session,
  listed: readonly ShownAccount[],
  look: (named: readonly string[]) => Promise<readonly ShownAccount[] | Problem>,
): Promise<readonly NamedAccount[]> {
  const { output } = session;
  const none = "  No payout or deposit of this key shows an account yet.";
  output.say(listed.length === 0 ? none : "  Accounts of its newest payouts and deposits:");
  for (const [index, { id, currency, total }] of listed.entries())
    output.say(`  ${index + 1}  ${id}  ${total} ${currency}`);
  const known = new Map(listed.map((account) => [account.id, account]));
  const check: Check<readonly ShownAccount[]> = async (text) => {
    const chosen = checkChosen(text, [...known.keys()]);
    if ("why" in chosen) return chosen;
    const unknown = chosen.value.filter((id) => !known.has(id));
    const found = unknown.length === 0 ? [] : await look(unknown);
    if (isProblem(found)) return { why: `${found.message}.` };
    const accounts = new Map([...known, ...found.map((account) => [account.id, account] as const)]);
    const missing = chosen.value.find((id) => !accounts.has(id));
    if (missing !== undefined) return { why: `The service shows no account ${missing} to this key.` };
    return { value: chosen.value.flatMap((id) => accounts.get(id) ?? []) };
  };
  const which =
    listed.length === 0 ? "Which pay? Their accountIds" : "Which pay? Numbers, accountIds or `all`";
  const chosen = await asked(session, which, check, listed.length === 1 ? "1" : undefined);
  const named: NamedAccount[] = [];
  for (const { id, currency } of chosen) {
    const isFree = (name: string) => !named.some((other) => other.name.toLowerCase() === name.toLowerCase());
    const standing = [`treasury-${currency.toLowerCase()}`].find(isFree);
    const name = await asked(session, `A name for ${id} (${currency})`, nameOf(isFree), standing);
    named.push({ name, id, currency });
  }
  return named;
}

async function askForLimits(session: Session, accounts: readonly NamedAccount[]): Promise<CurrencyLimits[]> {
  const limits: CurrencyLimits[] = [];
  for (const currency of new Set(accounts.map((account) => account.currency))) {
    const perRow = await asked(session, `Largest payment in ${currency}`, (text) =>
      checkAmount(text, currency),
    );
    const ofDay: Check<string> = (text) => checkAmount(text, currency, perRow);
    const tenOfThem = `${Decimal.of(perRow).times(Decimal.of("10")).normalized()}`;
    const perDay = await asked(session, `Largest sum of a day in ${currency}`, ofDay, tenOfThem);
    limits.push({ currency, perRow, perDay });
  }
  return limits;
}

const APPROVERS_MIN = 2;
/** How many usually approve a file. */
const PEOPLE_USUAL = 2;

async function askForPeople(session: Session) {
  const found = await keysAtHome(session.environment["HOME"]);
  for (const [index, { path, key }] of found.entries())
    session.output.say(`  ${index + 1}  ${path}  ${key.fingerprint}`);
  const people: FirstPerson[] = [];
  const isFree = (name: string) => isRosterName(name) && !people.some((person) => person.name === name);
  const keyOf = (name: string, standing?: string) =>
    asked(session, `${name}'s public key: a number, a file, or pasted`, keyIn(found, people), standing);
  const login = nameFrom(userInfo().username);
  const admin = await asked(
    session,
    "Who keeps the roster",
    nameOf(isFree),
    isFree(login) ? login : undefined,
  );
  const adminKey = await keyOf(admin, found.length === 1 ? "1" : undefined);
  const approves = await asked(session, `Does ${admin} approve payments too (yes or no)`, yesOrNo, "no");
  people.push({ name: admin, roles: approves === "yes" ? ["admin", "approver"] : ["admin"], key: adminKey });
  const approvers = () => people.filter(({ roles }) => roles.includes("approver")).length;
  const named: Check<string | readonly FirstPerson[]> = (text) =>
    text.includes("/") ? approversIn(text, nameOf(isFree), people) : nameOf(isFree)(text);
  const folder = (await holdsKeys(KEYS)) ? KEYS : undefined;
  for (;;) {
    const next =
      approvers() < APPROVERS_MIN
        ? await asked(session, "An approver, or a folder with the key of each, such as keys/", named, folder)
        : await asked(session, "Another approver, or a folder", orNone(named), NONE);
    if (next === NONE) break;
    if (typeof next === "string") people.push({ name: next, roles: ["approver"], key: await keyOf(next) });
    else people.push(...next);
  }
  const most = approvers() - 1;
  const check: Check<number> = (text) => checkPeopleNeeded(text, approvers());
  const question = `How many must approve a file, ${most} at most`;
  const peopleNeeded = await asked(session, question, check, `${Math.min(most, PEOPLE_USUAL)}`);
  return { people, peopleNeeded };
}

const NONE = "none";
const KEYS = "keys/";

async function holdsKeys(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(noneIfAbsent);
  return names.some((name) => name.endsWith(".pub"));
}

interface KeyAtHome {
  readonly path: string;
  readonly key: PublicKey;
}

/** The keys of ~/.ssh that can sign for Paydrop. */
async function keysAtHome(home = ""): Promise<readonly KeyAtHome[]> {
  const folder = join(home, ".ssh");
  const names = home === "" ? [] : await readdir(folder).catch(noneIfAbsent);
  const paths = names.filter((name) => name.endsWith(".pub")).toSorted();
  const found = await Promise.all(paths.map(async (name) => keyInFile(join(folder, name))));
  return found.flatMap((each) => ("value" in each ? each.value : []));
}

function noneIfAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

async function keyInFile(path: string): Promise<Checked<KeyAtHome>> {
  const line = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => error);
  if (typeof line !== "string") return { why: `The file ${path} cannot be read: ${readFailure(line)}.` };
  const key = keyOfLine(line);
  return "value" in key ? { value: { path, key: key.value } } : key;
}

/** Each key of a folder belongs to the approver that its file is named after: ann.pub is ann's. */
async function approversIn(
  folder: string,
  checkName: Check<string>,
  others: readonly FirstPerson[],
): Promise<Checked<readonly FirstPerson[]>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => error);
  if (!Array.isArray(names)) return { why: `The folder ${folder} cannot be read: ${readFailure(names)}.` };
  const files = names.filter((name) => name.endsWith(".pub")).toSorted();
  if (files.length === 0) return { why: `The folder ${folder} has no key: each is a file such as ann.pub.` };
  const people: FirstPerson[] = [];
  for (const file of files) {
    const name = await checkName(basename(file, ".pub"));
    const key = await keyIn([], [...others, ...people])(join(folder, file));
    if ("why" in name) return { why: `${file}: ${name.why}` };
    if ("why" in key) return { why: `${file}: ${key.why}` };
    people.push({ name: name.value, roles: ["approver"], key: key.value });
  }
  return { value: people };
}

function keyOfLine(line: string): Checked<PublicKey> {
  try {
    return { value: readPublicKey(line) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { why: `That is no public key that can sign here: ${error.problem.message}.` };
  }
}

function keyIn(found: readonly KeyAtHome[], people: readonly FirstPerson[]): Check<string> {
  return async (text) => {
    const listed = /^\d{1,3}$/.test(text) ? found[Number.parseInt(text, 10) - 1] : undefined;
    const read = listed === undefined ? await keyPastedOrIn(text) : { value: listed.key };
    if ("why" in read) return read;
    const { key } = read.value;
    const owner = people.find((person) => person.key === key);
    return owner === undefined
      ? { value: key }
      : { why: `That is ${owner.name}'s key: each has one of their own.` };
  };
}

async function keyPastedOrIn(text: string): Promise<Checked<PublicKey>> {
  if (/^(?:ssh|ecdsa|sk)-\S+ /.test(text)) return keyOfLine(text);
  const inFile = await keyInFile(text);
  return "value" in inFile ? { value: inFile.value.key } : inFile;
}

function nonEmpty(text: string): Checked<string> {
  return text.trim() === "" ? { why: "An answer is needed." } : { value: text.trim() };
}

function yesOrNo(text: string): Checked<"yes" | "no"> {
  if (/^y(es)?$/i.test(text)) return { value: "yes" };
  return /^no?$/i.test(text) ? { value: "no" } : { why: "Answer yes or no." };
}

function nameOf(isFree: (name: string) => boolean): Check<string> {
  return (text) => {
    if (!/^[a-z0-9][a-z0-9._-]{0,62}$/i.test(text))
      return { why: "A name has letters a to z and digits, such as ann." };
    return isFree(text)
      ? { value: text }
      : { why: `"${text}" is used already, or has characters other than small letters a to z and digits.` };
  };
}

function orNone<Value>(check: Check<Value>): Check<Value | typeof NONE> {
  return (text) => (text === NONE ? { value: NONE } : check(text));
}

function checkInstallation(text: string): Checked<string> {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return { value: text };
  return { why: "A short name without spaces, such as acme-main." };
}

/** Turns the name of a folder or a login into a valid name. */
function nameFrom(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 30) || "main"
  );
}
