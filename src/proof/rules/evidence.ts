/**
 * How the files of an evidence archive are bound together: the manifest has the hash of each file, and an entry of
 * the audit record has the hash of the manifest. The archive contains that entry and the chain that leads to it.
 * docs/evidence.md explains what this proves.
 */

export const MANIFEST = "manifest.json";
/** The entries after the newest packed one, up to the entry with the manifest's hash. */
export const SEAL = "record/seal.jsonl";
export const README = "README.txt";

/** The action of the entry with the manifest's hash. */
export const EVIDENCE = "evidence";

export interface ManifestFile {
  readonly name: string;
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Canonical JSON: one file a line, by name. */
export function manifestText(batch: string, files: readonly ManifestFile[]): string {
  const sorted = files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const listed = sorted.map(({ name, size, sha256 }) => JSON.stringify({ name, size, sha256 }));
  return `{"evidence":"paydrop evidence v1","batch":${JSON.stringify(batch)},"files":[\n${listed.join(",\n")}\n]}\n`;
}

export interface ChainedEntry {
  readonly seq: number;
  readonly at: string;
  readonly person: string;
  readonly action: string;
  readonly subject: string;
  /** As JSON. */
  readonly detail: string;
  readonly hash: string;
}

/** The fields that an entry's hash covers, except the hash before it; then the hash. */
export function chainLine({ seq, at, person, action, subject, detail, hash }: ChainedEntry): string {
  return `${JSON.stringify([seq, at, person, action, subject, detail, hash])}\n`;
}

/**
 * Whether an entry concerns a batch: its subject is one of the names (the batch, its file, its payments, their
 * payouts), or it names one of the statements.
 */
export function isAbout(
  { subject, detail }: Pick<ChainedEntry, "subject" | "detail">,
  names: ReadonlySet<string>,
  statements: ReadonlySet<string>,
): boolean {
  if (names.has(subject)) return true;
  const [, statement = ""] = /"statement":"([0-9a-f]{64})"/.exec(detail) ?? [];
  return statements.has(statement);
}

/** Whether a decision names one of the payments or payouts, as `payments: [...]` or `payouts: {...}`. */
export function isDecisionAbout(text: string, names: ReadonlySet<string>): boolean {
  const { subject, detail } = JSON.parse(text) as { subject: string; detail: Record<string, unknown> };
  const { payments, payouts } = detail;
  const listed = [
    ...(Array.isArray(payments) ? payments : []),
    ...(typeof payouts === "object" && payouts !== null ? Object.keys(payouts) : []),
  ];
  return [subject, ...listed].some((name) => typeof name === "string" && names.has(name));
}

/** A name within the archive that no system reads as a path or a device: the last part, at most 120 characters. */
export function packedName(path: string): string {
  const [last = ""] = path.split(/[/\\]/).slice(-1);
  const safe = last.replace(/[\p{C}<>:"|?*]/gu, "_").replace(/^\.+/, "_");
  return [...safe].slice(-NAME_CHARACTERS_MAX).join("");
}

const NAME_CHARACTERS_MAX = 120;

export function readmeText({
  batch,
  file,
  roots,
}: Record<"batch" | "file", string> & { roots: number }): string {
  return `Evidence of ${batch}: ${file}

What is in this archive
  batch.json                  the batch: its file, its rows' digest, its sums
  file/sent/                  the file as it came
  file/verdict.json           what became of the file
  file/reading.json           how it was read: columns, lines, notes, what was not used
  file/rows.jsonl, .csv       its payments: as they are approved by their digest, and as a table
  file/shown.jsonl            what each approver was shown
  answers/                    the answers in the outbox
  signed/1/                   ${roots === 1 ? "" : "(and further ones, one for each root) "}what people signed:
    statements/               the changes of the roster, with the public keys
    submissions/, approvals/  who sent the file in, and who approved the batch
    decisions/                other decisions about its payments
    *.sig                     an SSH signature; *.sig.json one of an RSA passkey
  service/submissions.jsonl   what was asked of the service, and its answers. One-time codes and the signatures of
                              requests were never kept
  service/changes.jsonl       voids and authorizations of its payouts
  service/states.jsonl        what the service showed of its payouts, and when
  books/entries.jsonl         their journal entries, in which exports they are, and the ERP's answers
  books/exports.json          these exports, with the hashes of their files
  record/entries.jsonl        the entries of the audit record about the batch
  record/path.jsonl           all entries from the first of them to the newest one, chained by their hashes
  record/seal.jsonl           the entry that has the hash of manifest.json
  manifest.json               size and SHA-256 of each file

How to verify it
  You need Python 3, OpenSSH and openssl. Take the script verify-evidence.py and its page evidence.md from Paydrop's
  documents (docs/), never from whoever sent you this archive. From your own notes you need:
    the name of the installation and the fingerprints of its root;
    the head that was printed when this archive was made. It also stands on the Record page.

    python3 verify-evidence.py FILE.zip --installation NAME --root SHA256:... --head HEAD

Nothing is proven by this text: everything else is checked.
`;
}
