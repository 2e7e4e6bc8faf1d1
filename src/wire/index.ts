export * from "./balance.ts";
export * from "./creation.ts";
export * from "./deposit.ts";
export * from "./error.ts";
export { parseJson, writeJson } from "./json.ts";
export * from "./money.ts";
export * from "./page.ts";
export * from "./payout.ts";
export * from "./states.ts";
