/**
 * Reads the parts of a workbook that its sheets depend on: the list of sheets, the shared strings, the styles of cells
 * and the date system. Refuses any other zip archive by naming what it is, and a workbook that can run macros.
 */
import { posix } from "node:path";
import { fault } from "../../faults/index.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { type Archive, malformed, refused } from "./archive.ts";
import type { DateSystem } from "./date-serial.ts";
import { type Relation, readRelations } from "./relations.ts";
import { readSharedTexts, type SharedText } from "./shared-texts.ts";
import { type CellStyle, readStyles } from "./styles.ts";
import { type Attributes, isTrue, prefixedAttributes, readXmlPart } from "./xml-part.ts";

export interface Worksheet {
  readonly name: string;
  readonly visibility: "visible" | "hidden" | "very hidden";
  /** As spelled in the archive. */
  readonly partName: string;
}

interface WorkbookParts {
  readonly workbook: string;
  readonly sharedTexts: string | undefined;
  readonly styles: string | undefined;
}

export interface Workbook {
  readonly path: string;
  /** In the order of the tabs, without chart and dialog sheets. */
  readonly sheets: readonly Worksheet[];
  readonly sharedTexts: readonly SharedText[];
  /** The parts besides the sheets, as spelled in the archive. */
  readonly parts: WorkbookParts;
  /** By style index (the attribute `s` of a cell). */
  readonly styles: readonly CellStyle[];
  readonly dateSystem: DateSystem;
  /** Spreadsheet programs recalculate all formulas when they open it, so nobody ever sees the saved results. */
  readonly isCalculatedAnew: boolean;
}

/** Faults: XLSX_MALFORMED, XLSX_REFUSED, WORKBOOK_HAS_MACROS, FILE_TOO_LARGE, FILE_FORMAT_UNKNOWN. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const { path } = archive;
  await refuseForeignParts(archive);
  const workbookPart = await findWorkbookPart(archive);
  const relations = await readRelations(archive, workbookPart);
  const partOf = (kind: string) => {
    const only = onlyOfKind(relations, kind, path);
    return only && archive.find(only.partName);
  };
  const { entries, ...calculation } = await readWorkbookPart(archive, workbookPart);
  // Before any message quotes a sheet name.
  if (entries.some(({ name }) => holdsPrivateKey(name)))
    throw fault("VALUE_IS_SECRET", { field: "the name of a sheet" }, { file: path });
  const sheets = worksheetsOf(entries, relations, archive);
  const parts = { workbook: workbookPart, sharedTexts: partOf("sharedStrings"), styles: partOf("styles") };
  const styles = await readStyles(archive, parts.styles);
  return {
    path,
    sheets,
    sharedTexts: await readSharedTexts(archive, parts.sharedTexts),
    parts,
    styles,
    ...calculation,
  };
}

/** Programs differ in which of several they read. */
function onlyOfKind(relations: readonly Relation[], kind: string, path: string): Relation | undefined {
  const [only, another] = relations.filter((relation) => relation.kind === kind);
  if (another !== undefined) throw malformed(`it has two parts of the kind ${kind}`, path);
  return only;
}

