/**
 * The name of a sent file, and its layout: that of the sender in whose folder it is, or whose name pattern it
 * matches; otherwise the general one. A file from a sender's folder is named with the sender: `acme/payroll.csv`.
 * Answers, the archive, the database and logs repeat a name, so a name that contains a private key is replaced, and
 * its file refused.
 */
import { basename, dirname, extname, join, resolve } from "node:path";
import type { Config } from "../../config/index.ts";
import { fault, type Problem, problem } from "../../faults/index.ts";
import { type Present, present } from "../../model/present.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { shownText } from "../../model/shown-text.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits } from "../../readers/index.ts";

/** The last part of a path; "name-withheld" if that or a folder above it contains a private key. */
export function safeName(path: string): string {
  return holdsPrivateKey(resolve(path)) ? NAME_WITHHELD : basename(path);
}

/** Whether a file's name was withheld, now or when it was claimed. */
export function isNameWithheld(name: string): boolean {
  return basename(name) === NAME_WITHHELD;
}

/**
 * The problem of a name that is too long for the names derived from it, or cannot be opened under the name that its
 * folder lists (`isUnopened`); undefined if there is none.
 */
export function unusableName(name: string, isUnopened = false): Problem | undefined {
  if (name.includes("\0")) return problem("FILE_NAME_UNUSABLE", { reason: "nul" });
  const where = { file: name };
  if (isUnopened && name.includes("\ufffd"))
    return problem("FILE_NAME_UNUSABLE", { reason: "encoding" }, where);
  // A totals file is judged by its payout file's name, which is its own without the suffix.
  const bytes = Buffer.byteLength(basename(name).replace(/\.totals\.(?:csv|txt)$/i, ""));
  if (bytes <= NAME_BYTES_MAX) return undefined;
  return problem("FILE_NAME_UNUSABLE", { reason: "long", bytes, bytesMax: NAME_BYTES_MAX }, where);
}

/**
 * As `unusableName`, for the name of an upload, which no file system has checked: also refuses invisible characters
 * that change how the name is shown.
 */
export function unusableUploadName(name: string): Problem | undefined {
  const reason = basename(name).trim() === "" ? "missing" : CONTROLS.test(name) ? "controls" : undefined;
  if (reason !== undefined) return problem("FILE_NAME_UNUSABLE", { reason }, { file: shownText(name) });
  return unusableName(name, true);
}

/** Also line separators, and characters that reverse the direction of writing. */
const CONTROLS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** File systems allow 255 bytes. A claim adds 37; `.B-000001.rejected.totals.csv.txt` is the longest suffix. */
const NAME_BYTES_MAX = 200;

const NAME_WITHHELD = "name-withheld";

/** "acme/payroll", for a file and for all its corrections. */
export function sentStem(file: string): string {
  return join(dirname(file), basename(file, extname(file)).replace(/(?:\.rejected)+$/, ""));
}

type FilesConfig = Config["files"];
type Sender = FilesConfig["senders"][number];

/** How one file is read: `files` of the configuration, overridden by its sender's settings. */
export interface FileLayout extends Omit<FilesConfig, "senders" | "defaults"> {
  readonly defaults: Present<FilesConfig["defaults"]>;
  /** The sender's name. */
  readonly sender?: string;
}

/** The name of the file at `path`, or a substitute if the name contains a private key. */
export function fileNameAt({ files }: Config, path: string): string {
  const folder = dirname(resolve(path));
  const sender = files.senders.find((candidate) => candidate.folder === folder);
  return sender === undefined ? safeName(path) : `${sender.name}/${safeName(path)}`;
}

/** The layout for a file name. Throws SENDER_AMBIGUOUS if the name matches the patterns of several senders. */
export function layoutOf({ files }: Config, fileName: string): FileLayout {
  const { senders, ...ofAll } = files;
  const [sender, another] = senders.filter((candidate) => isFrom(candidate, fileName));
  if (sender === undefined) return { ...ofAll, defaults: present(ofAll.defaults) };
  if (another !== undefined)
    throw fault("SENDER_AMBIGUOUS", { senders: `${sender.name} and ${another.name}` }, { file: fileName });
  return {
    ...ofAll,
    sender: sender.name,
    numberFormat: sender.numberFormat ?? ofAll.numberFormat,
    ...present({
      sheet: sender.sheet,
      encoding: sender.encoding,
      dateFormat: sender.dateFormat,
      roundCalculated: sender.roundCalculated,
    }),
    columns: { ...ofAll.columns, ...sender.columns },
    defaults: present({ ...ofAll.defaults, ...sender.defaults }),
    controlTotals: { ...ofAll.controlTotals, ...present(sender.controlTotals) },
  };
}

/** The resource limits for reading a file. */
export function fileLimitsOf({ macros, limits }: Pick<FilesConfig, "macros" | "limits">): FileLimits {
  return { ...DEFAULT_FILE_LIMITS, ...present(limits), macros };
}

/**
 * The problem of a file that is too large to be read; undefined if there is none. Such a file is not archived
 * either: a sparse file takes no space in an inbox, but its copy would fill the disk, and then nothing could be
 * sent.
 */
export function tooLarge({ files }: Config, bytes: number, file: string): Problem | undefined {
  const { bytesMax } = fileLimitsOf(files);
  if (bytes <= bytesMax) return undefined;
  return problem("FILE_TOO_LARGE", { found: bytes, unit: "bytes", limit: bytesMax }, { file });
}

export function isFrom({ name, match }: Pick<Sender, "name" | "match">, fileName: string): boolean {
  if (match === undefined) return dirname(fileName) === name;
  const escaped = match.normalize("NFC").replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "isu");
  // File systems store accents differently.
  return dirname(fileName) === "." && pattern.test(fileName.normalize("NFC"));
}
