/** The command line, the configuration, and who may do what. */
import type { CatalogueEntry } from "./entry.ts";

export const configFaults = {
  USAGE: {
    message: "{what}",
    fix: "{how}",
    next: "correct-usage",
  },
  CONFIG_NOT_FOUND: {
    message: "there is no configuration at {path}",
    fix: "Name one by `--config FILE`, or begin one by `paydrop init`.",
    next: "correct-usage",
  },
  CONFIG_UNREADABLE: {
    message: "the configuration {path} cannot be read: {reason}",
    fix: "Name a YAML file by `--config FILE`, and check that it may be read.",
    next: "correct-usage",
  },
  CONFIG_NOT_YAML: {
    message: "the configuration is not YAML: {reason}",
    fix: "Correct the line named here; indentation is by spaces.",
    next: "correct-usage",
  },
  CONFIG_KEY_INVALID: {
    message: "{reason}",
    fix: "Correct `{path}` in the configuration{hint}.",
    next: "correct-usage",
  },
  CONFIG_KEY_UNKNOWN: {
    message: "there is no configuration key `{path}`",
    fix: "Remove it{hint}.",
    next: "correct-usage",
  },
  ENVIRONMENT_INVALID: {
    message: "the environment variable {variable} is wrong: {reason}",
    fix: "Correct the variable, or unset it to use what the configuration file says.",
    next: "correct-usage",
  },
  ENVIRONMENT_UNKNOWN: {
    message: "the environment variable {variable} names no configuration key",
    fix: "Correct its name (`service.baseUrl` is PAYDROP_SERVICE_BASE_URL), or unset it.",
    next: "correct-usage",
  },
  CONFIGURATION_DIFFERS: {
    message:
      "this machine's configuration is not the one that {machine} used at {when}, so it takes in, approves, sends and follows nothing: {what}",
    fix: "Where the other machine is right, correct this one's configuration. Where this one is right, change it on all machines, then run `paydrop configuration accept --reason WHY` here.",
    next: "correct-usage",
  },
  SECRET_MISSING: {
    message: "the secret {name} is not set",
    fix: "Set the environment variable {name}, or {name}_FILE to a file that holds it.",
    next: "correct-usage",
  },
  SECRET_UNREADABLE: {
    message: "the file {path} that {name}_FILE names cannot be read: {reason}",
    fix: "Correct the path in {name}_FILE, and check that this user may read the file.",
    next: "correct-usage",
  },
  CHART_UNREADABLE: {
    message: "the chart of accounts {path} cannot be used: {reason}",
    fix: "Compare it with samples/chart-of-accounts.csv.",
    next: "correct-usage",
  },
  CUSTODY_ACCOUNT_NOT_SHOWN: {
    message: "the service shows no balance of the custody account {name} ({id})",
    fix: "Correct its `id`, or the key that pays from it; ask the service's operator whether it is enabled.",
    next: "correct-usage",
  },
  CUSTODY_ACCOUNT_OTHERWISE: {
    message: "the service keeps the custody account {name} in {found}, and the configuration says {currency}",
    fix: "Correct its `currency`, or its `id`.",
    next: "correct-usage",
  },
  CLOCK_OFF: {
    message: "this machine's clock is {seconds} s {direction} the service's",
    fix: "Set the clock, best by a time service (NTP): one-time codes live for 30 s, and a search that comes too early or late is refused.",
    next: "correct-usage",
  },
  DISK_NEARLY_FULL: {
    message: "the disk of {path} has only {free} left",
    fix: "Make room: on a full disk nothing is taken in and nothing is sent.",
    next: "correct-usage",
  },
  DEMO_FOLDER_TAKEN: {
    message: "the demo cannot use {path}: {reason}",
    fix: "Name a new or an empty folder by `--folder`; the demo puts a configuration of its own there.",
    next: "correct-usage",
  },
  CONFIRMATION_NEEDED: {
    message: "there is nobody at a terminal to ask: {question}",
    fix: "Say `--yes` if it is to be done.",
    next: "correct-usage",
  },
  BATCH_UNKNOWN: {
    message: "nothing that was taken in matches {text}",
    fix: "`paydrop status` lists the batches with their digests, `paydrop status BATCH` a batch's references.",
    next: "correct-usage",
  },
  DIGEST_AMBIGUOUS: {
    message: "{text} fits several batches: {batches}",
    fix: "Give more characters of the digest.",
    next: "correct-usage",
  },
  DIGEST_TOO_SHORT: {
    message: "{text} is too short to name a digest",
    fix: "Give at least 12 characters of the digest that `paydrop status` shows.",
    next: "correct-usage",
  },
  APPROVER_IS_SUBMITTER: {
    message: "{person} submitted this batch and cannot approve it",
    fix: "Have somebody else approve it.",
    next: "needs-person",
  },
  APPROVER_UNNAMED: {
    message: "nobody is named as the approver",
    fix: "Name the person by `--by NAME`.",
    next: "correct-usage",
  },
  APPROVAL_NOT_OPEN: {
    message: "batch {batch} is {standing} and cannot be approved",
    fix: "`paydrop status {batch}` tells its story.",
    next: "needs-person",
  },
  APPROVAL_RULE_MISSING: {
    message: "no approval rule covers {amount}, so it may not be paid",
    fix: "Add a rule under `approval.rules` in the configuration.",
    next: "needs-person",
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;
