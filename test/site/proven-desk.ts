/**
 * A desk where people prove who they are by OpenSSH keys: dave is the root's admin, ann submits, ben and carol
 * approve. And what somebody can do who may write to the database, but has no key of theirs.
 */
import { hash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  addPersonStep,
  approveStep,
  type Environment,
  payStep,
  type Sign,
  submitFile,
  type Workplace,
} from "../../src/index.ts";
import type { Role } from "../../src/model/index.ts";
import {
  type DecisionStatement,
  readDecision,
  statementHash,
  statementText,
} from "../../src/people/index.ts";
import { all, first, run, sql, type Transaction } from "../../src/store/sql.ts";
import { insertStatement } from "../../src/store/statements.ts";
import { type Key, makeKey, signBy } from "../people/keys.ts";
import { ADDRESS, openSite, type Site } from "./service.ts";
import { preparedDatabase } from "./workplace.ts";

export const KEYS = { ann: makeKey(), ben: makeKey(), carol: makeKey(), dave: makeKey(), mallory: makeKey() };

export const INSTALLATION = "acme-main";

type Name = keyof typeof KEYS;

const ROLES: Partial<Record<Name, readonly Role[]>> = {
  dave: ["admin", "approver"],
  ann: ["submitter", "approver"],
  ben: ["approver", "operator"],
  carol: ["approver", "controller"],
};

export function provenEnvironment(root: Key = KEYS.dave): Environment {
  return {
    PAYDROP_PEOPLE_INSTALLATION: INSTALLATION,
    PAYDROP_PEOPLE_ROOT: JSON.stringify([root.fingerprint]),
  };
}

/** As if each person sat at the terminal with their own key. */
const withOwnKey: Sign = async ({ person, text }) => ({
  text,
  signature: signBy(KEYS[person as Name], text),
});

/** Signs with this key, whoever is asked. */
export function withKey(key: Key): Sign {
  return async ({ text }) => ({ text, signature: signBy(key, text) });
}

export function signing(workplace: Workplace, sign: Sign = withOwnKey): Workplace {
  return { ...workplace, sign };
}

export interface ProvenDesk extends Site {
  /** Takes a file of one payment in, as ann; returns its digest. */
  submit(reference: string, amount?: string, place?: Workplace): Promise<string>;
  /** References of the creations that the service got. */
  sent(): (string | undefined)[];
}

export async function openProvenDesk(changes: Environment = {}): Promise<ProvenDesk> {
  const isOwn = Object.keys(changes).some((name) => /^PAYDROP_(PEOPLE|DATABASE)/.test(name));
  const database = isOwn ? undefined : await databaseWithRoster();
  const site = await openSite({}, { ...provenEnvironment(), ...changes }, database);
  const workplace = signing(site.workplace);
  if (database === undefined) await fillRoster(workplace);
  return {
    ...site,
    workplace,
    openAgain: (more) => signing(site.openAgain(more)),
    submit: async (reference, amount = "0.01", place = workplace) => {
      const path = join(site.folder, `${reference}.csv`);
      writeFileSync(path, `reference,amount,destinationAddress\n${reference},${amount},${ADDRESS}\n`);
      const { digest, problems } = await submitFile(place, path, "ann");
      if (digest === undefined) throw new Error(JSON.stringify(problems));
      return digest;
    },
    sent: () => site.sandbox.creations().map(({ reference }) => reference),
  };
}

const databaseWithRoster = preparedDatabase(
  (workplace) => fillRoster(signing(workplace)),
  provenEnvironment(),
);

async function fillRoster(workplace: Workplace): Promise<void> {
  for (const [name, roles] of Object.entries(ROLES)) {
    const { credential } = KEYS[name as Name];
    await addPersonStep(workplace, { name, roles, credential, person: "dave" });
  }
}

/** A submitted batch that ben has approved, and that may be sent. */
export async function approvedDesk(changes: Environment = {}): Promise<ProvenDesk> {
  const desk = await openProvenDesk(changes);
  await approveStep(desk.workplace, await desk.submit("A-1"), "ben");
  return desk;
}

/** Whether a run sends anything, or refuses to. */
export async function paid(workplace: Workplace) {
  return payStep(workplace).then(
    ({ accepted, problems }) => ({ accepted, codes: problems.map(({ code }) => code) }),
    (error: { problem?: { code: string } }) => ({ accepted: 0, codes: [error.problem?.code] }),
  );
}

/** Changes what the database says, and makes the audit record a chain again. The anchor, a file beside it, goes. */
export async function alter(
  { workplace: { store, config } }: Pick<Site, "workplace">,
  change: () => Transaction<unknown>,
): Promise<void> {
  await store.write(function* (): Transaction<void> {
    yield* change();
    yield* chainAnew();
  });
  rmSync(config.anchorPath, { force: true });
}

interface AuditRow {
  readonly seq: number;
  readonly at: string;
  readonly person: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}

/** Numbers and hashes as the record would have them. */
function* chainAnew(): Transaction<void> {
  const rows = yield* all<AuditRow>(sql`select * from audit order by seq`);
  yield* run(sql`delete from audit`);
  let before = "0".repeat(64);
  for (const [index, { at, person, action, subject, detail }] of rows.entries()) {
    const seq = index + 1;
    before = hash("sha256", JSON.stringify([before, seq, at, person, action, subject, detail]));
    yield* run(sql`insert into audit (seq, at, person, action, subject, detail, hash)
      values (${seq}, ${at}, ${person}, ${action}, ${subject}, ${detail}, ${before})`);
  }
}

/**
 * Replaces the approval of a batch by one whose statement says something else, signed by this key, in every place
 * where the database speaks of it. Without `changes` it is the same statement.
 */
export function* plantApproval(
  batch: string,
  key: Key,
  changes: (statement: DecisionStatement) => DecisionStatement,
): Transaction<void> {
  const kept = yield* first<{ statement: string; body: string }>(
    sql`select approval.statement, body from approval join statement on hash = approval.statement
      order by case when batch_id = ${batch} then 0 else 1 end, seq limit 1`,
  );
  const original = readDecision(kept?.body ?? "");
  if (original === undefined) throw new Error("there is no signed approval to change");
  const statement = changes(original);
  const body = statementText(statement);
  const { person, at, roster, decision, subject, detail } = statement;
  const planted = statementHash(body);
  const signature = signBy(key, body);
  yield* run(sql`delete from statement where hash = ${planted}`);
  yield* insertStatement({
    ...{
      hash: planted,
      root: roster.root,
      roster: roster.number,
      decision,
      subject,
      person,
      at,
      text: body,
      signature,
    },
  });
  const approved = JSON.stringify(detail["approved"]);
  const digest = (yield* first<{ digest: string }>(sql`select digest from batch where id = ${batch}`))
    ?.digest;
  yield* run(sql`delete from approval where batch_id = ${batch}`);
  yield* run(sql`insert into approval (batch_id, person, digest, decided_at, approved, statement)
    values (${batch}, ${person}, ${digest}, ${at}, ${approved}, ${planted})`);
  yield* run(sql`delete from audit where action = 'approve' and subject = ${batch}`);
  const said = JSON.stringify({
    digest,
    approved: hash("sha256", approved),
    released: 1,
    statement: planted,
  });
  const next = yield* first<{ seq: number }>(sql`select max(seq) + 1 as seq from audit`);
  yield* run(sql`insert into audit (seq, at, person, action, subject, detail, hash)
    values (${next?.seq ?? 1}, ${at}, ${person}, 'approve', ${batch}, ${said}, '')`);
  yield* run(sql`update instruction set standing = 'approved' where batch_id = ${batch}`);
}
