export { digestStep } from "./digest-step.ts";
export { replayStep } from "./events.ts";
export { channelsOf, runNotices } from "./run.ts";
export { type TestedChannel, testNoticesStep } from "./test-step.ts";
