/** Expected receipts: their files, their deposits and addresses, and people's decisions about them. */
import { entriesOf, text } from "./entry.ts";

export const expectedFaults = entriesOf("correct-file", {
  EXPECTED_COLUMNS_MISSING: {
    message: "no line{sheets} names the columns that expected receipts need: {missing}",
    fix: 'Write a line of column names above the rows: at least "reference" and "amount".',
  },
  EXPECTED_COLUMN_TWICE: {
    message: 'the columns "{first}" and "{second}" may both hold the {what}',
    fix: "Rename one of them.",
  },
  EXPECTED_SHEET_UNCLEAR: {
    message: "several visible sheets look like expected receipts: {sheets}",
    fix: "Keep one of them, and move the others to separate files.",
  },
  EXPECTED_NO_ROWS: {
    message: "there is a line of column names, but no expected receipt below it",
    fix: "Add at least one row and send the file in again.",
  },
  EXPECTED_HAS_ADDRESSES: {
    message:
      "the file has destination addresses, so it is a payment file; only expected receipts are read here",
    fix: "Send a payment file in where payments are sent in. For expected receipts, remove the addresses.",
  },
  EXPECTED_IN_INBOX: {
    message:
      'this is a file of expected receipts, not of payments: it has a column "{column}" and no addresses',
    fix: "Put it into the folder for expected receipts in the inbox, or send it in on the page Expected.",
  },
  EXPECTED_REFERENCE_USED: {
    message: 'the reference "{reference}" already belongs to an expected receipt: {earlier}',
    fix: "Delete the row if it is the same receipt. Otherwise give it a new reference.",
  },
  EXPECTED_DEPOSIT_EXISTS: {
    message: '{person} already asked for a deposit with the reference "{reference}" at {when}',
    fix: "Give this row another reference, or do not ask for a deposit in it.",
  },
  EXPECTED_ROW_IS_TOTAL: {
    message: "the amount is the sum of the {rows} rows above: this seems to be their total",
    fix: "Delete the row if it is the total. If it is a receipt, move it above the others.",
  },
  EXPECTED_RATE_UNFIT: {
    message: "a rate cannot be fixed until {until}: {reason}",
    reasons: {
      crypto: "{amount} needs no rate",
      past: "that is over already",
    },
    fix:
      "Correct the cell or leave it empty. A rate is fixed only for an amount in a fiat currency, until a " +
      "future time.",
  },
  EXPECTED_FILE_KNOWN: {
    message: "exactly this file was already taken in, as file {file}",
    fix: "Nothing to do: its receipts are expected once. Send new rows in as a new file.",
  },
  EXPECTED_NOT_SENT_YET: {
    message: "no deposit was made yet for {reference}: {reason}",
    fix: "Nothing to do: the next run tries again.",
    next: "will-retry",
  },
  EXPECTED_IN_DOUBT: {
    message:
      "it is not known whether the service made the deposit of {reference}, so the request is not repeated",
    fix: "The next run looks for it; if it stays in doubt, decide with `paydrop doubt`.",
    next: "needs-person",
  },
  EXPECTED_REFUSED: {
    message: "the service made no deposit for {reference}: {reason}",
    fix: "Withdraw this row, and send in a corrected one with a new reference.",
    next: "needs-person",
  },
  EXPECTED_AT_SERVICE: {
    message:
      "the service shows a deposit under the reference {reference} that was not made for this row: {depositId}",
    fix: "Do not use its address, and ask the service's operator who made it.",
    next: "needs-person",
  },
  EXPECTED_ADDRESS_UNFIT: {
    message: "the address of {reference} is not shown: {reason}",
    reasons: {
      differs: "the service shows it with {differences}",
      unchecked: "addresses of {currency} cannot be checked",
      malformed: '"{address}" is no address: {flaw}',
      network: "{address} is an address of {found}, not of {network}",
    },
    fix: "Do not use it, and ask the service's operator; it is looked up again.",
    next: "needs-person",
  },
  EXPECTED_ADDRESS_CHANGED: {
    message:
      "the service changed the address for {reference} from {before} to {now}, so none is shown any more",
    fix: "Tell the customer to pay to neither. Ask the service's operator who changed it.",
    next: "needs-person",
  },
  EXPECTED_DEPOSIT_CLOSED: {
    message: "the deposit of {reference} is {state}, so its address is not shown",
    fix: "If something is owed, send it in with another file under a new reference.",
    next: "needs-person",
  },
  EXPECTED_UNKNOWN: {
    message: "there is no expected receipt {name}",
    fix: "`paydrop deposits expected` lists them.",
    next: "correct-usage",
  },
  EXPECTED_FILE_NOT_WAITING: {
    message: "file {file} does not wait for approval: {reason}",
    reasons: {
      unknown: "there is none",
      counts: "it counts already, or was not taken in",
    },
    fix: "`paydrop deposits expected` lists the files that wait.",
    next: "correct-usage",
  },
  EXPECTED_OWN_FILE: {
    message: "{person} sent in file {file} and may not approve it",
    fix: "Have somebody else approve it.",
    next: "needs-person",
  },
  EXPECTED_MATCH_REFUSED: {
    message: "this receipt cannot be matched: {reason}",
    reasons: {
      unlike: "neither its amount nor its customer fits, and no reason is given",
      unknown: "no unmatched receipt is called so, or it was seen too long ago",
      several: "the deposit has several, so name one: {keys}",
      unmatched: "nothing was matched to such a receipt",
      "several-matched": "several of its receipts are matched, so name one: {keys}",
      ended: "{named} was {ended} with it",
      unnamed: "no expectation is named",
      unconfirmed: "it is not confirmed yet",
      nothing: "nothing of {named} is open",
      waits: "the file of {named} waits for its approval",
      account: "{named} is expected in another account",
      customers: "one receipt is for several expectations of one customer only",
      others: "other receipts of its deposit are for {named}",
      currencies: "several expectations must be in the receipt's currency",
      short: "{amount} do not reach the last of them",
    },
    fix:
      "`paydrop deposits expected` lists the unmatched receipts, each with the expected ones that it may belong " +
      "to.",
    next: "correct-usage",
  },
  EXPECTED_END_REFUSED: {
    message: "the expected receipt {reference} cannot be ended: {reason}",
    reasons: {
      requested: "the outcome of the request for its deposit is not known yet",
      voiding: "whether its deposit was voided is not known: decide with `paydrop doubt`",
      ended: "it was {ended} by {person}",
      received: "all of it was received",
      arriving: "more of it is arriving",
      nothing: "nothing of it was received: withdraw it instead",
      part: "part of it was received: settle it short instead",
      share: "part of it was received",
    },
    fix: "`paydrop explain {reference}` shows where it stands.",
    next: "correct-usage",
  },
  EXPECTED_VOID_NOT_ALLOWED: {
    message: "the deposit of {reference} cannot be voided: {reason}",
    reasons: {
      unconfigured: "its account is not configured",
      currency:
        "the service voids deposits in accounts of one Bitcoin custody kind only, and {account} holds {currency}",
      kind: "the custody kind of {account} does not allow it",
      unsaid: text(
        "the configuration does not say whether the custody kind of {account} allows it",
        "(`custodyAccounts`: `voids`)",
      ),
    },
    fix:
      "Withdraw it with `--keep-deposit`: the deposit stays at the service, and money that still arrives " +
      "waits for a decision.",
    next: "correct-usage",
  },
});
