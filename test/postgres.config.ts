/**
 * `npm run test:postgres`: the tests that say something about the database, with their state in PostgreSQL, and those
 * of PostgreSQL alone. `TEST_ENGINE=postgresql npx vitest run FILE` runs any other.
 */
import { defineConfig } from "vitest/config";
import suite from "../vitest.config.ts";

const ROOMS = [
  "daemon",
  "expected",
  "nights",
  "notices",
  "payments",
  "retention",
  "setup",
  "store",
  "views",
  "workplace",
];

const FILES = [
  "books/booked-by-the-file",
  "files/{before-money-moves,kept-aside,known-payees,last-time,own-references}",
  "files/{several-intakes,submitted-twice}",
  "people/{altered-people,borrowed}",
  "processes/{cut-connections,fleet,kill,postgres}",
];

/**
 * About SQLite alone, about connections and not the database, or long and the same on both; at last those whose
 * statements other files of this suite run as well.
 */
const LEFT_OUT = [
  "store/{anchor,flush,lane-lock,reading,sqlite-store}",
  "payments/{changed-deposits,creation-operations,damaged-answers,framed-answers,looked-for-first}",
  "payments/{unseen-around-addresses,untrue-answers}",
  "nights/{kept,moved-receipts,nights,not-shown,report-page,reports,shown-as-another,violations,workbook}",
  "{daemon/callbacks,notices/events,setup/pilot}",
  "nights/planted/planted",
  "nights/{breaks,compared-in-parts,missing-or-failed-deposits,shown-unreadable}",
  "payments/{change-doubts,clock-behind,doubt,keys,one-time-codes,result-files,signing,stop-rules,taken-back}",
  "payments/{visibility,waiting,ways-out,witnessed-look}",
  "{expected/files,setup/doctor,store/gathered,views/history}",
];

export default defineConfig({
  ...suite,
  test: {
    ...suite.test,
    include: [
      ...ROOMS.map((room) => `test/${room}/**/*.test.ts`),
      ...FILES.map((name) => `test/${name}.test.ts`),
    ],
    exclude: [...(suite.test?.exclude ?? []), ...LEFT_OUT.map((name) => `test/${name}.test.ts`)],
  },
});
