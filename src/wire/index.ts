/** The wire schemas. docs/openapi.json calls each exported one by its name here. */
export * from "./balance.ts";
export * from "./creation.ts";
export * from "./deposit.ts";
export { writeDocument } from "./document.ts";
export * from "./error.ts";
export { parseDeposit, parseFunds, parseMoney, parsePayout, readDeposit, readPayout } from "./fast-reader.ts";
export { endOfText, parseJson, RefusedJson, writeJson } from "./json.ts";
export { mismatchCount, mismatchText } from "./mismatch.ts";
export * from "./money.ts";
export * from "./page.ts";
export { cutPage, type PageText } from "./page-text.ts";
export * from "./pathless.ts";
export * from "./payout.ts";
export * from "./primitives.ts";
export * from "./states.ts";
