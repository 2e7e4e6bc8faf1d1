/**
 * Distributes orders to child processes, each started with the simulation's doors loaded first, and collects the
 * results.
 */
import { type ChildProcess, fork, type Serializable } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Dealing<Order extends object, Result> {
  /** The module that each process runs: it answers every order with one result. */
  readonly module: URL;
  readonly orders: Iterable<Order>;
  readonly processes: number;
  /** What orders may plant: the modules of src that violations replace, and the violations' names. */
  readonly violations?: readonly { readonly violates: string; readonly name: string }[];
  /** Returns true to end early. */
  onResult(result: Result): boolean;
}

const DOORS = new URL("./module-doors.ts", import.meta.url).href;

/** Resolves once all orders have been carried out or a result ended it early. Rejects if a process dies. */
export async function dealOut<Order extends object, Result>(dealing: Dealing<Order, Result>): Promise<void> {
  const orders = dealing.orders[Symbol.iterator]();
  let isOver = false;
  const next = () => {
    const { value, done } = orders.next();
    return done === true || isOver ? undefined : value;
  };
  const carryOut = async () => {
    const child = start(dealing);
    const ended = once(child, "exit");
    for (let order = next(); order !== undefined; order = next()) {
      if (dealing.onResult((await resultOf(child, order)) as Result)) isOver = true;
    }
    child.disconnect();
    await ended;
  };
  await Promise.all(Array.from({ length: dealing.processes }, carryOut));
}

function start<Order extends object, Result>({
  module,
  violations = [],
}: Dealing<Order, Result>): ChildProcess {
  return fork(fileURLToPath(module), {
    execArgv: ["--single-threaded-gc", "--min-semi-space-size=16", "--import", DOORS],
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      SIMULATION_VIOLATIONS: violations.map(({ violates, name }) => `${violates}=${name}`).join(" "),
    },
  });
}

async function resultOf(child: ChildProcess, order: object): Promise<unknown> {
  child.send(order as Serializable);
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    const [message] = await Promise.race([
      once(child, "message", { signal }),
      once(child, "exit", { signal }).then(([code]) => {
        throw new Error(`${JSON.stringify(order).slice(0, 200)} ended its process with ${String(code)}`);
      }),
    ]);
    return message;
  } finally {
    waiting.abort();
  }
}
