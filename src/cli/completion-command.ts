/** Declares `completion`, which prints a shell's completion script, made from the commands themselves. */
import { Argument, type Command } from "commander";
import type { Shell } from "./render/completion-script.ts";
import type { Runs } from "./session.ts";

const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

const COMPLETION_HELP = `
bash:  d=~/.local/share/bash-completion/completions; mkdir -p $d && paydrop completion bash > $d/paydrop
zsh:   paydrop completion zsh > FOLDER/_paydrop, with a FOLDER of your $fpath
fish:  set d ~/.config/fish/completions; mkdir -p $d && paydrop completion fish > $d/paydrop.fish`;

export function addCompletionCommand(program: Command, runs: Runs): void {
  program
    .command("completion")
    .description("print the completion for a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText("after", COMPLETION_HELP)
    .action(runs(async () => (await import("./commands/completion.ts")).completionOf(program)));
}
