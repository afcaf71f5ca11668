/** The way to the connection that writes: in a Worker, whose fsync no read waits for, or on this thread (memory). */
import type { Database } from "bun:sqlite";
import type { StatementResult } from "../session.ts";
import { SqliteFailure } from "../store-error.ts";
import { type WriteCommand, WriteConnection } from "./write-connection.ts";

export interface WriteChannel {
  /** Runs in the order of the calls; rejects with an error that store-error.ts knows. */
  send(command: WriteCommand): Promise<StatementResult>;
  close(): Promise<void>;
}

/** Main thread → Worker, several in one message. Each is answered by one reply, in order; together again. */
export type WriterRequest = WriteCommand | { op: "open"; file: string } | { op: "close" };
export type WriterReply = { result: StatementResult } | { failure: { code: string; message: string } };

/** In the executable a second entry point keeps its path below src/; from source it is a file beside us. */
const workerAddress = Bun.isStandaloneExecutable
  ? "./store/sqlite-writer.ts"
  : new URL("../sqlite-writer.ts", import.meta.url).href;

/** Starts the Worker and opens the database file in it. */
export async function openWorkerChannel(file: string): Promise<WriteChannel> {
  const worker = new Worker(workerAddress, { name: "sqlite-writer", smol: true });
  const channel = new WorkerChannel(worker);
  try {
    await channel.request({ op: "open", file });
    return channel;
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

export function directChannel(database: Database): WriteChannel {
  const connection = new WriteConnection(database);
  return {
    send: async (command) => connection.execute(command),
    close: async () => connection.close(),
  };
}

class WorkerChannel implements WriteChannel {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<StatementResult>[] = [];
  #outgoing: WriterRequest[] = [];
  #broken: Error | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = (event: MessageEvent<WriterReply[]>) => {
      for (const reply of event.data) this.#answer(reply);
    };
    worker.onerror = (event) => this.#break(new Error(`the SQLite writer failed: ${event.message}`));
  }

  send(command: WriteCommand): Promise<StatementResult> {
    return this.request(command);
  }

  request(message: WriterRequest): Promise<StatementResult> {
    if (this.#broken !== null) return Promise.reject(this.#broken);
    const reply = Promise.withResolvers<StatementResult>();
    this.#waiting.push(reply);
    // A message to a thread costs more than most statements: what one turn of the event loop asks for goes as one.
    if (this.#outgoing.push(message) === 1) process.nextTick(() => this.#post());
    return reply.promise;
  }

  async close(): Promise<void> {
    await this.request({ op: "close" });
    this.#worker.terminate();
  }

  #post(): void {
    const messages = this.#outgoing;
    this.#outgoing = [];
    this.#worker.postMessage(messages);
  }

  #answer(reply: WriterReply): void {
    const waiting = this.#waiting.shift();
    if ("result" in reply) waiting?.resolve(reply.result);
    else waiting?.reject(new SqliteFailure(reply.failure.code, reply.failure.message));
  }

  #break(error: Error): void {
    this.#broken = error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
  }
}
