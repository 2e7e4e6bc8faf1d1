/** Why the operating system could not read something, in words; for writing see src/context/files.ts. */

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it does not exist"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a part of its path is a file"],
  ["EACCES", "permission is missing"],
  ["EPERM", "permission is missing"],
  ["ELOOP", "its links lead in a circle"],
  ["ENAMETOOLONG", "its name is too long"],
  ["EBUSY", "another program has it open"],
  ["EXDEV", "it would have to go to another disk"],
  ["EIO", "the disk or the share failed"],
  ["EROFS", "the disk is read-only"],
  ["EMFILE", "this process has too many files open"],
  ["ENFILE", "this machine has too many files open"],
]);

/** "it is a folder" for an error of `node:fs`; the error's code if there are no words for it. */
export function readFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : error.message;
  return REASONS.get(code) ?? code;
}
