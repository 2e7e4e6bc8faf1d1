/** Chooses where a report's file goes: into a folder under its own name, or to a path that the person gave. */
import { existsSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { fault } from "../faults/index.ts";
import { openFolder } from "../workplace/folders.ts";

interface Report<Format extends string> {
  /** Without its ending. */
  readonly name: string;
  readonly formats: readonly Format[];
  /** The format if the person names none. */
  readonly usual: Format;
  readonly format?: Format | undefined;
}

interface ReportFile<Format extends string> {
  readonly as: Format;
  readonly path: string;
}

/** The file at `out`; without it a file in the folder that is configured for such reports. Throws as `fileAt`. */
export async function reportFile<Format extends string>(
  folder: { readonly path: string; readonly key: string },
  report: Report<Format>,
  out: string | undefined,
): Promise<ReportFile<Format>> {
  if (out !== undefined) return fileAt(out, report);
  const { name, format: as = report.usual } = report;
  await openFolder(folder.path, folder.key);
  return { as, path: join(folder.path, `${name}.${as}`) };
}

/**
 * If `out` is an existing folder, the file goes into it. Otherwise `out` is the file; its ending says the format,
 * unless `format` does. Throws OUTPUT_EXISTS, and USAGE for another ending.
 */
export async function fileAt<Format extends string>(
  out: string,
  { name, formats, usual, format }: Report<Format>,
): Promise<ReportFile<Format>> {
  const as = format ?? formatOf(out, formats) ?? usual;
  const isFolder = statSync(out, { throwIfNoEntry: false })?.isDirectory() ?? /[/\\]$/.test(out);
  if (!isFolder) return { as, path: newFile(refuseOtherEnding(out, as, formats)) };
  await openFolder(resolve(out), "--out");
  return { as, path: resolve(out, `${name}.${as}`) };
}

/** Refuses an existing file: the person may have named it by mistake. */
function newFile(out: string): string {
  const path = resolve(out);
  if (existsSync(path)) throw fault("OUTPUT_EXISTS", { path }, { file: path });
  return path;
}

function formatOf<Format extends string>(out: string, formats: readonly Format[]): Format | undefined {
  return formats.find((each) => extname(out).toLowerCase() === `.${each}`);
}

/** Programs choose by the ending how they read a file. */
function refuseOtherEnding<Format extends string>(
  out: string,
  format: Format,
  formats: readonly Format[],
): string {
  if (formatOf(out, formats) === format) return out;
  const endings = formats.map((each) => `.${each}`).join(", ");
  throw fault("USAGE", {
    what: `the name ${out} does not say that it is a file of the format ${format}`,
    how: `Name a folder, or a file that ends with its format: ${endings}.`,
  });
}
