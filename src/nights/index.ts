export { type BaselineReport, baselineStep } from "./baseline-step.ts";
export { bothSidesTable, proofTable } from "./formats/night-parts.ts";
export { nightsChart } from "./formats/nights-chart.ts";
export { type NightRun, nightStep, reportBytes, writeReport } from "./night-step.ts";
export { type NightAsked, type ReconciliationReport, reconcileStep } from "./reconcile-step.ts";
export {
  type BreakFilter,
  type BreaksReport,
  breaksStep,
  type Listed,
} from "./register/breaks-step.ts";
export {
  assignBreakStep,
  type BreakAssignment,
  type BreakDecision,
  type BreakNoting,
  noteBreakStep,
  reopenBreakStep,
  settleStep,
  takesTwo,
  waitsForAnother,
} from "./register/decisions.ts";
export { type BreakStory, showBreakStep } from "./register/show-break.ts";
export { type ReportAsked, reportStep } from "./report-step.ts";
export { lookSentence } from "./rules/night-look.ts";
export { type NightReport, nightSentence, reportName, reportTitle } from "./rules/night-report.ts";
