/** The command line, the configuration, and permissions. */
import { entriesOf } from "./entry.ts";

export const configFaults = entriesOf("correct-usage", {
  USAGE: {
    message: "{what}",
    fix: "{how}",
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
  },
  CONFIG_KEY_UNKNOWN: {
    message: "there is no configuration key `{path}`",
    fix: "Remove it{hint}.",
  },
  ENVIRONMENT_INVALID: {
    message: "the environment variable {variable} is wrong: {reason}",
    fix: "Correct the variable, or unset it to use what the configuration file says.",
  },
  ENVIRONMENT_UNKNOWN: {
    message: "the environment variable {variable} does not name a configuration key",
    fix: "Correct its name (`service.baseUrl` is PAYDROP_SERVICE_BASE_URL), or unset it.",
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
  SECRET_OPEN_TO_OTHERS: {
    message: "others than its owner may read {path}, which {name} names",
    fix: "Take their access with `chmod go= {path}`, and replace the secret if somebody else uses this machine.",
  },
  SECRET_UNUSABLE: {
    message: "the secret {name} cannot be used: {reason}",
    fix: "Copy it again, without line breaks or quotation marks around it.",
  },
  CHART_UNREADABLE: {
    message: "the chart of accounts {path} cannot be used: {reason}",
    fix: "Compare it with samples/chart-of-accounts.csv.",
  },
  CUSTODY_ACCOUNT_NOT_SHOWN: {
    message: "the service shows no balance of the custody account {name} ({id})",
    fix: "Correct its `id`, or the key that pays from it; ask the service's operator whether it is enabled.",
  },
  CUSTODY_ACCOUNT_OTHERWISE: {
    message:
      "the service says that the custody account {name} holds {found}, but the configuration says {currency}",
    fix: "Correct its `currency`, or its `id`.",
  },
  CLOCK_OFF: {
    message: "this machine's clock is {seconds} s {direction} the service's",
    fix: "Synchronise this machine's clock with a time service (NTP); if it is right, tell the service's operator. One-time codes live for 30 s, and a search that comes too early or late is refused.",
  },
  DISK_NEARLY_FULL: {
    message: "the disk of {path} has only {free} left",
    fix: "Free some space: on a full disk nothing is taken in and nothing is sent.",
  },
  DEMO_FOLDER_TAKEN: {
    message: "the demo cannot use {path}: {reason}",
    fix: "Name a new or an empty folder with `--folder`; the demo writes a configuration of its own there.",
  },
  CONFIRMATION_NEEDED: {
    message: "there is nobody at a terminal to ask: {question}",
    fix: "Add `--yes` to do it without being asked.",
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
  LAYOUT_NAME_UNKNOWN: {
    message: "the file has no {what}; it has: {known}",
    fix: 'Name it as the file does: `--column "Where=destinationAddress"`, `--leave-out "Status=on hold"`.',
  },
  CHANGE_UNKNOWN: {
    message: "there is no change with the number {number}",
    fix: "`paydrop doubt` lists the deposits, voids and authorizations in doubt with their numbers.",
  },
  DIGEST_AMBIGUOUS: {
    message: "{text} matches several batches: {batches}",
    fix: "Give more characters of the digest.",
  },
  DIGEST_TOO_SHORT: {
    message: "{text} is too short for a digest",
    fix: "Give at least 16 characters of the digest that `paydrop status` shows.",
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
  PERSON_UNNAMED: {
    message: "nobody is named as the person who does this",
    fix: "Name the person with `--by NAME`.",
  },
  APPROVAL_NOT_OPEN: {
    message: "batch {batch} is {standing} and cannot be approved",
    fix: "`paydrop status {batch}` shows where its payments stand.",
    next: "needs-person",
  },
  APPROVAL_RULE_MISSING: {
    message: "no approval rule covers {amount}, so it may not be paid",
    fix: "Add a rule under `approval.rules` in the configuration.",
    next: "needs-person",
  },
});
