import { expect, test } from "vitest";
import { personAtTerminal } from "../../src/cli/options.ts";

test("a container that has no name for its user keeps no command from its work", () => {
  const nameless = Object.assign(new Error("A system error occurred: uv_os_get_passwd returned ENOENT"), {
    name: "SystemError",
  });
  const throwing = () => {
    throw nameless;
  };
  expect(personAtTerminal(throwing)).toBe(`user ${process.getuid?.()}`);
});
