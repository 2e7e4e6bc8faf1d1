/** Texts of which some lines only apply under a condition: `condition && line`. */
import { applying } from "../../model/applying.ts";

/** The lines that apply, as one text. */
export function lines(...parts: readonly (string | false | undefined)[]): string {
  return applying(...parts).join("\n");
}
