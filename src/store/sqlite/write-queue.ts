/**
 * Writers one after another, durable together. What waits is taken into a group: one BEGIN, each writer a SAVEPOINT
 * in it (a single statement needs none), one COMMIT when nothing waits any more or after 2 ms. A caller is answered
 * only after that COMMIT. While it runs the next writers gather, so the slower the disk, the larger the groups.
 */
import { AppError } from "../../domain/errors.ts";
import type { Clock } from "../../domain/runtime.ts";
import type { Statement, StatementResult } from "../session.ts";
import { isSqliteBusy } from "../store-error.ts";
import type { WriteChannel } from "./write-channel.ts";
import { WriteTurn } from "./write-turn.ts";

const groupMs = 2;

/** Each waits up to the writer's busy timeout of 100 ms: 5 seconds in all. */
const busyAttemptsMax = 50;

interface Writer {
  /** Takes its turn; resolves when the next may have its own. */
  takeTurn(groupCommitted: Promise<void>): Promise<void>;
  refuse(error: unknown): void;
}

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
    const answer = Promise.withResolvers<StatementResult>();
    this.#enter({
      // Sent without waiting for its reply: the channel keeps the order, and a group of hundreds is one burst.
      takeTurn: async (groupCommitted) => {
        this.#channel
          .send({ op: "run", statement })
          .then((result) => groupCommitted.then(() => result))
          .then(answer.resolve, answer.reject);
      },
      refuse: answer.reject,
    });
    return answer.promise;
  }

  /** A transaction of several statements; resolves when its turn has come. */
  begin(): Promise<WriteTurn> {
    const answer = Promise.withResolvers<WriteTurn>();
    this.#enter({
      takeTurn: (groupCommitted) => {
        const turn = new WriteTurn(this.#channel, groupCommitted);
        answer.resolve(turn);
        return turn.ended;
      },
      refuse: answer.reject,
    });
    return answer.promise;
  }

  /** Lets the writers that wait finish, then closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.#channel.close();
  }

  #enter(writer: Writer): void {
    if (this.#closed) {
      writer.refuse(new AppError("shutting_down", "The service is stopping."));
      return;
    }
    this.#waiting.push(writer);
    this.#draining ??= this.#drain();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#runGroup();
    this.#draining = null;
  }

  async #runGroup(): Promise<void> {
    try {
      await this.#openGroup();
    } catch (error) {
      for (const writer of this.#waiting.splice(0)) writer.refuse(error);
      return;
    }
    const committed = Promise.withResolvers<void>();
    committed.promise.catch(() => undefined); // a group may have nobody left to tell
    await this.#takeTurns(committed.promise);
    try {
      await this.#channel.send({ op: "commit" });
      committed.resolve();
    } catch (error) {
      await this.#channel.send({ op: "abandon" });
      committed.reject(error);
    }
  }

  async #openGroup(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#channel.send({ op: "begin" });
        return;
      } catch (error) {
        if (!isSqliteBusy(error) || attempt === busyAttemptsMax) throw error;
      }
    }
  }

  async #takeTurns(groupCommitted: Promise<void>): Promise<void> {
    const openedAt = this.#clock.monotonicMs();
    let writer = this.#waiting.shift();
    while (writer !== undefined) {
      await writer.takeTurn(groupCommitted);
      const groupIsOver = this.#clock.monotonicMs() - openedAt >= groupMs;
      writer = groupIsOver ? undefined : this.#waiting.shift();
    }
  }
}
