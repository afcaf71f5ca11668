/** Waits for a PostgreSQL that restarts, where running the statement again cannot do it twice. */
import { databaseCode, isDisconnect } from "../store-error.ts";

const retryEveryMs = 100;
/** 5 seconds. */
const retriesMax = 50;

/** `repeatable`: it changes nothing, so that a connection lost half-way is no reason to give up. */
export async function whenReachable<T>(work: () => Promise<T>, options: { repeatable: boolean }): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await work();
    } catch (error) {
      const again = options.repeatable ? isDisconnect(error) : neverArrived(error);
      if (!again || retries === retriesMax) throw error;
    }
    await Bun.sleep(retryEveryMs);
  }
}

/** The server was not there or still starting up (57P03): the statement was never run. */
function neverArrived(error: unknown): boolean {
  const code = databaseCode(error);
  return code === "ERR_POSTGRES_CONNECTION_REFUSED" || code === "57P03";
}
