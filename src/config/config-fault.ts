/** The fault of an invalid configuration. Separate from the loader, so that reporting it does not load a parser. */
import { Fault, type Problem, problem } from "../faults/index.ts";

/** Everything wrong with a configuration; its `problem` is the first. */
export class ConfigFault extends Fault {
  readonly otherProblems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const [first, ...others] = problems;
    super(
      first ?? problem("CONFIG_KEY_INVALID", { path: "", reason: "it does not fit the schema", hint: "" }),
    );
    this.otherProblems = others;
  }
}
