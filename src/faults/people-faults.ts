/** Problems of people: their identity, their roles, and their signatures. */
import { KEY_FLAWS, SIGNATURE_FLAWS } from "./credential-flaws.ts";
import { entriesOf } from "./entry.ts";

export const peopleFaults = entriesOf("needs-person", {
  PEOPLE_ROOT_MISSING: {
    message: "the configuration has no `people.root`, so it is not possible to {action}",
    fix:
      "Set `people.installation` to a name of your own and `people.root` to the fingerprints of the first " +
      "admins' keys (`ssh-keygen -lf KEY.pub`): docs/people.md.",
    next: "correct-usage",
  },
  PERSON_UNKNOWN: {
    message: "{person} is not on the roster",
    fix: "See `paydrop people list`. Name yourself with `--by NAME`, or have an admin add you.",
  },
  ROLE_LACKING: {
    message: "{person} may not {action}: this needs the role {roles}",
    fix: "Have a person with that role do it, or an admin give it with `paydrop people add`.",
  },
  SETTLEMENT_PROPOSED: {
    message: "{person} already proposed to settle {name}, and an amount this large needs a second person",
    fix: "Have another controller run `paydrop breaks settle {name} --reason WHY`.",
  },
  PROOF_MISSING: {
    message: "{person} has not proven who they are: {reason}",
    reasons: {
      unattended: "there is nobody here to ask for a signature",
      unenrolled: "no key of theirs is enrolled",
      passkeys: "they have only passkeys, which sign in a browser",
      site: "they have no passkey of {site}",
      trial: "the key that this trial has for them in {folder} is not one of {keys}",
      key: "the key {path} ({fingerprint}) is not one of {keys}",
      absent: "none of these keys was found: {keys}; looked in {places}",
    },
    fix: "Load one of their keys (`paydrop people list`) into the SSH agent, or name its file with `--sign-with`.",
  },
  SIGNATURE_INVALID: {
    message: "the signature of {person} is not valid: {reason}",
    reasons: {
      ...SIGNATURE_FLAWS,
      statement: "this is no statement about a decision",
      installation: "it was given for the installation {installation}",
      roster: "it was given under another roster",
      future: "it is dated {when}, in the future",
      owner: "the key that signed is not one of theirs",
      used: "this statement was used before",
      browser: "the browser's answer does not hold: {said}",
      unsigned: "the approval was not signed",
      changed: "the statement was changed",
      decision: "they signed something else",
      payments: "they approved other payments",
      file: "they approved another file",
      submitter: "the batch had another submitter",
      time: "they signed at another time",
      policy: "limits, lists or rules are not those under which they approved",
    },
    fix: "Have it signed again. If the cause is not known, find out who wrote to the database.",
  },
  SIGNATURE_EXPIRED: {
    message: "the signature of {person} expired at {when}",
    fix: "Have it signed again.",
  },
  KEY_UNUSABLE: {
    message: "the key cannot be used: {reason}",
    reasons: {
      ...KEY_FLAWS,
      file: "{path} cannot be read: {why}",
      browser: "the browser's answer does not hold: {said}",
    },
    fix: "Use an ed25519 or ECDSA public key of OpenSSH, such as ~/.ssh/id_ed25519.pub, or a passkey.",
    next: "correct-usage",
  },
  SIGNING_FAILED: {
    message: "nothing was signed: {reason}",
    fix: "Correct what `ssh-keygen -Y sign` (OpenSSH 8.2 or later) complains about.",
  },
  ROSTER_CHANGE_REFUSED: {
    message: "the roster was not changed: {reason}",
    reasons: {
      name: 'a name has small letters a to z and digits, such as ann; "{name}" has others',
      admins: "no admin with a key would be left",
      broken: "{problem}",
    },
    fix: "`paydrop people list` shows the roster.",
  },
  ENROLMENT_REFUSED: {
    message: "the key was not enrolled: {reason}",
    reasons: {
      unknown: "there is no such code for this name",
      expired: "the code expired at {until}",
    },
    fix: "Check name and code. If both are right, have an admin run `paydrop people add` again.",
  },
  ROSTER_BROKEN: {
    message: "the roster is not valid from change {number} on: {reason}",
    reasons: {
      long: "it has more than {most} changes",
      statement: "it is not a statement about the roster",
      root: "it was made for another installation or root",
      order: "it does not follow the change before it",
      dated: "it is dated before the change before it",
      uninvited: "nobody invited this person",
      expired: "the invitation had expired",
      enrolment: "its signatures are not those of the code and of the new key",
      unsigned: "its signature cannot be read",
      signature: "its signature does not hold",
      signer: "its signer may not change the roster",
      first: "a key of the root may only add the person whose it is, as an admin",
      name: '"{name}" cannot be the name of a person',
      unknown: "there is no {name}",
      roleless: "it gives no role",
      keyless: "{name} has no key {key}",
      invitation: "only an admin invites",
      mail: "it gives a mail address",
      mailless: "it gives no mail address",
      address: '"{mail}" is no mail address',
      given: "it gives a key",
      unusable: "its key cannot be used",
      taken: "its key is already {owner}'s",
      revoked: "its key was revoked",
      known: "it ends there, and a decision knew change {newest}",
      head: "it ends there, and `people.head` is {head}",
    },
    fix:
      "Restore the database with the whole roster; until then nothing is approved or sent. For lost keys see " +
      "docs/people.md.",
  },
  APPROVAL_COOLING: {
    message: "batch {batch} is sent from {when}, `approval.coolingMinutes` after its last approval",
    fix: "Nothing to do. `paydrop reject {batch} --reason WHY` cancels it until then.",
    next: "will-retry",
  },
  STATEMENT_CHANGED: {
    message: "something changed after this was signed: {reason}",
    reasons: {
      shown: "something has changed since it was shown",
      late: "it was shown more than ten minutes ago",
      page: "what must be looked at is not what the page showed",
      batch: "the batch, or what was accepted of it, has changed",
      receipts: "something else was received or matched meanwhile",
      matches: "something else was matched meanwhile",
      ended: "it has ended meanwhile",
      match: "it was taken back or matched meanwhile",
      breaks: "other breaks are open now",
      chart: "the chart of accounts maps something else now",
      held: "something else is held now",
      answer: "the ERP has answered more of it",
      checklist: "a point of the checklist is another one now",
      months: "other months are closed now",
    },
    fix: "Look at it again, and sign again.",
  },
  RULE_UNFULFILLABLE: {
    message: "`approval.rules.{index}` needs {needed} to approve, but the roster has {count}: {names}",
    fix: "Have an admin enrol approvers with `paydrop people add`, or treasury correct the rule.",
  },
  SUBMITTER_MISSING: {
    message:
      "`approval.rules.{index}` needs {needed} to approve, so one of {names} would approve their own file",
    fix: "Have an admin add, with `paydrop people add`, a submitter who does not approve, or one more approver.",
  },
  DATABASE_OF_ANOTHER_ROOT: {
    message: "the database belongs to {owner}, but this configuration names {ours}; nothing in it is changed",
    fix:
      "Use the configuration that belongs to this database: check `--config`, PAYDROP_CONFIG, " +
      "PAYDROP_DATABASE and DATABASE_URL. docs/people.md explains a handover to a new root.",
    next: "correct-usage",
  },
  TRIAL_AT_SERVICE: {
    message: "{baseUrl} is not Paydrop's sandbox; keys of a trial (`people.trialKeys`) are valid only there",
    fix:
      "Make a configuration with `people.root` for the service (`paydrop init`), and enrol the people who " +
      "approve: docs/people.md.",
    next: "correct-usage",
  },
  DECISION_UNPROVEN: {
    message: "this decision has no valid signature: {what}{more}",
    fix:
      "Find out who wrote to the database; `paydrop audit verify` lists all such decisions. If they may stand, " +
      "an operator runs `paydrop go --reason WHY`.",
  },
});
