/** The daemon: runs the scheduled jobs, receives callbacks, and serves its figures. */
export { type Hints, startCallbacks } from "./callbacks.ts";
export { Connections } from "./connections.ts";
export { startMonitoring } from "./monitoring.ts";
export { runScheduler } from "./scheduler.ts";
export { timetable } from "./timetable.ts";
export { UnrecordedRuns } from "./unrecorded-runs.ts";
