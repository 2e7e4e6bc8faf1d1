/** The generated pages of docs/reference, by their names. */
import { commandsPage } from "./commands-page.ts";
import { configurationPage } from "./configuration-page.ts";
import { errorsPage } from "./errors-page.ts";

export function referencePages(): Readonly<Record<string, string>> {
  return {
    "commands.md": commandsPage(),
    "configuration.md": configurationPage(),
    "errors.md": errorsPage(),
  };
}
