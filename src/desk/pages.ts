/** All pages of the desk. In the navigation they stand in this order. */
import { enrolPages } from "./enrol.ts";
import type { Page } from "./page.ts";
import { fileRepairPages } from "./pages/file-repair.ts";
import { filesPages } from "./pages/files.ts";
import { batchPages } from "./pages/batch.ts";
import { jobPages } from "./pages/jobs.ts";
import { peoplePages } from "./pages/people.ts";
import { todayPages } from "./pages/today.ts";
import { signInPages } from "./sign-in.ts";

export const pages: readonly Page[] = [
  ...todayPages,
  ...filesPages,
  ...fileRepairPages,
  ...batchPages,
  ...jobPages,
  ...peoplePages,
  ...signInPages,
  ...enrolPages,
];
