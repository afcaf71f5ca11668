/** Runs an admin's operations: over the control socket while a server runs, else on the store itself. */
import type { Static, TSchema } from "@sinclair/typebox";
import type { LocalOperation, Operation } from "../admin/operation.ts";
import { runAsOwner } from "../admin/operations.ts";
import type { Config } from "../config.ts";
import { callServer, noServer } from "../control/client.ts";
import { DataFolderLocked } from "../domain/errors.ts";
import { type Instance, offlineAdministration, openInstance } from "../instance.ts";

export interface Admin {
  run<I extends TSchema, O extends TSchema>(
    operation: Operation<I, O> | LocalOperation<I, O>,
    input: Static<I>,
  ): Promise<Static<O>>;
  /** Whether a server runs, as far as the last operation could tell. */
  readonly server: boolean;
}

/** A server that is starting or stopping, or another command, has the folder for a moment without answering. */
const patienceMs = 10_000;
const pauseMs = 50;

/** Opens nothing before the first operation. */
export async function withAdmin<T>(config: Config, work: (admin: Admin) => Promise<T>): Promise<T> {
  let instance: Instance | null = null;
  let server = false;
  const admin: Admin = {
    get server() {
      return server;
    },
    async run(operation, input) {
      const reached = instance ?? (await reach(config, operation.name, input));
      server = "answer" in reached;
      // The other end ran the same operation, whose output schema both ends share.
      if ("answer" in reached) return reached.answer as Static<typeof operation.output>;
      instance = reached;
      return runAsOwner(offlineAdministration(reached), operation.name, input) as Promise<
        Static<typeof operation.output>
      >;
    },
  };
  try {
    return await work(admin);
  } finally {
    await (instance as Instance | null)?.close();
  }
}

async function reach(config: Config, name: string, input: unknown): Promise<{ answer: unknown } | Instance> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await callServer(config.dataDir, name, input);
    if (answer !== noServer) return { answer };
    try {
      return await openInstance(config);
    } catch (error) {
      if (!(error instanceof DataFolderLocked) || performance.now() > deadline) throw error;
    }
    await Bun.sleep(pauseMs);
  }
}
