/** Reads and extends the relationships between a workbook's parts, and the list of their content types, as text. */
import { posix } from "node:path";
import { appendTo, attributeOf, elementsOf, escapeXml, prefixOf, withoutElements } from "./xml-text.ts";

export interface Relationship {
  readonly id: string;
  /** Last segment of the type's URI, the same in strict and transitional OOXML. */
  readonly kind: string;
  readonly target: string;
  readonly xml: string;
}

/** The relationships of one part. Absolute targets start at the package's root, relative ones at the part's folder. */
export class Relationships {
  private readonly partName: string;
  xml: string;

  constructor(partName: string, xml: string | undefined) {
    this.partName = partName;
    this.xml = xml ?? `<Relationships xmlns="${PACKAGE_NAMESPACE}"></Relationships>`;
  }

  list(): readonly Relationship[] {
    const name = `${prefixOf(this.xml, "Relationships")}Relationship`;
    return elementsOf(this.xml, name).map((xml) => ({
      id: attributeOf(xml, "Id") ?? "",
      kind: posix.basename(attributeOf(xml, "Type") ?? ""),
      target: posix.resolve("/", posix.dirname(this.partName), attributeOf(xml, "Target") ?? "").slice(1),
      xml,
    }));
  }

  find(kind: string): Relationship | undefined {
    return this.list().find((relationship) => relationship.kind === kind);
  }

  /** Returns the new relationship's id. `base`: what the type's URI begins with, see `typeBase`. */
  add(kind: string, target: string, base: string): string {
    const taken = new Set(this.list().map(({ id }) => id));
    let number = taken.size + 1;
    while (taken.has(`rId${number}`)) number += 1;
    const id = `rId${number}`;
    // Absolute targets are equally valid, but not every reader follows them.
    const relative = posix.relative(posix.dirname(`/${this.partName}`), `/${target}`);
    const prefix = prefixOf(this.xml, "Relationships");
    const added = `<${prefix}Relationship Id="${id}" Type="${base}/${kind}" Target="${escapeXml(relative)}"/>`;
    this.xml = appendTo(this.xml, `${prefix}Relationships`, added);
    return id;
  }

  remove({ xml }: Relationship): void {
    this.xml = this.xml.replace(xml, "");
  }
}

/** What a relationship's type begins with; strict OOXML has another one. */
export function typeBase(relationship: Relationship | undefined): string {
  const type = relationship === undefined ? undefined : attributeOf(relationship.xml, "Type");
  return type === undefined ? TRANSITIONAL : posix.dirname(type);
}

export const CONTENT_TYPES = "[Content_Types].xml";

export class ContentTypes {
  xml: string;

  constructor(xml: string | undefined) {
    this.xml = xml ?? '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"></Types>';
  }

  /** `kind`: "worksheet", "comments"; the rest of a spreadsheet part's type is always the same. */
  add(partName: string, kind: string): void {
    const prefix = prefixOf(this.xml, "Types");
    const type = `application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml`;
    const override = `<${prefix}Override PartName="/${escapeXml(partName)}" ContentType="${type}"/>`;
    this.xml = appendTo(this.xml, `${prefix}Types`, override);
  }

  addDefault(extension: string, type: string): void {
    const prefix = prefixOf(this.xml, "Types");
    const known = elementsOf(this.xml, `${prefix}Default`);
    if (known.some((element) => attributeOf(element, "Extension")?.toLowerCase() === extension)) return;
    const root = this.xml.search(/<(?:[\w.-]+:)?Types[\s>]/);
    const at = this.xml.indexOf(">", root) + 1;
    const added = `<${prefix}Default Extension="${extension}" ContentType="${type}"/>`;
    this.xml = this.xml.slice(0, at) + added + this.xml.slice(at);
  }

  remove(partName: string): void {
    const name = `/${partName}`.toLowerCase();
    const isGone = (element: string) => attributeOf(element, "PartName")?.toLowerCase() === name;
    this.xml = withoutElements(this.xml, `${prefixOf(this.xml, "Types")}Override`, isGone);
  }
}

const PACKAGE_NAMESPACE = "http://schemas.openxmlformats.org/package/2006/relationships";
const TRANSITIONAL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
