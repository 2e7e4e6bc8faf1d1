/**
 * Rewords the sentences of steps and faults for the desk: with the company's times, and buttons instead of
 * commands, without escapes, statuses, fields or keys. Only changes words; decides nothing.
 */
import type { CatalogueCode, Problem } from "../faults/index.ts";
import { COLUMN_WORDS } from "../model/columns.ts";
import { visible } from "../model/html.ts";
import { dayIn } from "../model/index.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { dayOf, shortDay, timeInWords } from "./days.ts";

type Place = { readonly workplace: Pick<Workplace, "config"> };

/** The desk's words for a sentence of a step or fault. Quoted words of a file stay unchanged. */
export function plain(place: Place, text: string): string {
  const timed = visible(text).replace(INSTANT, (_, day: string, time: string) =>
    timeText(place, `${day}T${time}${time.length === 5 ? ":00" : ""}Z`),
  );
  return inWords(timed.replace(DAY, (found) => (dayOf(found) === undefined ? found : shortDay(found, true))));
}

/** As `plain`, as a sentence. A beginning that is not a word, such as an address, keeps its letters. */
export function said(place: Place, text: string): string {
  const words = plain(place, text);
  return `${begun(words)}${/[.?!]$/.test(words) ? "" : "."}`;
}

function begun(words: string): string {
  return words.replace(/^[a-z](?=[a-z’']*(?:[\s,.:;]|$))/, (letter) => letter.toUpperCase());
}

/** The fix of a problem, for a person at the desk. */
export function fixOf(place: Place, { code, fix }: Problem): string {
  const isOwn = code === "USAGE" && !OPTION.test(fix);
  return (isOwn ? undefined : FIXES[code]) ?? begun(plain(place, fix));
}

/** In a fix of USAGE: it is for the command line. */
const OPTION = /`|--/;

/** "2026-11-28T16:07:11.870Z", and "2026-11-28 16:07 UTC" as sentences have it. */
const INSTANT = /\b(\d{4}-\d\d-\d\d)(?:T| (?=\d\d:\d\d UTC))(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z| UTC)/g;

/** A day of a sentence of ours, not one within a quoted text, a reference or the name of a file. */
const DAY = /"[^"]*"|“[^”]*”|(?<![\w./'’-])\d{4}-\d\d-\d\d(?![\w/-]|[.'’]\w)/g;

/** "28 Nov 2026, 17:07", in the company's zone. */
function timeText({ workplace: { config } }: Place, at: string): string {
  if (Number.isNaN(Date.parse(at))) return at;
  const { timeZone } = config.ledger;
  const clock = timeInWords(timeZone, at, { hour: "2-digit", minute: "2-digit" });
  return `${shortDay(dayIn(timeZone, at), true)}, ${clock}`;
}

function inWords(text: string): string {
  return text
    .replaceAll("general-ledger fields", "GL account, project and distribution")
    .replaceAll("settle window", "settle time")
    .replaceAll("drop the file again", "send the file in again")
    .replaceAll("drop the new file", "send the new one in")
    .replaceAll("submit it again", "send it in again")
    .replace(/\babandoned by\b/g, "given up by")
    .replace(IN_BACKTICKS, (_, quoted: string) => wordsFor(quoted))
    .replace(STATUS_IN_BRACKETS, "")
    .replace(ERROR_CODE, "")
    .replace(ANSWERED, (_, status: string) => `the service ${answeredWords(Number(status))}`)
    .replace(KEY, (key) => keyWords(key))
    .replace(FIELD, (name) => FIELDS[name] ?? name)
    .replace(/(?<![\w.])(\d{3,}) min\b/g, (_, minutes: string) => minutesText(Number(minutes)));
}

const IN_BACKTICKS = /`([^`]*)`/g;
const STATUS_IN_BRACKETS = /(?<=\S) \((?:[\w ]+, )?[2-5]\d\d\)/g;
/** Codes of network errors: "(UND_ERR_SOCKET)", "(ECONNREFUSED)". */
const ERROR_CODE = / \((?:UND_ERR_\w+|E[A-Z]{4,})\)/g;
const ANSWERED = /\b(?:the service )?answered ([2-5]\d\d)\b/g;
const KEY = new RegExp(
  [
    String.raw`\b(?:approval|custodyAccounts|destinations|doubt|files|http|ledger`,
    "|limits|nonce|otp|paging|people|reference|repeats|service|signing)",
    String.raw`\.[a-z]\w*(?:\.\w+)*`,
  ].join(""),
  "g",
);

/** Rewords text in backticks: a command becomes the button to press, a key its meaning; other text is quoted. */
function wordsFor(quoted: string): string {
  const command = /^paydrop (.*)$/.exec(quoted)?.[1];
  if (command !== undefined)
    return COMMANDS.find(([pattern]) => pattern.test(command))?.[1] ?? "a command of an operator";
  if (quoted.startsWith("--accept-suspense")) return "a reason, given when the month is closed,";
  if (quoted.startsWith("--") || quoted.startsWith("ssh-keygen")) return "an option of the command";
  return new RegExp(`^(?:${KEY.source})`).test(quoted) ? keyWords(quoted.split(":")[0] ?? "") : `“${quoted}”`;
}

/** The button to press instead of a command, as a noun. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/^pay again\b/, "“Pay again” on the payment’s page"],
  [/^doubt resolve .*--accept\b/, "“It is this payment” on the payment’s page"],
  [/^doubt resolve .*--abandon\b/, "“Give it up” at the doubt"],
  [/^doubt\b/, "the page Doubts"],
  [/^(?:recall|reject)\b/, "“Reject” or “Take back” on the batch’s page"],
  [/^(?:preview|status B|status \S)/, "the batch’s page"],
  [/^explain\b/, "the payment’s page"],
  [/^status\b/, "the page Files"],
  [/^breaks\b/, "the page Nights"],
  [/^go\b/, "“Go on” on the page Jobs"],
  [/^stop\b/, "“Stop sending” on the page Jobs"],
  [/^audit verify\b/, "“Verify all” on the page Record"],
  [/^deposits expected\b/, "the page Expected"],
  [/^desk\b/, "this desk"],
  [/^ledger remap\b/, "“Book again” on the page Books"],
  [/^people\b/, "the page People"],
  [/^jobs\b/, "the page Jobs"],
  [/^reconcile baseline\b/, "a new baseline, which an operator takes,"],
  [/^reconcile\b/, "the next comparison"],
  [/^(?:pay|track)\b/, "the next run"],
  [/^ledger settle\b/, "“Settle…” on the page Books"],
  [/^ledger report tie-out\b/, "the report “Tie-out” on the page Books"],
  [/^payouts show\b/, "the service’s own view, which an operator has,"],
];

/** The meaning of configuration keys, by their beginnings. */
const KEYS: Readonly<Record<string, string>> = {
  "limits.perRow": "the limit of one payment",
  "limits.perFile": "the limit of one file",
  "limits.perDay": "the limit of a day",
  "limits.perDestination": "the limit of a day to one destination",
  "approval.rules": "the list of approval rules",
  "approval.coolingMinutes": "the waiting time after the last approval",
  "destinations.allowList": "the list of allowed destinations",
  "destinations.allow": "the rule who may be paid",
  "files.columns": "the names of the columns",
  "files.controlTotals": "the configuration",
  "files.encoding": "the encoding of files",
  "files.numberFormat": "the number format of files",
  "files.roundCalculated": "how calculated amounts are rounded",
  "files.senders": "the list of senders",
  "files.sheet": "the sheet to read",
  "ledger.exports": "the configuration of exports",
  "ledger.functionalCurrency": "the currency of the books",
  "ledger.chart": "the chart of accounts",
  "ledger.closedThrough": "the last closed day",
  "nonce.rule": "the rule for numbers used once",
  "nonce.memoryDays": "how long the service remembers numbers used once",
  "people.root": "the root of the roster",
  retention: "the rule how long files are kept",
  "people.head": "the newest known change of the roster",
  "service.baseUrl": "the service’s address",
  "service.callbackUrl": "our callback address",
};

function keyWords(key: string): string {
  const found = Object.entries(KEYS).find(([begin]) => key === begin || key.startsWith(`${begin}.`));
  return found?.[1] ?? "a setting";
}

/** People's words for field names of the interface and its files. Names that a file quotes are left alone. */
const FIELDS: Readonly<Record<string, string>> = {
  ...COLUMN_WORDS,
  baseUrl: "address",
  createdDate: "date of creation",
  custodyAccounts: "the custody accounts",
  depositId: "deposit number",
  depositState: "state of the deposit",
  expiryDate: "end of the fixed rate",
  fixedRate: "fixed rate",
  otpCode: "one-time code",
  payoutId: "payout number",
  payoutState: "state of the payout",
  receivedFunds: "receipts",
  receiverAddress: "receiving address",
  requestedAmount: "amount",
  sentFunds: "what was sent",
  transactionId: "transaction",
  txHash: "transaction hash",
};

const FIELD = new RegExp(`(?<![\\w“"./-])(?:${Object.keys(FIELDS).join("|")})(?![\\w”"-])`, "g");

/** The meaning of an HTTP status in words. */
function answeredWords(status: number): string {
  if (status < 300) return "took it,";
  if (status === 401 || status === 403) return "refused the key or the user";
  if (status === 404) return "did not find it";
  if (status === 409) return "met a conflict";
  if (status === 429) return "asked for fewer requests";
  return status >= 500 ? "failed" : "refused it";
}

/** "45 min", "24 h", "1 h 40 min" */
export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${minutes} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** An operation of the service in words: "createPayoutV2" is "create a payout". */
export function operationText(operation: string): string {
  const changes = /^(create|void|authorize)(Payout|Deposit)?/.exec(operation);
  if (changes === null) return "a look";
  const [, verb = "", what = "Payout"] = changes;
  const isAuthorized = /Authoriz/.test(operation) && verb === "create";
  return `${verb} a ${what.toLowerCase()}${isAuthorized ? " and authorize it" : ""}`;
}

/** An action of the record in words: "createDeposit intended" is "create a deposit: about to be sent". */
export function actionText(action: string): string {
  const [, operation, end] = /^([a-z]+[A-Z]\w*) (.+)$/.exec(action) ?? [];
  if (operation !== undefined && end !== undefined)
    return `${operationText(operation)}: ${SENDING_ENDS[end] ?? end}`;
  return ACTIONS[action] ?? action;
}

const SENDING_ENDS: Readonly<Record<string, string>> = {
  accepted: "taken by the service",
  intended: "about to be sent",
  refused: "refused by the service",
};

const ACTIONS: Readonly<Record<string, string>> = {
  "abandon payout": "given up",
  "accept layout": "reading of the columns accepted",
  "accept payout": "payout taken for this payment",
  approve: "approved",
  "approve expected": "expected receipts approved",
  "assign break": "break assigned",
  baseline: "baseline taken",
  "close period": "month closed",
  "end expected": "expected receipt ended",
  "erp answer read": "answer of the ERP read",
  "excuse export": "export excused",
  expect: "expected receipts sent in",
  go: "sending let go on",
  "keep aside": "file kept aside",
  "match receipt": "receipt matched",
  "note on break": "note on a break",
  "payout accepted": "payout taken by the service",
  "payout refused": "payout refused by the service",
  "recall payment": "rejected",
  "remap suspense": "entries on suspense booked again",
  "reopen break": "break opened again",
  "reopen period": "month opened again",
  repair: "repaired",
  roster: "roster changed",
  "settle break": "break settled",
  "settle held": "held movement settled",
  sign: "signed",
  "sign in": "signed in",
  stop: "sending stopped",
  submit: "sent in",
  "unmatch receipt": "match taken back",
};

/** For problems that only an operator can solve. */
const OPERATOR = "An operator corrects that on the machine that sends.";
const TREASURY = "Treasury can change that in the configuration.";
const NAME_IT = "Give the column a name that says what it is, or have an approver decide on this page.";
const TAKE_BACK = "“Reject” or “Take back” on its page withdraws it.";

/** Fixes at the desk, for problems whose catalogue fix names commands, keys or files of the machine. */
const FIXES: Partial<Record<CatalogueCode, string>> = {
  ...byCode(OPERATOR, [
    "ARCHIVED_FILE_MISSING",
    "BALANCE_UNKNOWN",
    "CHART_UNUSABLE",
    "CONFIG_NOT_FOUND",
    "CONFIG_UNREADABLE",
    "CONFIG_KEY_INVALID",
    "CONFIG_KEY_UNKNOWN",
    "CONFIGURATION_DIFFERS",
    "CUSTODY_ACCOUNT_DIFFERS",
    "CUSTODY_ACCOUNT_GONE",
    "CUSTODY_ACCOUNT_NOT_SHOWN",
    "SERVICE_UNREACHABLE",
    "SERVICE_NOT_ENCRYPTED",
    "SERVICE_TIMEOUT",
    "SERVICE_REFUSED_KEY",
    "SERVICE_REFUSED_SEARCH",
    "SERVICE_BUSY",
    "SERVICE_CONFLICT",
    "SERVICE_RATE_EXPIRED",
    "SERVICE_ANSWER_UNREADABLE",
    "SIGNER_FAILED",
    "SIGNER_TIMEOUT",
    "INTERFACE_GAP",
    "PAGING_UNSTABLE",
    "IDENTITY_CHANGED",
    "ANOTHER_SERVICE",
    "FIRST_CREATION_REFUSED",
    "KEY_REFUSED",
    "ONE_TIME_CODE_USED_UP",
    "REFUSED_IN_A_ROW",
    "CONFLICTS_IN_A_ROW",
    "CREATIONS_UNANSWERED",
    "SUBMISSION_CHANGED",
    "PAYOUT_SHOWN_CHANGED",
    "DEPOSIT_SHOWN_CHANGED",
    "ANOTHER_PAYOUT_SHOWN",
    "DEPOSIT_ALREADY_ASKED_FOR",
    "OTP_FAILED",
    "LEDGER_CELL_TOO_LONG",
    "LEDGER_CELL_REFUSED",
    "LEDGER_CELL_UNWRITABLE",
    "LEDGER_ENTRY_TOO_LONG",
    "LEDGER_FIELDS_UNCHECKED",
    "LEDGER_NAME_REFUSED",
    "DATABASE_UNUSABLE",
    "DATABASE_TLS",
    "DATABASE_URL_INVALID",
    "DATABASE_REFUSED",
    "DATABASE_OUTDATED",
    "DATABASE_IN_USE",
    "DATABASE_BEHIND_ANCHOR",
    "DATABASE_COPIED",
    "DATABASE_FROM_SERVER",
    "DATABASE_MOVED",
    "MOVE_REFUSED",
    "MOVE_NOT_EQUAL",
    "OPEN_TO_OTHERS",
    "PEOPLE_ROOT_MISSING",
    "ROSTER_BROKEN",
    "SIGNING_FAILED",
    "KEY_UNUSABLE",
    "TRIAL_AT_SERVICE",
    "DATABASE_OF_ANOTHER_ROOT",
    "SECRET_MISSING",
    "SECRET_UNREADABLE",
    "ALLOW_LIST_INVALID",
    "BACKUP_MISSING",
    "BACKUP_DAMAGED",
    "BACKUP_OF_ANOTHER",
    "BACKUP_STALE",
    "BACKUP_OLDER_VERSION",
    "BACKUP_NOT_TYING",
  ]),
  ...byCode(TREASURY, [
    "ADDRESS_CURRENCY_UNSUPPORTED",
    "APPROVAL_RULE_MISSING",
    "CURRENCY_SCALE_UNKNOWN",
    "CURRENCY_WITHOUT_LIMIT",
    "LIMITS_ALLOW_NOTHING",
    "RULE_UNFULFILLABLE",
    "SUBMITTER_MISSING",
  ]),
  ...byCode(NAME_IT, ["COLUMN_MISSING", "COLUMN_UNCLEAR"]),
  ...byCode("Nothing to do: the next run continues.", ["LANE_FREE_AGAIN", "SERVICE_OUT"]),
  ...byCode(
    "The next run looks for it again. If it stays in doubt, an operator decides on the page Doubts.",
    ["LANE_PAUSED", "PAYOUT_IN_DOUBT", "CREATIONS_PAUSED", "CHANGE_IN_DOUBT"],
  ),
  ...byCode("Look through it on the batch’s page, and tick what is right.", [
    "REPEATS_NOT_ACCEPTED",
    "LOOK_ALIKES_NOT_ACCEPTED",
    "READING_NOT_ACCEPTED",
  ]),
  LEDGER_UNMAPPED:
    "Have accounting add a line to the chart of accounts. Then a controller books it again, on the page Books.",
  LEDGER_UNDECIDED: "Have an operator decide about it on the page Doubts. It is booked once that is done.",
  AMOUNT_OVER_LIMIT: "Only treasury can raise the limit.",
  EXPECTED_VOID_NOT_ALLOWED:
    "Tick “Leave its deposit at the service as it is”, and withdraw it again: money that still arrives then waits " +
    "for a decision.",
  FILE_TOO_LARGE: "Only treasury can raise the limit.",
  REFERENCE_MALFORMED: "Correct the reference. Treasury may have restricted how references are written.",
  SENDER_AMBIGUOUS:
    "Rename the file, or have treasury change the list of senders so that only one pattern fits.",
  SHEET_AMBIGUOUS: "Keep one of them, or have treasury set the sheet to read.",
  USAGE: "Fill in what is missing, and send it again.",
  BATCH_UNKNOWN: "Look for it on the page Files or Payments.",
  APPROVER_NOT_LISTED: "Have one of them approve it.",
  APPROVAL_NOT_OPEN: "Its page shows where its payments stand.",
  APPROVAL_EXPIRED: `Approve the batch again. ${TAKE_BACK}`,
  APPROVAL_LACKING: `The batch’s page says who must approve it now. ${TAKE_BACK}`,
  APPROVAL_UNFIT: `The batch’s page shows what would be approved now; approve it again. ${TAKE_BACK}`,
  APPROVAL_COOLING: `Nothing to do. ${TAKE_BACK}`,
  CLIENT_KEY_UNKNOWN:
    "Have an operator start the machine that sends, once: it may have nothing to send. Then approve it here.",
  CUSTOM_FEE_RATE_UNFIT:
    "Fill in your own fee rate, in sat/vb, if the speed of the fee is CUSTOM. Otherwise leave it empty.",
  DAY_LIMIT_REACHED: "It is sent automatically on the next day that has room for it.",
  DECISION_REFUSED: "The payment’s page and the page Doubts show the evidence and what may be decided.",
  DESK_NEVER_CONNECTS: "Do this at the desk of the machine that sends.",
  DESTINATION_MISSING: "Fill in exactly one of address and destination account.",
  DESTINATION_NEVER_PAID:
    "Compare it with the payee’s own. If it is right, have treasury add it to the list of destinations.",
  DESTINATION_TWICE: "Keep exactly one of address and destination account.",
  ENROLMENT_REFUSED: "Ask an admin for a new one-time code.",
  FILE_NOT_FOUND: "Send the file in again.",
  LOOK_INCOMPLETE:
    "The next run looks again. If it stays, take the payment back, and send it in under another reference.",
  NAME_AMBIGUOUS: "Name it in full.",
  NAME_UNKNOWN: "Look at the page again: it may have changed meanwhile.",
  NOT_AT_SERVICE: "Check the spelling. A new one may not show yet.",
  NOT_CONFIRMED: "Do it again if you want it done.",
  PAYMENT_OVER_LIMIT: `It is never sent under this limit, which treasury keeps. ${TAKE_BACK}`,
  PAYOUT_HELD: "It is not sent. The page Doubts shows the choices.",
  PAYOUT_REFUSED:
    "If it is right, correct what the service names and press “Pay again” on its page. If it is wrong, send it in " +
    "corrected, under a new reference.",
  PAY_AGAIN_REFUSED:
    "Its page shows its history. Only a payment that was refused, was never sent, or whose payout failed without " +
    "paying, may be paid again. If it was given up in doubt and is still owed, send it in with another file, " +
    "under a new reference.",
  PERSON_UNKNOWN: "Check the name, or have an admin add them on the page People.",
  PROOF_MISSING: "Sign with a passkey or key of theirs; the page People shows which they have.",
  REMOVED_BY_RETENTION:
    "What it says of payments is still known here. If you need the file itself, ask an operator for it from a backup.",
  ROLE_LACKING: "Have a person with that role do it, or an admin give the role on the page People.",
  ROSTER_CHANGE_REFUSED: "The page People shows the roster.",
  SENDING_RESTS: "Nothing to do: sending continues automatically then.",
  SENDING_STOPPED: "“Go on” on the page Jobs lets payments go out again.",
  STOP_ORDER_CHANGED: "Find out why it was given. Then “Go on” on the page Jobs lifts it.",
  WORKBOOK_HAS_MACROS: "Save it as an Excel workbook without macros (.xlsx).",
};

function byCode(fix: string, codes: readonly CatalogueCode[]): Partial<Record<CatalogueCode, string>> {
  return Object.fromEntries(codes.map((code) => [code, fix]));
}
