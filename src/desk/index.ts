/** The desk: Paydrop's pages in the browser. */
export { type DeskPlace, deskServer, startDesk } from "./server.ts";
