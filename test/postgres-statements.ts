/** A thread that carries out statements on the run's PostgreSQL server, for a worker that waits for each one. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import pg from "pg";

const { url, ended } = workerData as { readonly url: string; readonly ended: Int32Array };
const client = new pg.Client({ connectionString: url });
const connected = client.connect();

parentPort?.once("message", ({ port }: { readonly port: MessagePort }) => {
  port.on("message", async (statement: string) => {
    const failure = await connected.then(() => client.query(statement)).then(() => undefined, String);
    // Only a failure is a message: the worker looks for one as soon as the count has changed.
    if (failure !== undefined) port.postMessage(failure);
    Atomics.add(ended, 0, 1);
    Atomics.notify(ended, 0);
  });
});
