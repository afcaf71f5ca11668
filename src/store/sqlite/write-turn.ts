/** One transaction's turn with the writer: a SAVEPOINT of the group that is open. */
import { AppError } from "../../domain/errors.ts";
import type { Statement, StatementResult } from "../session.ts";
import type { WriteChannel } from "./write-channel.ts";

/** Everybody else waits while a transaction runs: one that does not end is rolled back. */
export const transactionTimeoutMs = 10_000;

export class WriteTurn {
  readonly ended: Promise<void>;
  readonly #channel: WriteChannel;
  readonly #groupCommitted: Promise<void>;
  readonly #end: () => void;
  readonly #timer: Timer;
  #isOver = false;
  #timedOut = false;

  constructor(channel: WriteChannel, groupCommitted: Promise<void>) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.#channel = channel;
    this.#groupCommitted = groupCommitted;
    this.#timer = setTimeout(() => this.#timeOut(), transactionTimeoutMs);
    void this.#command("SAVEPOINT turn");
  }

  async run(statement: Statement): Promise<StatementResult> {
    this.#refuseWhenOver();
    return this.#channel.send({ op: "run", statement });
  }

  /** Answers when the group's COMMIT is durable. */
  async commit(): Promise<void> {
    this.#refuseWhenOver();
    this.#finish();
    const released = this.#command("RELEASE turn");
    this.#end();
    const failure = await released;
    if (failure !== null) throw failure;
    await this.#groupCommitted;
  }

  async rollback(): Promise<void> {
    if (this.#isOver) return;
    this.#finish();
    const undone = Promise.all([this.#command("ROLLBACK TO turn"), this.#command("RELEASE turn")]);
    this.#end();
    await undone;
  }

  #refuseWhenOver(): void {
    if (this.#timedOut) {
      throw new AppError(
        "internal",
        `A transaction took over ${transactionTimeoutMs} ms and was rolled back.`,
      );
    }
    if (this.#isOver) throw new Error("this transaction has ended: its tx must not be used any more");
  }

  #finish(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #timeOut(): void {
    this.#timedOut = true;
    void this.rollback();
  }

  /** Answers what went wrong instead of throwing it: after a full disk there is nothing left to undo. */
  #command(sql: string): Promise<unknown> {
    return this.#channel.send({ op: "run", statement: { sql, parameters: [] } }).then(
      () => null,
      (error) => error,
    );
  }
}
