/** The command line, the configuration, and permissions. */
import { entriesOf } from "./entry.ts";

export const configFaults = entriesOf("correct-usage", {
  USAGE: {
    message: "{what}",
    fix: "{how}",
    about: {
      message: "the command was given wrongly: an option is missing, unknown or does not fit",
      fix: "Correct what the message names; `paydrop COMMAND --help` says what the command takes.",
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
    message: "the configuration key `{path}` is gone, and what it says is not used",
    fix: "Take the key out of the configuration: {how}.",
  },
  CONFIG_KEY_REPLACED: {
    message: "the configuration key `{path}` still counts, but a command replaces it",
    fix: "Take the key out of the configuration once it is covered: {how}.",
  },
  ENVIRONMENT_INVALID: {
    message: "the environment variable {variable} is wrong: {reason}",
    fix: "Correct the variable, or unset it to use what the configuration file says.",
  },
  CONFIGURATION_DIFFERS: {
    message:
      "this machine's configuration differs from the one that {machine} used at {when}, so it takes in, approves, sends and tracks nothing: {what}",
    fix: "If the other machine is right, correct this one's configuration. If this one is right, change it on all machines, then run `paydrop configuration accept --reason WHY` here.",
  },
  SECRET_MISSING: {
    message: "the secret {name} is not set",
    fix: "Set the environment variable {name}, or {name}_FILE to a file that holds it.",
  },
  SECRET_UNREADABLE: {
    message: "the file {path} that {name}_FILE names cannot be read: {reason}",
    fix: "Correct the path in {name}_FILE or the file itself, which this user must be able to read.",
  },
  SECRET_UNUSABLE: {
    message: "the secret {name} cannot be used: {reason}",
    fix: "Copy it again, without line breaks or quotation marks around it.",
  },
  CHART_UNUSABLE: {
    message: "the chart of accounts cannot be used: {reason}",
    fix: "Correct the file, or `ledger.chart`, which names it; samples/chart-of-accounts.csv shows the form.",
  },
  CUSTODY_ACCOUNT_DIFFERS: {
    message: "the service {said}",
    fix: "Correct its `id` or `currency`, or the key that pays from it; ask the service's operator whether it is enabled.",
    about: {
      message:
        "the service does not show a custody account, or shows it in another currency than the configuration",
      fix: "Correct its `id` or `currency`, or the key that pays from it; ask the service's operator whether it is enabled.",
    },
  },
  CLOCK_OFF: {
    message: "this machine's clock is {seconds} s {direction} the service's",
    fix: "Synchronise this machine's clock with a time service (NTP); if it is right, tell the service's operator. One-time codes live for 30 s, and a search that comes too early or late is refused.",
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
      fix: "Check the spelling; the message says which command lists what there is.",
    },
  },
  NAME_AMBIGUOUS: {
    message: "{text} does not name one thing for certain: {reason}",
    fix: "{how}",
    about: {
      message: "the name that was given fits several things",
      fix: "Name it in full, by its id or number.",
    },
  },
  APPROVER_IS_SUBMITTER: {
    message: "{person} submitted this batch and cannot approve it",
    fix: "Have somebody else approve it.",
    next: "needs-person",
  },
  APPROVER_NOT_LISTED: {
    message: "{person} is not one of those who may approve this batch: {approvers}",
    fix: "Have one of them approve it, or correct the rule's `approvers` under `approval.rules`.",
    next: "needs-person",
  },
  APPROVAL_NOT_OPEN: {
    message: "batch {batch} is {standing} and cannot be approved",
    fix: "`paydrop status {batch}` shows where its payments stand.",
    next: "needs-person",
  },
  LIMITS_ALLOW_NOTHING: {
    message:
      "nothing in {currency} can be paid: a currency takes three limits above 0, and these are missing or 0: {keys}",
    fix: "Have treasury set `limits.perRow.{currency}`, `limits.perFile.{currency}` and `limits.perDay.{currency}`.",
    next: "needs-person",
  },
  APPROVAL_RULE_MISSING: {
    message: "no approval rule covers {amount}, so it may not be paid",
    fix: "Add a rule under `approval.rules` in the configuration.",
    next: "needs-person",
  },
});
