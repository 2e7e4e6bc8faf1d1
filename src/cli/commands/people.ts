/** `paydrop people list`, `add`, `enroll`, `mail`, `handover` and `revoke` */
import { readFile } from "node:fs/promises";
import { rootSchema } from "../../config/index.ts";
import { fault, readFailure } from "../../faults/index.ts";
import type { Role } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { type Credential, readPublicKey } from "../../people/index.ts";
import { handOverStep } from "../../proof/hand-over-step.ts";
import {
  addPersonStep,
  enrolStep,
  listPeopleStep,
  reachPersonStep,
  revokeStep,
} from "../../proof/people-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { DecisionOptions } from "../options.ts";
import { addedText, enrolledText, reachedText, revokedText, rosterText } from "../render/people-text.ts";
import { lines } from "../render/text-parts.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";
import { askSecretly } from "../terminal.ts";

export function listPeopleCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    session.output.answer(await listPeopleStep(workplace), rosterText);
    return EXIT.done;
  });
}

interface AddOptions {
  readonly role: readonly Role[];
  readonly key?: string;
  readonly mail?: string;
  readonly by: string;
}

/** Exits with 4 if the person must still enrol a key by the code. */
export function addPersonCommand(
  session: Session,
  name: string,
  { role, key, mail, by }: AddOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const credential = key === undefined ? undefined : await credentialIn(key);
    const roles = [...new Set(role)];
    const person = { name, roles, person: by, ...present({ credential, mail }) };
    const added = await addPersonStep(workplace, person);
    session.output.answer(added, (_, colors) => addedText(name, added, colors));
    return added.invitation === undefined ? EXIT.done : EXIT.personNeeded;
  });
}

export function mailCommand(
  session: Session,
  name: string,
  address: string,
  { by }: { readonly by: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const mail = address === "none" ? "" : address;
    const roster = await reachPersonStep(workplace, { name, mail, person: by });
    session.output.answer(roster, () => reachedText(name, roster));
    return EXIT.done;
  });
}

export function enrollCommand(
  session: Session,
  name: string,
  { key, code }: { readonly key: string; readonly code?: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const credential = await credentialIn(key);
    const typed = code ?? (await askForCode(session, name));
    const roster = await enrolStep(workplace, { name, code: typed, credential });
    session.output.answer(roster, () => enrolledText(name, roster));
    return EXIT.done;
  });
}

/** Everybody on the machine can read a command line, so the code may be typed instead. */
function askForCode({ signal }: Session, name: string): Promise<string> {
  if (process.stdin.isTTY) return askSecretly(`One-time code of ${name}: `, signal);
  throw fault("USAGE", {
    what: "there is no terminal at which to ask for the code",
    how: "Add `--code CODE`.",
  });
}

interface HandOverOptions extends DecisionOptions {
  readonly root: readonly string[];
  readonly installation: string;
}

export function handOverCommand(
  session: Session,
  { root, installation, reason, by }: HandOverOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const people = peopleIn({ installation, root });
    const handed = await handOverStep(workplace, {
      installation,
      fingerprints: people.root,
      reason,
      person: by,
    });
    session.output.answer(handed, () =>
      lines(
        "The database belongs to the new root from now on. Put it into the configuration, on each machine:",
        `  people: { installation: ${installation}, root: ${JSON.stringify(people.root)} }`,
        "Then have its keys add the first admin with `paydrop people add`. Approvals of unsent payments are void.",
      ),
    );
    return EXIT.done;
  });
}

/** Throws USAGE for values that a configuration could not have. */
function peopleIn(given: { readonly installation: string; readonly root: readonly string[] }) {
  const read = rootSchema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const what = `${issue?.path[0] === "root" ? "--root" : "--installation"}: ${issue?.message}`;
  throw fault("USAGE", { what, how: "Name what `people` in the new configuration will name." });
}

export function revokeCommand(
  session: Session,
  name: string,
  { key, reason, by }: DecisionOptions & { readonly key?: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const roster = await revokeStep(workplace, { name, reason, person: by, ...present({ key }) });
    session.output.answer(roster, () => revokedText(name, key));
    return EXIT.done;
  });
}

/** The key in a file that OpenSSH wrote as `.pub`. Throws KEY_UNUSABLE. */
async function credentialIn(path: string): Promise<Credential> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw fault("KEY_UNUSABLE", { reason: "file", path, why: readFailure(cause) }, {}, { cause });
  });
  return { key: readPublicKey(text).key };
}
