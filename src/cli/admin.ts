/** Runs an admin's operations: over the control socket while a server runs, else on the store itself. */
import type { Static, TSchema } from "@sinclair/typebox";
import type { LocalOperation, Operation } from "../admin/operation.ts";
import type { Config } from "../config.ts";
import { callServer, noServer } from "../control/client.ts";
import { DataFolderLocked } from "../domain/errors.ts";
import type { openOffline } from "../instance.ts";
import { becomeOwnerOf } from "./become-owner.ts";

export interface Admin {
  run<I extends TSchema, O extends TSchema>(
    operation: Operation<I, O> | LocalOperation<I, O>,
    input: Static<I>,
  ): Promise<Static<O>>;
  /** Whether a server ran what was run so far. */
  isServed(): boolean;
}

/** A server that is starting or stopping, or another command, has the folder for a moment without answering. */
const patienceMs = 10_000;
const pauseMs = 50;

type Offline = Awaited<ReturnType<typeof openOffline>>;

/** Opens nothing before the first operation. */
export async function withAdmin<T>(config: Config, work: (admin: Admin) => Promise<T>): Promise<T> {
  const opened: Offline[] = [];
  const run = async (name: string, input: unknown): Promise<unknown> => {
    if (opened[0] !== undefined) return opened[0].run(name, input);
    const reached = await reach(config, name, input);
    if ("answer" in reached) return reached.answer;
    opened.push(reached.offline);
    return reached.offline.run(name, input);
  };
  const admin: Admin = {
    // Whoever runs it, it is the same operation: its output is what its schema says.
    run: (operation, input) => run(operation.name, input) as Promise<Static<typeof operation.output>>,
    isServed: () => opened.length === 0,
  };
  try {
    return await work(admin);
  } finally {
    for (const offline of opened) await offline.close();
  }
}

async function reach(
  config: Config,
  name: string,
  input: unknown,
): Promise<{ answer: unknown } | { offline: Offline }> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await callServer(config.dataDir, name, input);
    if (answer !== noServer) return { answer };
    // Loaded only now: with a server, none of it is needed.
    const { openOffline } = await import("../instance.ts");
    becomeOwnerOf(config.dataDir);
    try {
      return { offline: await openOffline(config) };
    } catch (error) {
      if (!(error instanceof DataFolderLocked) || performance.now() > deadline) throw error;
    }
    await Bun.sleep(pauseMs);
  }
}
