/** The person at the terminal, for commands without `--by`. */
import { userInfo } from "node:os";

/** The operating system's user name; a number in a container whose user has no name. */
export function personAtTerminal(read: () => { readonly username: string } = userInfo): string {
  try {
    return read().username;
  } catch (error) {
    if (!(error instanceof Error && error.name === "SystemError")) throw error;
    return `user ${process.getuid?.()}`;
  }
}
