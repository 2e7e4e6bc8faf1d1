/** All pages of the desk, in the order of the navigation. */
import { enrolPages } from "./enrol.ts";
import type { Page } from "./page.ts";
import { batchPages } from "./pages/batch.ts";
import { booksPages } from "./pages/books.ts";
import { closePages } from "./pages/books-close.ts";
import { remapPages } from "./pages/books-remap.ts";
import { settlePages } from "./pages/books-settle.ts";
import { breakStoryPages } from "./pages/break.ts";
import { breakPages } from "./pages/breaks.ts";
import { doubtPages } from "./pages/doubts.ts";
import { expectationPages } from "./pages/expectation.ts";
import { expectedPages } from "./pages/expected.ts";
import { fileRepairPages } from "./pages/file-repair.ts";
import { filesPages } from "./pages/files.ts";
import { jobPages } from "./pages/jobs.ts";
import { nightPages } from "./pages/night-proof.ts";
import { paymentPages } from "./pages/payment.ts";
import { paymentDecisionPages } from "./pages/payment-decisions.ts";
import { paymentsPages } from "./pages/payments.ts";
import { peoplePages } from "./pages/people.ts";
import { recordPages } from "./pages/record.ts";
import { resourcePages } from "./pages/resource.ts";
import { todayPages } from "./pages/today.ts";
import { signInPages } from "./sign-in.ts";

const FILES = [...todayPages, ...filesPages, ...fileRepairPages, ...batchPages];
const PAYMENTS = [
  ...paymentsPages,
  ...paymentPages,
  ...paymentDecisionPages,
  ...doubtPages,
  ...expectedPages,
  ...expectationPages,
  ...breakPages,
  ...breakStoryPages,
  ...nightPages,
  ...resourcePages,
  ...booksPages,
  ...settlePages,
  ...closePages,
  ...remapPages,
];
const RUN = [...jobPages, ...peoplePages, ...recordPages, ...signInPages, ...enrolPages];

export const pages: readonly Page[] = [...FILES, ...PAYMENTS, ...RUN];
