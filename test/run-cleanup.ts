/** vitest runs this before each test file, even in a worker that has loaded all modules before. */
import { afterAll } from "vitest";
import { cleanups } from "./cleanup.ts";

afterAll(async () => {
  for (const end of cleanups) await end();
});
