/** vitest runs it before each test file, also in a worker that has loaded everything before. */
import { afterAll } from "vitest";
import { endings } from "./endings.ts";

afterAll(async () => {
  for (const end of endings) await end();
});
