export { type RetentionReport, retentionStep } from "./retention-step.ts";
