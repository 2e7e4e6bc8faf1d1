/** Reads the relations of a package part: which other parts it refers to, and as what. */
import { posix } from "node:path";
import { type Archive, malformed, refused } from "./archive.ts";
import { readXmlPart } from "./xml-part.ts";

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
