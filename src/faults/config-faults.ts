/** The command line, the configuration, and permissions. */
import { entriesOf } from "./entry.ts";

export const configFaults = entriesOf("correct-usage", {
  USAGE: {
    message: "{what}",
    fix: "{how}",
    about: {
      message: "an argument or option of the command is missing, unknown or does not fit",
      fix: "Correct what the message names. `paydrop COMMAND --help` lists what the command takes.",
    },
  },
  CONFIG_NOT_FOUND: {
    message: "there is no configuration at {path}",
    fix: "Name one with `--config FILE`, or create one with `paydrop init`.",
  },
  CONFIG_UNREADABLE: {
    message: "the configuration {path} cannot be read: {reason}",
    fix: "Name a YAML file with `--config FILE`, and check that it may be read.",
  },
  CONFIG_NOT_YAML: {
    message: "the configuration is not YAML: {reason}",
    fix: "Correct the line named here; indent with spaces, not tabs.",
  },
  CONFIG_KEY_INVALID: {
    message: "{reason}",
    fix: "Correct `{path}` in the configuration{hint}.",
    about: {
      message: "a key of the configuration is missing or has a value that does not fit",
      fix: "Correct the key that the message names; samples/paydrop.yaml shows each.",
    },
  },
  CONFIG_KEY_UNKNOWN: {
    message: "there is no configuration key `{path}`",
    fix: "Remove it{hint}.",
    about: {
      message: "the configuration has a key that does not exist",
      fix: "Remove it, or correct its spelling.",
    },
  },
  CONFIG_KEY_GONE: {
    message: "the configuration key `{path}` no longer exists and is not used",
    fix: "Remove the key from the configuration: {how}.",
  },
  CONFIG_KEY_REPLACED: {
    message: "the configuration key `{path}` still works, but a command replaces it",
    fix: "Use the command, then remove the key from the configuration: {how}.",
  },
  ENVIRONMENT_INVALID: {
    message: "the environment variable {variable} is wrong: {reason}",
    fix: "Correct the variable, or unset it to use the value in the configuration file.",
  },
  CONFIGURATION_DIFFERS: {
    message:
      "the configuration differs from that of {machine} at {when}, so this machine takes in and sends nothing: {what}",
    fix:
      "If the other machine is right, correct this one. Otherwise change all, then run `paydrop " +
      "configuration accept --reason WHY` here.",
  },
  SECRET_MISSING: {
    message: "the secret {name} is not set",
    fix: "Set the environment variable {name}, or {name}_FILE to a file that holds it.",
  },
  CLIENT_KEY_UNKNOWN: {
    message:
      "the client key ({name}) is not known yet: the sending machine has not run, and it is not set here",
    fix:
      "Let the machine that has the key run once: `paydrop serve` or `paydrop pay`, even with nothing to send. It " +
      "stores the key's fingerprint in the database. Then approve.",
  },
  SECRET_UNREADABLE: {
    message: "the file {path} that {name}_FILE names cannot be read: {reason}",
    fix: "Correct the path in {name}_FILE, or let this user read the file.",
  },
  SECRET_UNUSABLE: {
    message: "the secret {name} cannot be used: {reason}",
    fix: "Copy it again, without line breaks or quotation marks around it.",
  },
  CHART_UNUSABLE: {
    message: "the chart of accounts cannot be used: {reason}",
    fix: "Correct the file, or the path in `ledger.chart`. samples/chart-of-accounts.csv shows the form.",
  },
  CUSTODY_ACCOUNT_NOT_SHOWN: {
    message: "the service shows no balance of the custody account {name} ({id})",
    fix: "Correct its `id`, or the key that pays from it. Ask the service's operator whether it is enabled.",
  },
  CUSTODY_ACCOUNT_DIFFERS: {
    message: "the custody account {name} holds {found} at the service, but {currency} in the configuration",
    fix: "Correct its `currency` or `id` in the configuration.",
  },
  CLOCK_OFF: {
    message: "this machine's clock is {seconds} s {direction} the service's",
    fix: "Synchronise this machine's clock (NTP); if it is right, tell the service's operator.",
  },
  DISK_NEARLY_FULL: {
    message: "the disk of {path} has only {free} left",
    fix: "Free some space: on a full disk nothing is taken in and nothing is sent.",
  },
  NOT_CONFIRMED: {
    message: "the answer was not yes, so nothing was done: {question}",
    fix: "Run the command again if you want it done.",
    next: "needs-person",
  },
  BATCH_UNKNOWN: {
    message: "no batch or payment matches {text}",
    fix: "`paydrop status` lists the batches with their digests, `paydrop status BATCH` a batch's references.",
  },
  NAME_UNKNOWN: {
    message: "there is no {what}",
    fix: "{how}",
    about: {
      message: "there is nothing with the name, number or id that was given",
      fix: "Check the spelling. The fix of each case names the command that lists what exists.",
    },
  },
  NAME_AMBIGUOUS: {
    message: "{text} may mean several things: {reason}",
    fix: "{how}",
    about: {
      message: "the given name fits several things",
      fix: "Name it in full, by its id or number.",
    },
  },
  APPROVER_IS_SUBMITTER: {
    message: "{person} submitted this batch and cannot approve it",
    fix: "Have somebody else approve it.",
    next: "needs-person",
  },
  APPROVER_NOT_LISTED: {
    message: "{person} may not approve this batch; these people may: {approvers}",
    fix: "Have one of them approve it, or treasury correct the rule's `approvers`.",
    next: "needs-person",
  },
  APPROVAL_NOT_OPEN: {
    message: "batch {batch} is {standing} and cannot be approved",
    fix: "`paydrop status {batch}` shows where its payments stand.",
    next: "needs-person",
  },
  LIMITS_ALLOW_NOTHING: {
    message: "nothing in {currency} can be paid, because these limits are missing or 0: {keys}",
    fix: "Have treasury set them.",
    next: "needs-person",
  },
  APPROVAL_RULE_MISSING: {
    message: "no approval rule covers {amount}, so it may not be paid",
    fix: "Have treasury add a rule under `approval.rules`.",
    next: "needs-person",
  },
});