/** Faults: XLSX_MALFORMED, XLSX_REFUSED, WORKBOOK_HAS_MACROS. */
function worksheetsOf(
  entries: readonly SheetEntry[],
  relations: readonly Relation[],
  archive: Archive,
): Worksheet[] {
  const { path, limits } = archive;
  const sheets: Worksheet[] = [];
  const relationOf = new Map(relations.map((relation) => [relation.id, relation]));
  for (const { name, visibility, relationId } of entries) {
    const relation = relationOf.get(relationId);
    if (relation === undefined) throw malformed(`the sheet ${name} has no part`, path);
    if (limits.macros === "refuse" && /macrosheet$/i.test(relation.kind)) {
      throw fault("WORKBOOK_HAS_MACROS", {}, { file: path, sheet: name });
    }
    if (relation.isExternal) throw refused(`the sheet ${name} lies outside the workbook`, path);
    if (relation.kind !== "worksheet") continue;
    // Sheet names are case-insensitive, and spreadsheet programs never create duplicates.
    if (sheets.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      throw malformed(`two of its sheets are named ${name}`, path);
    sheets.push({ name, visibility, partName: archive.find(relation.partName) ?? relation.partName });
  }
  return sheets;
}

/** How the workbook was read, in words. */
export function dialectOf({ dateSystem }: Pick<Workbook, "dateSystem">): string {
  return dateSystem === 1904 ? "Excel workbook, dates from 1904" : "Excel workbook";
}

/** What the name or the declared content type of a part gives away. */
const FOREIGN_PARTS: readonly (readonly [pattern: RegExp, found: string])[] = [
  [/^xl\/workbook\.bin$|sheet\.binary\./i, "a binary workbook (.xlsb)"],
  [/^content\.xml$|^mimetype$/i, "an OpenDocument file (.ods)"],
  [/^word\//i, "a Word document"],
  [/^ppt\//i, "a presentation"],
  [/^index\/document\.iwa$|^index\.zip$/i, "a Numbers or Pages document"],
];

async function refuseForeignParts(archive: Archive): Promise<void> {
  const traits = [...archive.partNames];
  const types = archive.find("[Content_Types].xml");
  if (types !== undefined) {
    // Some programs list the types of all parts that they could ever write.
    const extensions = new Set(archive.partNames.map((name) => posix.extname(name).toLowerCase()));
    const open = (_: string, { PartName, Extension, ContentType = "" }: Attributes) => {
      const isOfPart =
        PartName === undefined
          ? extensions.has(`.${Extension ?? ""}`.toLowerCase())
          : archive.find(PartName.slice(1)) !== undefined;
      if (isOfPart) traits.push(ContentType);
    };
    await readXmlPart(archive, types, { open });
  }
  const foreign = FOREIGN_PARTS.find(([pattern]) => traits.some((trait) => pattern.test(trait)));
  if (foreign !== undefined) {
    throw fault("FILE_FORMAT_UNKNOWN", { found: foreign[1] }, { file: archive.path });
  }
  if (archive.limits.macros === "refuse" && traits.some((trait) => /macroEnabled|vbaProject/i.test(trait))) {
    throw fault("WORKBOOK_HAS_MACROS", {}, { file: archive.path });
  }
}

async function findWorkbookPart(archive: Archive): Promise<string> {
  const relations = await readRelations(archive, "");
  const target = onlyOfKind(relations, "officeDocument", archive.path)?.partName ?? "xl/workbook.xml";
  const partName = archive.find(target);
  if (partName !== undefined) return partName;
  throw fault("FILE_FORMAT_UNKNOWN", { found: "a zip archive without a workbook" }, { file: archive.path });
}

interface SheetEntry {
  readonly name: string;
  readonly visibility: Worksheet["visibility"];
  readonly relationId: string;
}

async function readWorkbookPart(
  archive: Archive,
  partName: string,
): Promise<Pick<Workbook, "dateSystem" | "isCalculatedAnew"> & { readonly entries: readonly SheetEntry[] }> {
  const entries: SheetEntry[] = [];
  let dateSystem: DateSystem = 1900;
  let isCalculatedAnew = false;
  await readXmlPart(archive, partName, {
    open(name, attributes, isForeign, path) {
      if (isForeign) return;
      if (name === "workbookPr" && isTrue(attributes["date1904"])) dateSystem = 1904;
      if (name === "calcPr" && isTrue(attributes["fullCalcOnLoad"])) isCalculatedAnew = true;
      if (name !== "sheet") return;
      const [relationId = "", another] = prefixedAttributes(attributes, "id");
      if (path.join() !== "workbook,sheets,sheet" || another !== undefined)
        throw malformed("programs show different sheets of it", archive.path);
      entries.push({
        name: attributes["name"] ?? "",
        visibility: VISIBILITIES[attributes["state"] ?? "visible"] ?? "hidden",
        relationId,
      });
    },
  });
  return { entries, dateSystem, isCalculatedAnew };
}

const VISIBILITIES: Readonly<Record<string, Worksheet["visibility"]>> = {
  visible: "visible",
  hidden: "hidden",
  veryHidden: "very hidden",
};
