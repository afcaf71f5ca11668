/** What a child process of these tests opens its store with: ids that no process before it has made. */
import { createIds } from "../../../src/system.ts";
import { realClock, silentLogger } from "../../support/databases.ts";

export const runtime = { clock: realClock, ids: createIds(realClock), logger: silentLogger };
