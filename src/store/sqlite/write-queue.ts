/**
 * Writers one after another, durable together. What waits is taken into a group: one BEGIN, each writer a SAVEPOINT
 * in it (a single statement needs none), one COMMIT when nothing waits any more or after 2 ms. A caller is answered
 * only after that COMMIT. While it runs the next writers gather, so the slower the disk, the larger the groups.
 */
import { AppError } from "../../domain/errors.ts";
import type { Clock } from "../../domain/runtime.ts";
import type { Statement, StatementResult } from "../session.ts";
import type { WriteChannel } from "./write-channel.ts";
import type { WriteCommand } from "./write-connection.ts";
import { WriteTurn } from "./write-turn.ts";

const groupMs = 2;

/** Takes its turn; answers when the next may have its own, null when that is at once. */
type Writer = (groupCommitted: Promise<void>) => Promise<void> | null;

export class WriteQueue {
  readonly #channel: WriteChannel;
  readonly #clock: Clock;
  readonly #waiting: Writer[] = [];
  #draining: Promise<void> | null = null;
  #closed = false;

  constructor(channel: WriteChannel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /** One statement as a transaction of its own. */
  run(statement: Statement): Promise<StatementResult> {
    return this.#send({ op: "run", statement });
  }

  /**
   * Several statements as a transaction of their own, up to the first that touches no row. Answers the rows and the
   * changes of all together.
   */
  runBatch(statements: readonly Statement[]): Promise<StatementResult> {
    return this.#send({ op: "batch", statements });
  }

  /** A transaction of statements that depend on each other; resolves when its turn has come. */
  async begin(): Promise<WriteTurn> {
    const { promise, resolve } = Promise.withResolvers<WriteTurn>();
    this.#enter((groupCommitted) => {
      const turn = new WriteTurn(this.#channel, groupCommitted);
      resolve(turn);
      return turn.ended;
    });
    return promise;
  }

  /** Lets the writers that wait finish, then closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.#channel.close();
  }

  /** Without waiting for its reply: the channel keeps the order, and a group of hundreds is one burst. */
  async #send(command: WriteCommand): Promise<StatementResult> {
    const answer = Promise.withResolvers<StatementResult>();
    this.#enter((groupCommitted) => {
      this.#channel
        .send(command)
        .then((result) => groupCommitted.then(() => result))
        .then(answer.resolve, answer.reject);
      return null;
    });
    return answer.promise;
  }

  #enter(writer: Writer): void {
    if (this.#closed) throw new AppError("shutting_down", "The service is stopping.");
    this.#waiting.push(writer);
    this.#draining ??= Promise.resolve().then(() => this.#drain());
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#runGroup();
    this.#draining = null;
  }

  async #runGroup(): Promise<void> {
    const committed = Promise.withResolvers<void>();
    committed.promise.catch(() => undefined); // a group may have nobody left to tell
    // Not waited for: when it fails, whatever follows it fails with the same error.
    this.#channel.send({ op: "begin" }).catch(() => undefined);
    await this.#takeTurns(committed.promise);
    try {
      await this.#channel.send({ op: "commit" });
      committed.resolve();
    } catch (error) {
      await this.#channel.send({ op: "abandon" });
      committed.reject(error);
    }
  }

  async #takeTurns(groupCommitted: Promise<void>): Promise<void> {
    const openedAt = this.#clock.monotonicMs();
    let writer = this.#waiting.shift();
    while (writer !== undefined) {
      const ended = writer(groupCommitted);
      if (ended !== null) await ended;
      const groupIsOver = this.#clock.monotonicMs() - openedAt >= groupMs;
      writer = groupIsOver ? undefined : this.#waiting.shift();
    }
  }
}
