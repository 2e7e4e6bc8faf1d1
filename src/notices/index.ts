export { digestStep } from "./digest-step.ts";
export { channelsText, runNotices } from "./run.ts";
export { replayEventsStep } from "./send-events.ts";
export { type TestedChannel, testNoticesStep } from "./test-step.ts";
