/** How much one file may ask of us, as the configuration says. */
import type { Config } from "../config/index.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits } from "../intake/index.ts";
import { present } from "../model/present.ts";

export function fileLimitsOf({ macros, limits }: Config["files"]): FileLimits {
  return { ...DEFAULT_FILE_LIMITS, ...present(limits), macros };
}
