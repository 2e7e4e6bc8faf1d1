/** What the demo promises: each expectation is printed as it is checked, and the demo's exit code is whether all held. */
import type { Output } from "../output.ts";

export class Expectations {
  private readonly output: Output;
  private failed = 0;
  private checked = 0;

  constructor(output: Output) {
    this.output = output;
  }

  /** `found` is what was seen; it is printed only when it is not what was expected. */
  expect(promise: string, holds: boolean, found: string): void {
    const { colors } = this.output;
    this.checked += 1;
    if (holds) {
      this.output.say(`  ${colors.green("ok")} ${promise}`);
    } else {
      this.failed += 1;
      this.output.complain(`  ${colors.red("NOT SO")} ${promise}: ${found}`);
    }
  }

  equal(promise: string, found: unknown, expected: unknown): void {
    this.expect(
      promise,
      String(found) === String(expected),
      `${String(found)} instead of ${String(expected)}`,
    );
  }

  get allHeld(): boolean {
    return this.failed === 0;
  }

  get summary(): string {
    return this.allHeld
      ? `All ${this.checked} expectations held.`
      : `${this.failed} of ${this.checked} expectations did not hold.`;
  }
}
