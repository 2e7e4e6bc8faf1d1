/** The package's folder and metadata; works from src/ and from the built dist/src/. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const IS_BUILT = import.meta.url.endsWith(".js");

export const packageFolder = fileURLToPath(new URL(IS_BUILT ? "../../../" : "../../", import.meta.url));

export function packageVersion(): string {
  return String(JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")).version);
}
