/** The refusal of a configuration. Apart from the loader, so that reporting it loads no parser. */
import { Fault, type Problem, problem } from "../faults/index.ts";

/** All that is wrong with a configuration at once; its `problem` is the first. */
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
