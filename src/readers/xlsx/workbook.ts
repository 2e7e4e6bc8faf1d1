/**
 * Reads the parts of a workbook that its sheets depend on: the list of sheets, the shared strings, the styles of
 * cells and the date system. Refuses any other zip archive, naming its format, and a workbook that can run macros.
 */
import { posix } from "node:path";
import { fault } from "../../faults/index.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { type Archive, malformed, refused } from "./archive.ts";
import type { DateSystem } from "./date-serial.ts";
import { readSharedTexts, type SharedText } from "./shared-texts.ts";
import { readStyles, type Styles } from "./styles.ts";
import { type Attributes, isTrue, prefixedAttributes, readXmlPart } from "./xml-part.ts";

export interface Worksheet {
  readonly name: string;
  readonly visibility: "visible" | "hidden" | "very hidden";
  /** As spelled in the archive. */
  readonly partName: string;
}

export interface Workbook {
  readonly path: string;
  /** In the order of the tabs, without chart and dialog sheets. */
  readonly sheets: readonly Worksheet[];
  readonly sharedTexts: readonly SharedText[];
  /** The parts other than the sheets, as spelled in the archive. */
  readonly parts: Readonly<Record<"sharedTexts" | "styles", string | undefined>> & {
    readonly workbook: string;
  };
  readonly styles: Styles;
  readonly dateSystem: DateSystem;
  /** How the workbook was read, in words. */
  readonly dialect: string;
  /** Spreadsheet programs recalculate all formulas when they open it, so people never see the saved results. */
  readonly isRecalculated: boolean;
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
  const found = await readWorkbookPart(archive, workbookPart, relations);
  const parts = { workbook: workbookPart, sharedTexts: partOf("sharedStrings"), styles: partOf("styles") };
  return {
    path,
    ...found,
    sharedTexts: await readSharedTexts(archive, parts.sharedTexts),
    parts,
    styles: await readStyles(archive, parts.styles),
    dialect: found.dateSystem === 1904 ? "Excel workbook, dates from 1904" : "Excel workbook",
  };
}

/** Of several such parts, different programs read different ones. */
function onlyOfKind(relations: readonly Relation[], kind: string, path: string): Relation | undefined {
  const [only, another] = relations.filter((relation) => relation.kind === kind);
  if (another !== undefined) throw malformed(`it has two parts of the kind ${kind}`, path);
  return only;
}

/** Names and content types of parts that reveal another format. */
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
    // Some programs list the types of all parts that they could write.
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

/** Faults: XLSX_MALFORMED, XLSX_REFUSED, WORKBOOK_HAS_MACROS, VALUE_IS_SECRET. */
async function readWorkbookPart(
  archive: Archive,
  partName: string,
  relations: readonly Relation[],
): Promise<Pick<Workbook, "sheets" | "dateSystem" | "isRecalculated">> {
  const sheets: Worksheet[] = [];
  const relationOf = new Map(relations.map((relation) => [relation.id, relation]));
  let dateSystem: DateSystem = 1900;
  let isRecalculated = false;
  await readXmlPart(archive, partName, {
    open(name, attributes, isForeign, path) {
      if (isForeign) return;
      if (name === "workbookPr" && isTrue(attributes["date1904"])) dateSystem = 1904;
      if (name === "calcPr" && isTrue(attributes["fullCalcOnLoad"])) isRecalculated = true;
      if (name !== "sheet") return;
      const [relationId = "", another] = prefixedAttributes(attributes, "id");
      if (path.join() !== "workbook,sheets,sheet" || another !== undefined)
        throw malformed("programs show different sheets of it", archive.path);
      addSheet(attributes, relationOf.get(relationId));
    },
  });
  return { sheets, dateSystem, isRecalculated };

  function addSheet({ name = "", state = "visible" }: Attributes, relation: Relation | undefined): void {
    const { path, limits } = archive;
    // Before any message quotes the name.
    if (holdsPrivateKey(name))
      throw fault("VALUE_IS_SECRET", { field: "the name of a sheet" }, { file: path });
    if (relation === undefined) throw malformed(`the sheet ${name} has no part`, path);
    const { kind, isExternal, partName } = relation;
    if (limits.macros === "refuse" && /macrosheet$/i.test(kind))
      throw fault("WORKBOOK_HAS_MACROS", {}, { file: path, sheet: name });
    if (isExternal) throw refused(`the sheet ${name} lies outside the workbook`, path);
    if (kind !== "worksheet") return;
    // Sheet names are case-insensitive, and spreadsheet programs never create duplicates.
    if (sheets.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      throw malformed(`two of its sheets are named ${name}`, path);
    const visibility = VISIBILITIES[state] ?? "hidden";
    sheets.push({ name, visibility, partName: archive.find(partName) ?? partName });
  }
}

const VISIBILITIES: Readonly<Record<string, Worksheet["visibility"]>> = {
  visible: "visible",
  hidden: "hidden",
  veryHidden: "very hidden",
};

/** A reference from one part to another, and its kind. */
export interface Relation {
  readonly id: string;
  /** Last segment of the type URI, which strict and transitional OOXML share. */
  readonly kind: string;
  readonly partName: string;
  readonly isExternal: boolean;
}

/** The relations of a part, or of the package if the name is empty; none without a relations part. */
export async function readRelations(archive: Archive, partName: string): Promise<readonly Relation[]> {
  const { zipEntriesMax } = archive.limits;
  const folder = posix.dirname(partName);
  const relationsPart = archive.find(posix.join(folder, "_rels", `${posix.basename(partName)}.rels`));
  const relations: Relation[] = [];
  if (relationsPart === undefined) return relations;
  await readXmlPart(archive, relationsPart, {
    open(name, attributes, isForeign) {
      if (name !== "Relationship" || isForeign) return;
      if (relations.length >= zipEntriesMax) {
        throw refused(`${relationsPart} names more than ${zipEntriesMax} parts`, archive.path);
      }
      const id = attributes["Id"] ?? "";
      if (relations.some((relation) => relation.id === id))
        throw malformed(`${relationsPart} gives the id ${id} to two parts`, archive.path);
      relations.push({
        id,
        kind: posix.basename(attributes["Type"] ?? ""),
        // An absolute target starts at the package's root, a relative one at the part's folder.
        partName: posix.resolve("/", folder, attributes["Target"] ?? "").slice(1),
        isExternal: attributes["TargetMode"] === "External",
      });
    },
  });
  return relations;
}
