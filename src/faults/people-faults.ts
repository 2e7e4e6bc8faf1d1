/** Problems of people: who they are, what they may do, and what they signed. */
import { entriesOf } from "./entry.ts";

export const peopleFaults = entriesOf("needs-person", {
  PEOPLE_ROOT_MISSING: {
    message: "the configuration says of nobody how they prove who they are, so nobody can {action}",
    fix: "Set `people.installation` to a name of your own and `people.root` to the fingerprints of the first admins' keys (`ssh-keygen -lf KEY.pub`); docs/people.md takes you through it.",
    next: "correct-usage",
  },
  PERSON_UNKNOWN: {
    message: "{person} is not on the roster",
    fix: "`paydrop people list` shows who is; name yourself with `--by NAME`, or have an admin add you.",
  },
  ROLE_LACKING: {
    message: "{person} may not {action}: it takes the role {roles}",
    fix: "Have somebody with that role do it, or an admin give it with `paydrop people add`.",
  },
  SETTLEMENT_PROPOSED: {
    message: "{person} proposed to settle {name} before, and so much at stake takes a second person",
    fix: "Have another controller confirm it with `paydrop breaks settle {name} --reason WHY`.",
  },
  PROOF_MISSING: {
    message: "{person} has not proven who they are: {reason}",
    fix: "Load a key of theirs into the SSH agent, or name its file with `--sign-with`; `paydrop people list` shows their keys.",
  },
  SIGNATURE_INVALID: {
    message: "what {person} is said to have signed does not hold: {reason}",
    fix: "Have it decided and signed again; if nobody did this on purpose, find out who wrote to the database.",
  },
  SIGNATURE_EXPIRED: {
    message: "what {person} signed held until {when}",
    fix: "Have it decided and signed again.",
  },
  KEY_UNUSABLE: {
    message: "the key cannot be used: {reason}",
    fix: "Give an ed25519 or ECDSA public key of OpenSSH, such as ~/.ssh/id_ed25519.pub, or a passkey.",
    next: "correct-usage",
  },
  SIGNING_FAILED: {
    message: "nothing was signed: {reason}",
    fix: "`ssh-keygen -Y sign` of OpenSSH 8.2 or later signs; correct what it complains about, and run this again.",
  },
  ROSTER_CHANGE_REFUSED: {
    message: "the roster stays as it is: {reason}",
    fix: "`paydrop people list` shows the roster.",
  },
  ENROLMENT_REFUSED: {
    message: "the key was not enrolled: {reason}",
    fix: "Check the name, and each character of the code. If both are right, have an admin run `paydrop people add` again for a new code.",
  },
  ROSTER_BROKEN: {
    message: "{what} does not hold: {reason}",
    fix: "Nothing is approved or sent. Restore the database that has the whole roster; docs/people.md says what to do where keys are lost.",
  },
  APPROVAL_COOLING: {
    message: "batch {batch} is sent from {when} on: `approval.coolingMinutes` after its last approval",
    fix: "Nothing needs to be done; `paydrop reject {batch} --reason WHY` cancels it until then.",
    next: "will-retry",
  },
  STATEMENT_CHANGED: {
    message: "what was signed is no longer what would be done: {reason}",
    fix: "Look at it again, and sign again.",
  },
  RULE_UNFULFILLABLE: {
    message:
      "`approval.rules.{index}` takes {needed} people, and the roster has {count} who may approve under it: {names}",
    fix: "Have an admin add or enrol more of them with `paydrop people add`, or correct the rule.",
  },
  SUBMITTER_MISSING: {
    message:
      "`approval.rules.{index}` takes {needed} people, only {names} may approve under it, and nobody else can submit: no file can be approved, because its submitter never approves it and an unsigned one takes a person more",
    fix: "Have an admin add somebody with the role submitter who does not approve, or one more approver, with `paydrop people add`.",
  },
  DATABASE_OF_ANOTHER_ROOT: {
    message: "the database belongs to {owner}, and this configuration names {ours}: nothing in it is changed",
    fix: "Use the configuration that belongs to this database; `--config`, PAYDROP_CONFIG, PAYDROP_DATABASE or DATABASE_URL may have led to another one. docs/people.md says how a database is handed over to a new root.",
    next: "correct-usage",
  },
  TRIAL_AT_SERVICE: {
    message:
      "{baseUrl} does not answer as Paydrop's sandbox, and the keys of a trial (`people.trialKeys`) prove nobody",
    fix: "Make a configuration with `people.root` for the service (`paydrop init`), and enrol the people who approve; docs/people.md says how.",
    next: "correct-usage",
  },
  DECISION_UNPROVEN: {
    message: "nobody proved who decided this: {what}{more}",
    fix: "Find out who wrote to the database. `paydrop audit verify` names all such decisions; if what they did may stay, an operator takes them over with `paydrop go --reason WHY`.",
  },
});
