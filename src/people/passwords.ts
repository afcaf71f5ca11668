/** Hashing passwords: argon2id, a few at a time, because each takes 64 MiB for a moment. */
import { AppError } from "../domain/errors.ts";

const atOnceMax = 2;
const waitingMax = 20;
const retryAfterSeconds = 5;

export interface Passwords {
  hash(password: string): Promise<string>;
  verify(check: { password: string; hash: string }): Promise<boolean>;
}

/** Errors: AppError `rate_limited` when too many wait already. */
export function createPasswords(): Passwords {
  const inTurn = createTurns();
  return {
    // The cost is stated here so that it does not change with Bun; above OWASP's floor of 19 MiB.
    hash: (password) =>
      inTurn(() => Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 })),
    verify: ({ password, hash }) => inTurn(() => Bun.password.verify(password, hash)),
  };
}

function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax) {
        throw new AppError("rate_limited", "Too many people are signing in; try again in a moment.", {
          retryAfterSeconds,
        });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
