// Only the typed client, with paging that always ends, at a sandbox of its own.
import { hmacSigner, openGateway, payoutPages, systemClock, undiciTransport } from "paydrop";
import { demoSeed, startSandbox } from "paydrop/sandbox";

const sandbox = await startSandbox({ seed: demoSeed });
const transport = undiciTransport({ connections: 8, answerBytesMax: 64_000_000 });
const gateway = openGateway({ clock: systemClock, transport }, {
  baseUrl: sandbox.url,
  timeoutMs: 15_000,
  ratePerSecond: 20,
  dateStyle: "Z",
  signer: hmacSigner("demo-key", "demo-signing-secret-0001"),
});
const pages = payoutPages(gateway, systemClock, { states: ["COMPLETED"] }, { pageSize: 200, firstPage: 0, concurrency: 4 });
for await (const { element } of pages) console.log(element.payoutId, element.requestedAmount.amount.toString());
console.log(pages.report()); // { pagesRead: 1, complete: true, doubts: [], ... }
await transport.close();
await sandbox.close();
