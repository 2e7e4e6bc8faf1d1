/** The names of answers, and the name of the file that answers and corrections belong to. */
import { basename, dirname, extname, join } from "node:path";

/** "acme/payroll.accepted.csv", also for the correction that came back as "acme/payroll.rejected.csv". */
export function answerName(file: string, kind: string, mark = ""): string {
  return `${sentStem(file)}${mark}.${kind}${extname(file)}`;
}

/** "acme/payroll" for a file and for all its corrections. */
export function sentStem(file: string): string {
  return join(dirname(file), basename(file, extname(file)).replace(/(?:\.rejected)+$/, ""));
}
