export { fileChunks } from "./file-chunks.ts";
export { DEFAULT_FILE_LIMITS, type FileLimits } from "./file-limits.ts";
export { versionOf } from "./file-version.ts";
export { fileHoldsKey } from "./key-in-file.ts";
export { openTable } from "./open-table.ts";
export { type RawFile, type RawRow, type RawSheet, readSheets } from "./read-sheets.ts";
export type { TableLayout } from "./table-layout.ts";
