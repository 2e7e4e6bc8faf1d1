/** `node test/files/wrong-payments/make-files.ts` writes each case into `files/`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WRONG_PAYMENTS } from "./cases.ts";

const folder = join(import.meta.dirname, "files");
mkdirSync(folder, { recursive: true });
for (const { file, bytes } of WRONG_PAYMENTS) writeFileSync(join(folder, file), bytes());
