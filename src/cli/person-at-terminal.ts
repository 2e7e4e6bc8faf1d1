/** Who sits at the terminal, where a command is not told by `--by`. */
import { userInfo } from "node:os";

/** The operating system's name of its user; a number in a container that has no name for its own. */
export function personAtTerminal(read: () => { readonly username: string } = userInfo): string {
  try {
    return read().username;
  } catch (error) {
    if (!(error instanceof Error && error.name === "SystemError")) throw error;
    return `user ${process.getuid?.()}`;
  }
}
