/** Writes the corpus files that need no other program: `node test/files/corpus/make/handmade-files.ts`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { csvFiles } from "./csv-bytes.ts";
import { excelCellFiles } from "./excel-cells.ts";
import { excelSheetFiles } from "./excel-sheets.ts";
import { writeExceljsFiles } from "./exceljs-files.ts";
import { hostileFiles } from "./hostile-packages.ts";
import { googleFiles, numbersFiles } from "./other-programs.ts";
import { unusualPackageFiles } from "./unusual-packages.ts";

const FILES = join(import.meta.dirname, "../files");

write("excel", { ...excelCellFiles(), ...excelSheetFiles() });
write("google-sheets", googleFiles());
write("numbers", numbersFiles());
write("unusual-xlsx", unusualPackageFiles());
write("hostile", hostileFiles());
write("csv", csvFiles());
await writeExceljsFiles(join(FILES, "exceljs"));

function write(producer: string, files: Readonly<Record<string, Buffer>>): void {
  mkdirSync(join(FILES, producer), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(FILES, producer, name), bytes);
}
